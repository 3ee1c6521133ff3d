"""Workbooks (xlsx): each sheet is a section with its tables, charts, comments and pictures. Reading blocks."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ingest.content import Content, parsing
from ingest.detection.charsets import clean
from ingest.documents import Omission, OmissionReason, ParsedDocument, ReadResult, SourceImage
from ingest.formats.archives import unpackable
from ingest.formats.office.cell_formats import CellFormats
from ingest.formats.office.drawings import pictures, words, write_graphics
from ingest.formats.office.packages import MINUTES, Package, comment, short, tag, value, whole
from ingest.formats.pictures import select_pictures
from ingest.formats.sheet_tables import SEARCHED, head_of, line_of, tables_of
from ingest.parts import PartsWriter
from ingest.reader import Format, Sample
from libs.contracts.structure import BlockKind
from libs.text.grids import WIDEST

if TYPE_CHECKING:
    from lxml.etree import _Element

MAIN: Final = "xl/workbook.xml"
_PLACE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7})")
WIDEST_SHEET: Final = 16_384
"""Columns of a sheet: Excel's limit."""
_TRUE: Final = ("1", "true")
_ON_BEHALF: Final = "tc="
"""Beginning of the author of a comment that only tells old programs of a thread."""


class WorkbookReader:
    """Reads xlsx."""

    format: Final = Format("xlsx", (".xlsx", ".xlsm"), binary=True)

    def detects(self, sample: Sample) -> bool:
        """Return whether the first bytes, or the names of the parts, show this format."""
        return MAIN in sample.parts

    def read(self, content: Content) -> Iterator[ReadResult]:
        """Yield a document, or several if there are too many rows for one. Formulas appear as their last values.

        Raises:
            BrokenContent: the workbook is damaged or too large.
        """
        with unpackable(content) as stream, parsing("xlsx"), zipfile.ZipFile(stream) as archive:
            package = Package(archive)
            properties = package.properties()
            document = content.document("", title=properties.title, date=properties.date, metadata=properties.metadata)
            book = _Book(package, PartsWriter(document, content.bounds.text_bytes, package.omissions))
            yield from book.read()
            images, _ = select_pictures(book.images, content.bounds)
            yield from book.writer.finish(images)


@dataclass(slots=True)
class _Grid:
    """The cells of a sheet: rows by their numbers, from 1, of columns from 0."""

    rows: dict[int, list[str]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)

    def merge(self, area: str) -> None:
        """Give a merged cell's text in each place that it covers, unless it is alone in its row: a title."""
        corners = [place for corner in area.split(":") if (place := _place(corner))]
        if len(corners) != 2:
            return
        (top, left), (bottom, right) = corners
        text = _at(self.rows.get(top, []), left)
        is_title = sum(bool(cell) for cell in self.rows.get(top, [])) < 2 and right > left
        end = min(right + 1, left + WIDEST)
        for row in self._rows(top, bottom) if text and not is_title else ():
            row += [""] * (end - len(row))
            row[left:end] = [text] * (end - left)

    def _rows(self, top: int, bottom: int) -> Iterator[list[str]]:
        """The rows from one number to another that there are."""
        if bottom - top < len(self.rows):
            yield from (self.rows[number] for number in range(top, bottom + 1) if number in self.rows)
        else:
            yield from (row for number, row in self.rows.items() if top <= number <= bottom)

    def visible(self) -> list[list[str]]:
        """The rows that are not hidden, a blank one in place of those that are missing."""
        rows: list[list[str]] = []
        last = 0
        for number, row in sorted(self.rows.items()):
            rows += [[]] if number > last + 1 and not self.hidden_rows.issuperset(range(last + 1, number)) else []
            last = number
            if number not in self.hidden_rows:
                rows.append([cell for column, cell in enumerate(row) if column not in self.hidden_columns])
        return rows

    def hidden(self) -> Iterator[str]:
        """The texts of the cells that are hidden."""
        for number, row in self.rows.items():
            for column, cell in enumerate(row):
                if cell and (number in self.hidden_rows or column in self.hidden_columns):
                    yield cell


