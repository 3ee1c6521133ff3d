"""The structure of documents: sections under headings, and blocks, each with its position in a text."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import reduce

from libs.contracts.spans import Span


class BlockKind(StrEnum):
    """The type of a block."""

    PARAGRAPH = "PARAGRAPH"
    LIST = "LIST"
    TABLE = "TABLE"
    CODE = "CODE"
    QUOTATION = "QUOTATION"
    CAPTION = "CAPTION"
    DEFINITION = "DEFINITION"
    """Terms with their definitions."""
    RECORDS = "RECORDS"
    """Rows of a data set; each row repeats the column names and can be read without the others."""
    FURNITURE = "FURNITURE"
    """No content of its own: a table of contents, an index, a bibliography, navigation."""


@dataclass(frozen=True, slots=True)
class CellRange:
    """Cells of a sheet by their corners; columns and rows are from 1, and the name of the sheet is empty in CSV."""

    sheet: str
    left: int
    top: int
    right: int
    bottom: int

    def __str__(self) -> str:
        """As spreadsheets write them: `Prices!A5:D5`, `'Old prices'!A5`."""
        corners = (f"{_letters(self.left)}{self.top}", f"{_letters(self.right)}{self.bottom}")
        area = ":".join(dict.fromkeys(corners))
        sheet = self.sheet if self.sheet.isidentifier() else "'" + self.sheet.replace("'", "''") + "'"
        return f"{sheet}!{area}" if self.sheet else area

    def with_all_to(self, other: "CellRange") -> "CellRange":
        """The smallest range that holds both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        return CellRange(self.sheet, left, top, max(self.right, other.right), max(self.bottom, other.bottom))


@dataclass(frozen=True, slots=True)
class Part:
    """An item of a list, a row of a table, a term with its definition."""

    span: Span
    depth: int = 0
    """Nesting depth of a list item; its span ends where a deeper item begins."""
    row: int = 0
    """Number of its row in the sheet, from 1; 0 if it comes from none."""


@dataclass(frozen=True, slots=True)
class Block:
    """A coherent part of a document's text."""

    kind: BlockKind
    span: Span
    section: int = 0
    """Index of its section among the structure's sections."""
    parts: tuple[Part, ...] = ()
    """Its parts in order; empty if it has none."""
    header: Span | None = None
    """The header row of a table, which is not one of its parts."""
    page: int = 0
    """Page number from 1; 0 if the format has no pages."""
    cells: CellRange | None = None
    """The cells of the whole block; None if it comes from no sheet."""
    partial: bool = False
    """In a passage: whether further items or rows of it stand in the passages beside."""

    def shifted(self, by: int) -> "Block":
        """The block in a text with so many more code points before it."""
        parts = tuple(Part(part.span.shifted(by), part.depth, part.row) for part in self.parts)
        header = self.header.shifted(by) if self.header is not None else None
        return replace(self, span=self.span.shifted(by), parts=parts, header=header)


@dataclass(frozen=True, slots=True)
class Section:
    """The text under a heading, up to the next heading of the same or a higher level."""

    heading: str = ""
    """The heading as plain text; empty for the text before the first heading."""
    level: int = 0
    """1 is the highest; 0 is the document itself."""
    parent: int = -1
    """Index of the section that contains it; -1 for the document itself."""
    start: int = 0
    """Position of its heading in the text."""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Structure:
    """A document's sections and blocks, both in the order of the text. The first section is the document itself."""

    sections: tuple[Section, ...] = (Section(),)
    blocks: tuple[Block, ...] = field(default=())

    def headings(self, section: int) -> tuple[str, ...]:
        """The headings that lead to a section, the outermost first; its own is the last."""
        path: list[str] = []
        while section > 0:
            path.append(self.sections[section].heading)
            section = self.sections[section].parent
        return tuple(heading for heading in reversed(path) if heading)


def cells_at(blocks: Iterable[Block], span: Span) -> str:
    """The cells of the rows that a span of a text is in, such as `Prices!A5:D5`; empty if it comes from no sheet."""
    ranges = [_cells(block.cells, block, span) for block in blocks if block.cells and block.span.overlaps(span)]
    return str(reduce(CellRange.with_all_to, ranges)) if ranges else ""


def _cells(cells: CellRange, block: Block, span: Span) -> CellRange:
    rows = [part.row for part in block.parts if part.row and part.span.overlaps(span)]
    rows += [cells.top] if block.header is not None and block.header.overlaps(span) else []
    return replace(cells, top=min(rows), bottom=max(rows)) if rows else cells


def _letters(column: int) -> str:
    """The letters of a column from 1: A, …, Z, AA, …"""
    above, own = divmod(column - 1, 26)
    return (_letters(above) if above else "") + chr(ord("A") + own)
