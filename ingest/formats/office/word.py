"""Word files (docx): the blocks of their text, text boxes, notes, comments, charts, pictures. Reading blocks."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from ingest.content import Content
from ingest.detection.charsets import clean
from ingest.documents import Omission, OmissionReason, ReadResult
from ingest.formats.office.draft import Draft, opened_package
from ingest.formats.office.drawings import pictures, write_graphics
from ingest.formats.office.formulas import formula
from ingest.formats.office.packages import Element, comment, short, tag, value, whole
from ingest.formats.office.word_lists import BULLET, Lists
from ingest.formats.office.word_styles import ReadParagraph, Styles
from libs.contracts.structure import BlockKind

MAIN: Final = "word/document.xml"
MAX_HEADING: Final = 200
"""In characters; a longer paragraph in a heading's style is running text (taste)."""
_FURNITURE: Final = ("header", "footer")
_INNER: Final = ("w:tbl", "w:drawing", "w:pict")
NOTES: Final = {
    "w:footnoteReference": "footnote",
    "w:endnoteReference": "endnote",
    "w:commentReference": "comment",
}
_CHARACTERS: Final = {"w:br": "\n", "w:cr": "\n", "w:tab": "\t", "w:noBreakHyphen": "-"}
_DELETED: Final = frozenset({"w:del", "w:moveFrom"})
_DRAWINGS: Final = frozenset({"w:drawing", "w:pict", "w:object"})


