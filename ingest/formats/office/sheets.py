"""Workbooks (xlsx): each sheet is a section with its tables, charts, comments and pictures. Reading blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ingest.content import Content
from ingest.detection.charsets import clean
from ingest.documents import Omission, OmissionReason, ReadResult
from ingest.formats.office.cell_formats import CellFormats
from ingest.formats.office.draft import Draft, opened_package
from ingest.formats.office.drawings import comments, pictures, words, write_graphics
from ingest.formats.office.packages import Element, short, tag, value, whole
from ingest.formats.sheet_tables import NumberedRow, write_sheet
from libs.contracts.structure import BlockKind
from libs.documents.building import DocumentBuilder
from libs.documents.remains import Said, texts_of
from libs.text.grids import WIDEST

MAIN: Final = "xl/workbook.xml"
_PLACE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_SAYING: Final = ("dataValidation", "hyperlink", "headerFooter")
"""Elements of a sheet that say something beside its cells."""
WIDEST_SHEET: Final = 16_384
"""Columns of a sheet: Excel's limit."""
_TRUE: Final = ("1", "true")


def read(content: Content) -> Iterator[ReadResult]:
    """Yield one document."""
    with opened_package(content, "xlsx") as package:
        draft = Draft(package)
        _Book(draft).read()
        yield draft.document(content)


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
        first = self.rows.get(top, [])
        text = first[left] if left < len(first) else ""
        is_title = sum(map(bool, first)) < 2 and right > left
        end = min(right + 1, left + WIDEST)
        for number in range(top, min(bottom, top + WIDEST) + 1) if text and not is_title else ():
            row = self.rows.get(number)
            if row is not None:
                row += [""] * (end - len(row))
                row[left:end] = [text] * (end - left)

    def parted(self) -> tuple[list[NumberedRow], list[str]]:
        """The rows that are shown, a blank one in place of those that are missing; and the cells that are hidden."""
        shown, hidden, last = list[NumberedRow](), list[str](), 0
        for number, row in sorted(self.rows.items()):
            shown += [(0, [])] if number > last + 1 else []
            last = number
            seen = [number not in self.hidden_rows and column not in self.hidden_columns for column in range(len(row))]
            hidden += (cell for cell, is_seen in zip(row, seen, strict=True) if cell and not is_seen)
            if number not in self.hidden_rows:
                shown.append((number, [cell if is_seen else "" for cell, is_seen in zip(row, seen, strict=True)]))
        return shown, hidden


class _Book:
    """Reads the sheets of a workbook."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._package = package = draft.package
        self._main = package.main(MAIN)
        strings = package.related(MAIN, "sharedStrings")
        self._strings = [_text(item) for root in strings for item in root.iter(tag("s:si"))]
        starts_in_1904 = value(self._main, "s:workbookPr", "date1904") in _TRUE
        self._formats = CellFormats(package.first(MAIN, "styles"), starts_in_1904)

    def read(self) -> None:
        """Read all sheets. Formulas appear as their last values."""
        for sheet in self._main.iter(tag("s:sheet")):
            self._package.place, part = sheet.get("name", ""), self._package.target(MAIN, sheet.get(tag("r:id"), ""))
            grid = self._grid(part)
            is_hidden = sheet.get("state") in ("hidden", "veryHidden")
            if is_hidden:
                grid.hidden_rows.update(grid.rows)
            rows, hidden = grid.parted()
            self._package.leave_out(OmissionReason.HIDDEN, " ".join(hidden))
            if not is_hidden:
                self._draft.builder.section(self._package.place)
                self._package.omissions += write_sheet(self._package.place, rows, self._draft.builder)
                self._write_others(part, self._draft.builder)

    def _grid(self, part: str) -> _Grid:
        """The cells of a sheet; of a damaged one those before the damage."""
        grid = _Grid()
        try:
            for element in self._package.elements(part, "row", "col", "mergeCell", *_SAYING):
                self._add(grid, element)
        except SyntaxError:
            self._package.omissions.append(Omission(OmissionReason.DAMAGED, self._package.place))
        return grid

    def _add(self, grid: _Grid, element: Element) -> None:
        kind = short(element.tag)
        if kind == "s:row":
            number = whole(element.get("r")) or next(reversed(grid.rows), 0) + 1
            grid.rows[number] = self._cells(element)
            grid.hidden_rows |= {number} if element.get("hidden") in _TRUE else set()
        elif kind == "s:mergeCell":
            grid.merge(element.get("ref", ""))
        elif kind.removeprefix("s:") in _SAYING:
            for text in filter(Said(()).lacks, texts_of(element)):
                self._package.leave_out(OmissionReason.HIDDEN, text)
        elif element.get("hidden") in _TRUE:
            grid.hidden_columns |= set(
                range(whole(element.get("min"), 1) - 1, min(whole(element.get("max")), WIDEST_SHEET))
            )

    def _cells(self, row: Element) -> list[str]:
        cells: list[str] = []
        for cell in row:
            place = _place(cell.get("r", ""))
            cells += [""] * ((place[1] if place else 0) - len(cells))
            cells.append(self._shown(cell))
        return cells

    def _shown(self, cell: Element) -> str:
        kind = cell.get("t", "n")
        parts = {short(part.tag): part for part in cell}
        text = parts["s:v"].text or "" if "s:v" in parts else ""
        if kind == "inlineStr":
            return _text(parts["s:is"]) if "s:is" in parts else ""
        if kind == "s":
            return self._strings[int(text)] if text.isdecimal() and int(text) < len(self._strings) else ""
        if "s:f" in parts and not text:
            place, formula = f"{self._package.place}, {cell.get('r', '')}", f"={parts['s:f'].text or ''}"
            self._package.omissions.append(Omission.of(OmissionReason.OBJECT, place, formula))
        if kind == "b":
            return "TRUE" if text in _TRUE else "FALSE"
        return self._formats.shown(text, cell.get("s", "0")) if kind == "n" and text else clean(text)

    def _write_others(self, part: str, builder: DocumentBuilder) -> None:
        """Write the comments of a sheet, and the words and charts of its drawings."""
        for quotation in comments(self._package, MAIN, part):
            builder.block(BlockKind.QUOTATION, quotation)
        for drawing in self._package.targets(part, "drawing"):
            root = self._package.tree(drawing)
            for shape in root.iter("{*}sp"):
                builder.paragraph(words(shape))
            write_graphics(self._package, drawing, root, builder)
            self._draft.images += pictures(self._package, drawing, root)


def _text(item: Element) -> str:
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