class _Book:
    """Reads the sheets of a workbook."""

    def __init__(self, package: Package, writer: PartsWriter) -> None:
        self.writer = writer
        self.images: list[SourceImage] = []
        self._package = package
        self._main = package.main(MAIN)
        strings = self._related("sharedStrings")
        self._strings = [] if strings is None else [_text(item) for item in strings.iter(tag("s:si"))]
        starts_in_1904 = value(self._main, "s:workbookPr", "date1904") in _TRUE
        self._formats = CellFormats(self._related("styles"), starts_in_1904)

    def read(self) -> Iterator[ParsedDocument]:
        """Yield the parts that are full."""
        for sheet in self._main.iter(tag("s:sheet")):
            name, part = sheet.get("name", ""), self._package.target(MAIN, sheet.get(tag("r:id"), ""))
            grid = self._grid(part, name)
            if sheet.get("state") in ("hidden", "veryHidden"):
                self._leave_out(name, (cell for row in grid.rows.values() for cell in row))
                continue
            self._leave_out(name, grid.hidden())
            self.writer.section(name)
            for table in tables_of(grid.visible()):
                head = head_of(table[:SEARCHED])
                for row in table[:head]:
                    self.writer.paragraph(line_of(row))
                yield from self.writer.table(table[head:])
            self._write_others(part, name)

    def _related(self, kind: str) -> "_Element | None":
        return next((self._package.tree(name) for name in self._package.targets(MAIN, kind)), None)

    def _grid(self, part: str, name: str) -> _Grid:
        """The cells of a sheet; of a damaged one those before the damage."""
        grid = _Grid()
        try:
            for element in self._package.elements(part, "row", "col", "mergeCell"):
                self._add(grid, element, name)
        except SyntaxError:
            self._package.omissions.append(Omission(OmissionReason.DAMAGED, name))
        return grid

    def _add(self, grid: _Grid, element: "_Element", name: str) -> None:
        kind = short(element.tag)
        if kind == "s:row":
            number = whole(element.get("r")) or max(grid.rows, default=0) + 1
            grid.rows[number] = self._cells(element, name)
            grid.hidden_rows |= {number} if element.get("hidden") in _TRUE else set()
        elif kind == "s:mergeCell":
            grid.merge(element.get("ref", ""))
        elif element.get("hidden") in _TRUE:
            grid.hidden_columns |= set(
                range(whole(element.get("min"), 1) - 1, min(whole(element.get("max")), WIDEST_SHEET))
            )

    def _cells(self, row: "_Element", name: str) -> list[str]:
        cells: list[str] = []
        for cell in row:
            place = _place(cell.get("r", ""))
            cells += [""] * ((place[1] if place else 0) - len(cells))
            cells.append(self._shown(cell, name))
        return cells

    def _shown(self, cell: "_Element", name: str) -> str:
        kind = cell.get("t", "n")
        parts = {short(part.tag): part for part in cell}
        text = parts["s:v"].text or "" if "s:v" in parts else ""
        if kind == "inlineStr":
            return _text(parts["s:is"]) if "s:is" in parts else ""
        if kind == "s":
            return self._strings[int(text)] if text.isdecimal() and int(text) < len(self._strings) else ""
        if "s:f" in parts and not text:
            formula = Omission.of(OmissionReason.OBJECT, f"{name}, {cell.get('r', '')}", f"={parts['s:f'].text or ''}")
            self._package.omissions.append(formula)
        if kind == "b":
            return "TRUE" if text in _TRUE else "FALSE"
        return self._formats.shown(text, cell.get("s", "0")) if kind == "n" and text else clean(text)

    def _write_others(self, part: str, name: str) -> None:
        """Write the comments of a sheet, and the words and charts of its drawings."""
        for _, words_of_comment in sorted(self._comments(part)):
            self.writer.paragraph(words_of_comment, BlockKind.QUOTATION)
        for drawing in self._package.targets(part, "drawing"):
            root = self._package.tree(drawing)
            if root is not None:
                self.writer.section_head()
                for shape in root.iter("{*}sp"):
                    self.writer.paragraph(words(shape))
                write_graphics(self._package, drawing, root, self.writer.builder)
                self.images += pictures(self._package, drawing, root, name)

    def _comments(self, part: str) -> Iterator[tuple[tuple[int, int], str]]:
        """Places and words of comments: of threads, and of the old kind."""
        people = {
            person.get("id"): person.get("displayName", "")
            for kind in self._package.targets(MAIN, "person")
            for person in self._package.elements(kind, "person")
        }
        for thread in self._package.targets(part, "threadedComment"):
            for note in self._package.elements(thread, "threadedComment"):
                place, author, moment = note.get("ref", ""), people.get(note.get("personId")), note.get("dT", "")
                yield _place(place) or (0, 0), comment("".join(note.itertext()), place, author, moment[:MINUTES])
        for name in self._package.targets(part, "comments"):
            root = self._package.tree(name)
            authors = [] if root is None else [author.text or "" for author in root.iter(tag("s:author"))]
            for note in [] if root is None else root.iter(tag("s:comment")):
                place, number = note.get("ref", ""), whole(note.get("authorId"))
                author = authors[number] if number < len(authors) else ""
                if not author.startswith(_ON_BEHALF):
                    yield _place(place) or (0, 0), comment(_text(note), place, author)

    def _leave_out(self, name: str, cells: Iterable[str]) -> None:
        text = " ".join(filter(None, cells))
        if text:
            self._package.omissions.append(Omission.of(OmissionReason.HIDDEN, name, text))


def _text(item: "_Element") -> str:
    """The text of a cell, without the reading aids of East Asian words."""
    texts = (text for text in item.iter("{*}t") if short(text.getparent().tag) != "s:rPh")
    return clean("".join(text.text or "" for text in texts))


def _place(reference: str) -> tuple[int, int] | None:
    """The row, from 1, and the column, from 0, of a cell such as `B7`."""
    match = _PLACE.fullmatch(reference.replace("$", ""))
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(match[2]), column - 1


def _at(row: Sequence[str], column: int) -> str:
    return row[column] if column < len(row) else ""