def inside(element: Element, *names: str) -> Iterator[Element]:
    """The nearest descendants of these names, also within content controls and insertions."""
    for child in element:
        name = short(child.tag)
        if name in names:
            yield child
        elif name not in ("w:del", "w:p", "w:tbl"):
            yield from inside(child, *names)


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document."""
    with opened_package(content, "docx") as package:
        draft = _Text(package)
        draft.read(package.main(MAIN))
        yield draft.document(content)


@dataclass(slots=True)
class _Text(Draft):
    """Passes blocks to a builder."""

    _titles: list[str] = field(default_factory=list)
    """Headings of the highest level."""
    _main: str = ""
    """Text in the style of a title."""
    _uncaptioned: int = 0
    """How many of the last pictures may have the next paragraph for their caption."""
    _notes: dict[tuple[str, str], Element] = field(default_factory=dict)
    _styles: Styles = field(init=False)
    _lists: Lists = field(init=False)
    _marked: int = 0
    """Number of the last note."""
    _hanging: list[tuple[Element, int]] = field(default_factory=list)
    """Drawings and marks of notes and comments that are not written yet; a note has its number."""

    def __post_init__(self) -> None:
        self._styles = Styles(self.package.first(MAIN, "styles"))
        self._lists = Lists(self.package.first(MAIN, "numbering"), self._styles)
        for kind in NOTES.values():
            for root in self.package.related(MAIN, f"{kind}s"):
                self._notes |= {(kind, note.get(tag("w:id"), "")): note for note in root.iter(tag(f"w:{kind}"))}

    def read(self, root: Element) -> None:
        """Read the whole text; what stands at the head and foot of each page is left out."""
        self._blocks(root)
        self.title = self._main or (self._titles[0] if len(self._titles) == 1 else "")
        for kind in _FURNITURE:
            self.package.place = kind
            for part in self.package.related(MAIN, kind):
                words = " ".join(self._text(paragraph) for paragraph in part.iter(tag("w:p")))
                self.package.leave_out(OmissionReason.FURNITURE, words)

    def _blocks(self, container: Element) -> None:
        """Read the blocks of a body, a cell, a text box, a content control."""
        for child in container:
            name = short(child.tag)
            if name == "w:p":
                self._paragraph(child)
            elif name == "w:tbl":
                self._table(child)
            elif name == "w:altChunk":
                self.package.omissions.append(Omission(OmissionReason.OBJECT, "", "another document"))
            elif name not in ("w:del", "w:sdtPr"):
                self._blocks(child)

    def _paragraph(self, paragraph: Element) -> None:
        marker, depth = self._lists.marker(paragraph)
        reading = self._styles.kind_of(paragraph, bool(marker))
        text = self._text(paragraph)
        if reading.kind is BlockKind.CODE:
            self.builder.code_line(text.rstrip())
        elif reading.kind is BlockKind.LIST and text.strip():
            self.builder.item(marker or BULLET, text, max(depth, reading.depth))
        elif text.strip():
            self._write(text.strip(), reading, "" if marker == BULLET else marker)
        self._write_hanging()

    def _write(self, text: str, reading: ReadParagraph, marker: str) -> None:
        if reading.heading and len(text) <= MAX_HEADING:
            heading = " ".join(text.split())
            self._titles += [heading] if reading.heading == 1 else []
            self._main = self._main or (heading if reading.main else "")
            self.builder.heading(f"{marker} {heading}", reading.heading)
        else:
            self.builder.block(reading.kind, f"{marker} {text}")
        if reading.kind is BlockKind.CAPTION and self._uncaptioned:
            self.images[-self._uncaptioned :] = [replace(i, caption=text) for i in self.images[-self._uncaptioned :]]
        self._uncaptioned = 0

    def _write_hanging(self) -> None:
        """Write what hangs on the paragraphs of a block: text boxes, charts and pictures, notes and comments."""
        hanging, self._hanging = self._hanging, []
        for element, number in hanging:
            if kind := NOTES.get(short(element.tag)):
                self._write_note(kind, element.get(tag("w:id"), ""), number)
            else:
                self._write_drawing(element)

    def _write_drawing(self, drawing: Element) -> None:
        images = list(pictures(self.package, MAIN, drawing))
        self.images += images
        self._uncaptioned += len(images)
        for box in drawing.iter(tag("w:txbxContent")):
            if not any(short(outer.tag) == "w:txbxContent" for outer in box.iterancestors()):
                self._blocks(box)
        write_graphics(self.package, MAIN, drawing, self.builder)

    def _write_note(self, kind: str, note_id: str, number: int) -> None:
        note = self._notes.pop((kind, note_id), None)
        if note is None:
            return
        words = " ".join(self._text(paragraph).strip() for paragraph in note.iter(tag("w:p"))).strip()
        if kind == "comment":
            quotation = comment(words, note.get(tag("w:date")), note.get(tag("w:author")))
            self.builder.block(BlockKind.QUOTATION, quotation)
        else:
            self.builder.paragraph(f"[^{number}]: {words}")

    def _table(self, table: Element) -> None:
        """Write a table; the contents of one that only lays out other blocks are written in their order."""
        rows = [list(inside(row, "w:tc")) for row in inside(table, "w:tr")]
        cells = [cell for row in rows for cell in row]
        if (len(rows) < 2 or max(map(len, rows)) < 2) and any(
            True for cell in cells for _ in cell.iter(*map(tag, _INNER))
        ):
            for cell in cells:
                self._blocks(cell)
            return
        self.builder.table(list(self._rows(table)))
        self._write_hanging()

    def _rows(self, table: Element) -> Iterator[list[str]]:
        """The rows of a table; a cell that is merged stands in each place that it covers, unless it is alone."""
        above: dict[int, str] = {}
        for row in inside(table, "w:tr"):
            texts = [""] * whole(value(row, "w:trPr/w:gridBefore"))
            cells = list(inside(row, "w:tc"))
            for cell in cells:
                at, width = len(texts), whole(value(cell, "w:tcPr/w:gridSpan"), 1)
                goes_on = value(cell, "w:tcPr/w:vMerge") in ("", "continue")
                above[at] = above.get(at, "") if goes_on else self._cell_words(cell)
                texts += [above[at], *([above[at] if len(cells) > 1 else ""] * (width - 1))]
            yield texts

    def _cell_words(self, cell: Element) -> str:
        """The text of a cell on one line; rows of a table inside it are separated."""
        words: list[str] = []
        for child in inside(cell, "w:p", "w:tbl"):
            if short(child.tag) == "w:tbl":
                words.append("; ".join(" ".join(row) for row in self._rows(child)))
                continue
            marker, _ = self._lists.marker(child)
            words.append(f"{'' if marker == BULLET else marker} {self._text(child)}".strip())
        return " ".join(words)

    def _text(self, paragraph: Element) -> str:
        """The text of a paragraph with all tracked changes accepted."""
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
                self._hanging.append((child, self._marked))
            pieces.append(f"[^{self._marked}]" if is_note else _CHARACTERS.get(name, ""))
            pieces.append(child.text or "" if name == "w:t" else "")
        text = "".join(pieces)
        return self._leave_out(text) if text and self._styles.is_hidden(run, style) else text

    def _leave_out(self, text: str) -> str:
        self.package.leave_out(OmissionReason.HIDDEN, text)
        return ""
