"""The text of a Word paragraph, and what hangs on it: text boxes, notes, comments. Pure."""

from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from ingest.documents import Omission, OmissionReason
from ingest.formats.office.formulas import formula
from ingest.formats.office.packages import Element, short, tag, value
from ingest.formats.office.word_styles import Styles, is_literal

_CHARACTERS: Final = {"w:br": "\n", "w:cr": "\n", "w:tab": "\t", "w:noBreakHyphen": "-"}
_DELETED: Final = frozenset({"w:del", "w:moveFrom"})
_NOTES: Final = {"w:footnoteReference": "footnote", "w:endnoteReference": "endnote"}
_DRAWINGS: Final = frozenset({"w:drawing", "w:pict", "w:object"})


@dataclass(slots=True)
class Runs:
    """Collects the text of one paragraph with all tracked changes accepted."""

    styles: Styles
    marked: int = 0
    """Number of the last note before the paragraph."""
    pieces: list[tuple[bool, str]] = field(default_factory=list)
    """Texts, and whether each is code."""
    drawings: list[Element] = field(default_factory=list)
    notes: list[tuple[str, str, int]] = field(default_factory=list)
    """Kinds, ids and numbers of the notes and comments at marks within the text."""
    omissions: list[Omission] = field(default_factory=list)
    _style: str | None = None

    def collect(self, element: Element) -> "Runs":
        """Add the text of an element."""
        self._style = value(element, "w:pPr/w:pStyle") or self._style
        for child in element:
            name = short(child.tag)
            if name == "w:r":
                self._run(child)
            elif name in _DELETED:
                self._leave_out("".join(text.text or "" for text in child.iter(tag("w:delText"), tag("w:t"))))
            elif name == "m:oMath":
                self.pieces.append((False, f"${formula(child).strip()}$"))
            elif value(child, "w:sdtPr/w14:checkbox", "w14:val") is not None:
                checked = value(child, "w:sdtPr/w14:checkbox/w14:checked", "w14:val") in ("1", "true")
                self.pieces.append((False, "[x]" if checked else "[ ]"))
            elif name not in ("w:pPr", "w:sdtPr", "w:p", "w:tbl"):
                self.collect(child)
        return self

    def text(self, ticks: bool = True) -> str:
        """The text; `ticks` puts backticks around code in a sentence."""
        if not ticks or all(literal for literal, text in self.pieces if text.strip()):
            return "".join(text for _, text in self.pieces)
        groups = groupby(self.pieces, key=lambda piece: piece[0])
        return "".join(_ticked("".join(text for _, text in group), literal) for literal, group in groups)

    def _run(self, run: Element) -> None:
        pieces: list[str] = []
        for child in run:
            name = short(child.tag)
            if name == "w:t":
                pieces.append(child.text or "")
            elif name in _NOTES:
                self.marked += 1
                self.notes.append((_NOTES[name], child.get(tag("w:id"), ""), self.marked))
                pieces.append(f"[^{self.marked}]")
            elif name == "w:commentReference":
                self.notes.append(("comment", child.get(tag("w:id"), ""), 0))
            elif name in _DRAWINGS:
                self.drawings.append(child)
            else:
                pieces.append(_CHARACTERS.get(name, ""))
        text = "".join(pieces)
        if text and self.styles.is_hidden(run, self._style):
            self._leave_out(text)
        elif text:
            self.pieces.append((is_literal(run), text))

    def _leave_out(self, text: str) -> None:
        if text.strip():
            self.omissions.append(Omission.of(OmissionReason.HIDDEN, "", text))


def _ticked(text: str, is_code: bool) -> str:
    """Code in backticks, with white space outside."""
    if not is_code or not text.strip() or "`" in text:
        return text
    lead = text[: len(text) - len(text.lstrip())]
    return f"{lead}`{text.strip()}`{text[len(text.rstrip()) :]}"
