"""Reads the tables of a section: names of columns, and rows of cells with their places in passages. Pure functions.

A long table is several passages. A later passage repeats the header in a block of its own, without rows. A data set has
a passage for each row, which repeats the names of its columns: `- Host: db-01; Owner: Ines Albrecht.`
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from libs.contracts.evidence import Passage, WholeSection
from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind
from libs.documents.rendering import plain_words
from libs.text.tables import ROW_MARK

_BAR: Final = re.compile(r"\\.|\|")
_FIELD: Final = re.compile(r"(?P<name>[^:;\n]{1,80}): ")
"""A column name before its cell; the length bounds the search (taste)."""
_NEXT: Final = re.compile(r"; ")
MOST_COLUMNS: Final = 60  # of a table that is read (taste)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that is not empty, without markup, and its place in its passage."""

    text: str
    passage: Passage
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    """A row, and its place in its passage."""

    passage: Passage
    span: Span
    cells: Mapping[str, Cell]
    """By the name of the column."""

    def text(self, column: str) -> str:
        """Return the text of a cell; empty if there is none."""
        cell = self.cells.get(column)
        return cell.text if cell is not None else ""


@dataclass(frozen=True)
class Table:
    """A table of at least one row."""

    rows: Sequence[Row]
    kind: BlockKind
    header: tuple[Passage, Span] | None = None
    """Its header, and the passage that has it; None where each row has the names of the columns."""
    is_cut: bool = False
    """Whether it has further rows, which are not known."""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, in order."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.cells))

    @property
    def passage(self) -> Passage:
        """Its first passage, which has its title and headings."""
        return self.rows[0].passage


def tables_of(section: WholeSection) -> Iterator[Table]:
    """Yield the tables of a section that have named columns and rows."""
    open_tables = [_OpenTable(BlockKind.TABLE)]
    for passage in section.passages:
        for block in passage.blocks:
            open_tables += _further(open_tables[-1], passage, block)
    for table in open_tables:
        read = Table(table.rows, table.kind, table.header, section.is_cut) if table.rows else None
        if read is not None and 2 <= len(read.columns) <= MOST_COLUMNS:
            yield read


class _OpenTable:
    """A table whose rows are being read."""

    def __init__(self, kind: BlockKind, passage: Passage | None = None, header: Span | None = None) -> None:
        self.kind = kind
        self.header = (passage, header) if passage and header else None
        self.names = _names(passage, header) if passage and header else ()
        self.rows: list[Row] = []


def _further(table: _OpenTable, passage: Passage, block: Block) -> Sequence[_OpenTable]:
    """Add a block's rows to the table; return a new one that has them if it begins there."""
    if block.kind is BlockKind.RECORDS:
        begun = [] if table.kind is block.kind else [_OpenTable(block.kind)]
        _records((begun or [table])[0].rows, passage, block)
        return begun
    if block.kind is not BlockKind.TABLE or (block.header is not None and not block.parts):
        return ()
    begun = [_OpenTable(block.kind, passage, block.header)] if block.header is not None else []
    current = (begun or [table])[0]
    for part in block.parts if current.kind is block.kind and current.names else ():
        cells = zip(current.names, _cells(passage, part.span), strict=False)
        current.rows.append(Row(passage, part.span, {name: cell for name, cell in cells if cell.text}))
    return begun


def _records(rows: list[Row], passage: Passage, block: Block) -> None:
    """Add the rows of a data set; a further piece of a long row has further cells of the row before it."""
    for part in block.parts:
        cells = dict(_fields(passage, part.span))
        if rows and not part.span.of(passage.text).startswith(ROW_MARK):
            cells = {**rows[-1].cells, **cells}
            rows[-1] = replace(rows[-1], cells=cells)
        else:
            rows.append(Row(passage, part.span, cells))


def _fields(passage: Passage, span: Span) -> Iterator[tuple[str, Cell]]:
    """The names and cells of a row; what has no name belongs to the cell before it."""
    line = span.of(passage.text)
    begin = len(ROW_MARK) if line.startswith(ROW_MARK) else 0
    places = [begin, *(match.end() for match in _NEXT.finditer(line))]
    named = [match for place in places if (match := _FIELD.match(line, place))]
    end = len(line.removesuffix("."))
    for field, following in zip(named, [*named[1:], None], strict=False):
        last = following.start() - len("; ") if following is not None else end
        place = Span(span.start + field.end(), span.start + last)
        yield field["name"].strip(), Cell(plain_words(place.of(passage.text)), passage, place)


def _names(passage: Passage, header: Span) -> tuple[str, ...]:
    """The distinct names of the columns of a header; an empty or repeated one gets a number."""
    first = header.start + len(header.of(passage.text).partition("\n")[0])
    names: list[str] = []
    for position, cell in enumerate(_cells(passage, Span(header.start, first)), start=1):
        name = cell.text if cell.text and cell.text not in names else f"{cell.text} {position}"
        names.append(name.strip())
    return tuple(names)


def _cells(passage: Passage, span: Span) -> Iterator[Cell]:
    """The cells between the bars of a line; none if it has no bars."""
    line = span.of(passage.text)
    bars = [match.start() for match in _BAR.finditer(line) if match[0] == "|"]
    for start, end in zip((0, *(bar + 1 for bar in bars)), (*bars, len(line)), strict=True) if bars else ():
        text = line[start:end]
        if text.strip() or (start and end < len(line)):  # what is before the first and after the last bar is no cell
            begin = span.start + start + len(text) - len(text.lstrip())
            yield Cell(plain_words(text), passage, Span(begin, begin + len(text.strip())))
