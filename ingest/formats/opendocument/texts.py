"""The blocks of OpenDocument texts and slides: what stands in a body, a cell, a text box. Reading blocks."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ingest.detection.charsets import clean
from ingest.documents import Omission, OmissionReason, SourceImage
from ingest.formats.office.packages import MINUTES, Package, comment, short, tag, whole
from ingest.formats.office.word_styles import ParagraphKind
from ingest.formats.opendocument.styles import Styles
from ingest.formats.pictures import picture
from libs.contracts.structure import BlockKind
from libs.documents.building import DocumentBuilder
from libs.text.grids import Cell, spread

if TYPE_CHECKING:
    from lxml.etree import _Element

_APART: Final = frozenset({"office:annotation", "text:note", "draw:frame", "draw:g", "draw:custom-shape", "draw:rect"})
"""What hangs on a paragraph and is written after it."""
_PARAGRAPHS: Final = ("text:p", "text:h")
_OBJECTS: Final = ("draw:object", "draw:object-ole")
_SETTINGS: Final = ("text:tracked-changes", "presentation:settings")
_CHARACTERS: Final = {"text:tab": "\t", "text:line-break": "\n"}
_UNSEEN: Final = frozenset({"text:ruby-text", "text:hidden-text", "text:hidden-paragraph", "svg:title", "svg:desc"})
_KINDS: Final = {ParagraphKind.QUOTATION: BlockKind.QUOTATION, ParagraphKind.CAPTION: BlockKind.CAPTION}
_TABLE_PARTS: Final = frozenset({"table:table-header-rows", "table:table-rows", "table:table-row-group"})


@dataclass(slots=True)
class TextWriter:
    """Passes blocks to a builder."""

    package: Package
    styles: Styles
    builder: DocumentBuilder = field(default_factory=DocumentBuilder)
    images: list[SourceImage] = field(default_factory=list)
    title: str = ""
    page: int = 0
    _hanging: list["_Element"] = field(default_factory=list)
    """What hangs on the items of a list."""
    _marked: int = 0
    """Number of the last note."""

    def write(self, container: "_Element") -> None:
        """Write the blocks of an element."""
        for child in container:
            self._block(child, short(child.tag))

    def words(self, element: "_Element", apart: list["_Element"]) -> str:
        """The text of a paragraph; what hangs on it is added to `apart`."""
        pieces: list[str] = []
        self._collect(element, pieces, apart)
        return clean("".join(pieces)).strip()

    def leave_out(self, reason: OmissionReason, text: str) -> None:
        """Name a text that is left out."""
        if text.strip():
            place = f"slide {self.page}" if self.page else ""
            self.package.omissions.append(Omission.of(reason, place, text))

    def write_apart(self, apart: list["_Element"]) -> None:
        """Write what hangs on paragraphs: boxes and pictures, notes, comments."""
        for element in apart:
            name = short(element.tag)
            if name == "text:note":
                self._marked += 1
                self._block_of(BlockKind.PARAGRAPH, f"[^{self._marked}]: {self._inner(element, 'text:note-body')}")
            elif name == "office:annotation":
                self._block_of(BlockKind.QUOTATION, commented(element))
            else:
                self._block(element, name)

    def table(self, table: "_Element") -> None:
        """Write a table."""
        apart: list[_Element] = []
        rows = [[self._cell(cell, apart) for cell in _cells(row)] for row in rows_of(table)]
        self.builder.table(list(spread(rows)), self.page)
        self.write_apart(apart)

    def _block(self, element: "_Element", name: str) -> None:
        if name not in _PARAGRAPHS and (self.styles.is_hidden(element) or name in _SETTINGS):
            self.leave_out(OmissionReason.HIDDEN, text_of(element))
        elif name in _WRITERS:
            _WRITERS[name](self, element)
        elif name not in _UNSEEN:
            stands_for = any(short(child.tag) in _OBJECTS for child in element)
            for child in element:
                if not (stands_for and short(child.tag) == "draw:image"):  # the picture of an object stands for it
                    self._block(child, short(child.tag))

    def _list(self, element: "_Element") -> None:
        items = list(self._items(element, 0, element.get(tag("text:style-name"), "")))
        self.builder.marked_items(items, self.page)
        hanging, self._hanging = self._hanging, []
        self.write_apart(hanging)

    def _contents(self, element: "_Element") -> None:
        self.leave_out(OmissionReason.FURNITURE, text_of(element))

    def _paragraph(self, element: "_Element") -> None:
        apart: list[_Element] = []
        reading = self.styles.kind_of(element)
        text = self.words(element, apart)
        if self.styles.is_hidden(element):
            self.leave_out(OmissionReason.HIDDEN, text)
        elif short(element.tag) == "text:h" or reading.kind is ParagraphKind.HEADING:
            level = whole(element.get(tag("text:outline-level"))) or reading.level or 1
            self.title = self.title or (text if reading.main or level == 1 else "")
            self.builder.heading(text, level, self.page)
        elif reading.kind is ParagraphKind.CODE:
            self.builder.code_line(text)
        else:
            self._block_of(_KINDS.get(reading.kind, BlockKind.PARAGRAPH), text)
        self.write_apart(apart)

    def _block_of(self, kind: BlockKind, text: str) -> None:
        self.builder.block(kind, text, self.page)

    def _collect(self, element: "_Element", pieces: list[str], apart: list["_Element"]) -> None:
        pieces.append(element.text or "")
        for child in element:
            name = short(child.tag)
            if name in _APART:
                apart.append(child)
                notes = self._marked + sum(short(other.tag) == "text:note" for other in apart)
                pieces.append(f"[^{notes}]" if name == "text:note" else "")
            elif name == "text:s":
                pieces.append(" " * min(whole(child.get(tag("text:c")), 1), 80))
            elif name in _UNSEEN or (name == "text:span" and self.styles.is_hidden(child)):
                self.leave_out(OmissionReason.HIDDEN, child.get(tag("text:string-value")) or text_of(child))
            else:
                pieces.append(_CHARACTERS.get(name, ""))
                self._collect(child, pieces, apart)
            pieces.append(child.tail or "")

    def _inner(self, element: "_Element", name: str) -> str:
        body = element.find(tag(name))
        return "" if body is None else " ".join(self.words(child, []) for child in body)

    def _items(self, element: "_Element", depth: int, style: str) -> Iterator[tuple[str, str, int]]:
        """The items of a list and its nested lists: marker, text and depth."""
        number = 0
        for item in element:
            apart: list[_Element] = []
            text = " ".join(self.words(child, apart) for child in item if short(child.tag) != "text:list")
            self._hanging += apart
            number += bool(text)
            yield f"{number}." if (style, depth + 1) in self.styles.numbered else "-", text, depth
            for inner in item.iterchildren(tag("text:list")):
                yield from self._items(inner, depth + 1, style)

    def _cell(self, cell: "_Element", apart: list["_Element"]) -> Cell:
        paragraphs = (self.words(paragraph, apart) for paragraph in cell.iter(tag("text:p"), tag("text:h")))
        return Cell(" ".join(filter(None, paragraphs)), *spans(cell))

    def _slide(self, page: "_Element") -> None:
        self.page += 1
        titles = [frame for frame in page if frame.get(tag("presentation:class")) == "title"]
        title = " ".join(" ".join(map(text_of, titles)).split())
        self.title = self.title or title
        self.builder.heading(title or f"Slide {self.page}", 2, self.page)
        for child in page:
            if child not in titles:
                self._block(child, short(child.tag))

    def _picture(self, image: "_Element") -> None:
        frame = image.getparent()
        stated = (frame.findtext(tag(name)) for name in ("svg:desc", "svg:title")) if frame is not None else ()
        description = next(filter(None, stated), "")
        self.leave_out(OmissionReason.PICTURE, description or "picture")
        if data := self.package.read(posixpath.normpath(image.get(tag("xlink:href"), ""))):
            self.images.append(picture(data, description))

    def _object(self, element: "_Element") -> None:
        """Write a formula as its source, a chart as its title and table."""
        name = element.get(tag("xlink:href"), "")
        root = self.package.tree(posixpath.join(posixpath.normpath(name), "content.xml"))
        if root is None:
            self.leave_out(OmissionReason.OBJECT, name)
            return
        formula = root.find(".//{*}annotation")
        if formula is not None:
            self._block_of(BlockKind.PARAGRAPH, f"${formula.text or ''}$")
            return
        for title in root.iter("{*}title"):
            self._block_of(BlockKind.PARAGRAPH, text_of(title))
        for table in root.iter(tag("table:table")):
            self.table(table)


_WRITERS: Final[dict[str, Callable[[TextWriter, "_Element"], None]]] = {
    **dict.fromkeys(_PARAGRAPHS, TextWriter._paragraph),
    **dict.fromkeys(_OBJECTS, TextWriter._object),
    "draw:page": TextWriter._slide,
    "draw:image": TextWriter._picture,
    "text:list": TextWriter._list,
    "text:table-of-content": TextWriter._contents,
    "table:table": TextWriter.table,
    "presentation:notes": TextWriter.write,
}


def rows_of(table: "_Element") -> Iterator["_Element"]:
    """The rows of a table, those of a table within a cell excepted."""
    for child in table:
        name = short(child.tag)
        if name == "table:table-row":
            yield child
        elif name in _TABLE_PARTS:
            yield from rows_of(child)


def _cells(row: "_Element") -> Iterator["_Element"]:
    return (cell for cell in row if short(cell.tag) == "table:table-cell")


def spans(cell: "_Element") -> tuple[int, int]:
    """How many columns and rows a cell covers."""
    columns, rows = (cell.get(tag(f"table:number-{name}-spanned")) or "1" for name in ("columns", "rows"))
    return whole(columns, 1), whole(rows, 1)


def text_of(element: "_Element") -> str:
    """All text of an element, in which paragraphs are parted."""
    paragraphs = list(element.iter(tag("text:p"), tag("text:h")))
    return " ".join("".join(map(str, paragraph.itertext())) for paragraph in paragraphs or [element])


def commented(annotation: "_Element") -> str:
    """A comment as a quotation of its author."""
    moment = annotation.findtext(tag("dc:date")) or ""
    return comment(text_of(annotation), annotation.findtext(tag("dc:creator")), moment[:MINUTES])
