"""The text of Word paragraphs, and what hangs on it: text boxes, pictures, notes, comments. Pure."""

from typing import Final

from ingest.detection.charsets import clean
from ingest.documents import OmissionReason
from ingest.formats.office.formulas import formula
from ingest.formats.office.packages import Element, Package, short, tag, value
from ingest.formats.office.word_styles import Styles

NOTES: Final = {
    "w:footnoteReference": "footnote",
    "w:endnoteReference": "endnote",
    "w:commentReference": "comment",
}
_CHARACTERS: Final = {"w:br": "\n", "w:cr": "\n", "w:tab": "\t", "w:noBreakHyphen": "-"}
_DELETED: Final = frozenset({"w:del", "w:moveFrom"})
_DRAWINGS: Final = frozenset({"w:drawing", "w:pict", "w:object"})


class Runs:
    """Collects the text of paragraphs with all tracked changes accepted."""

    def __init__(self, package: Package, styles: Styles) -> None:
        self._package = package
        self._styles = styles
        self._marked = 0
        self.hanging: list[tuple[Element, int]] = []
        """Drawings and marks of notes and comments, which the caller takes; a note has its number, from 1."""

    def text(self, paragraph: Element) -> str:
        """The text of a paragraph."""
        pieces: list[str] = []
        self._collect(paragraph, value(paragraph, "w:pPr/w:pStyle"), pieces)
        return clean("".join(pieces))

    def _collect(self, element: Element, style: str | None, pieces: list[str]) -> None:
        for child in element:
            name = short(child.tag)
            if name == "w:r":
                pieces.append(self._run(child, style))
            elif name in _DELETED:
                self._leave_out("".join(text.text or "" for text in child.iter(tag("w:delText"), tag("w:t"))))
            elif name == "m:oMath":
                pieces.append(f"${formula(child).strip()}$")
            elif value(child, "w:sdtPr/w14:checkbox", "w14:val") is not None:
                checked = value(child, "w:sdtPr/w14:checkbox/w14:checked", "w14:val") in ("1", "true")
                pieces.append("[x]" if checked else "[ ]")
            elif name not in ("w:pPr", "w:sdtPr", "w:p", "w:tbl"):
                self._collect(child, style, pieces)

    def _run(self, run: Element, style: str | None) -> str:
        pieces: list[str] = []
        for child in run:
            name = short(child.tag)
            is_note = name in NOTES and NOTES[name] != "comment"
            self._marked += is_note
            if name in NOTES or name in _DRAWINGS:
                self.hanging.append((child, self._marked))
            pieces.append(f"[^{self._marked}]" if is_note else _CHARACTERS.get(name, ""))
            pieces.append(child.text or "" if name == "w:t" else "")
        text = "".join(pieces)
        return self._leave_out(text) if text and self._styles.is_hidden(run, style) else text

    def _leave_out(self, text: str) -> str:
        self._package.leave_out(OmissionReason.HIDDEN, "", text)
        return ""
