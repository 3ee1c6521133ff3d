"""Reads the tables of a section: names of columns, and rows of cells with their places in passages. Pure functions.

A long table is several passages. A later passage repeats the header in a block of its own, without rows. A data set has
a passage for each row, which repeats the names of its columns: `- Host: db-01; Owner: Ines Albrecht.`
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from libs.contracts.evidence import Passage, WholeSection
from libs.contracts.spans import Span
from libs.contracts.structure import Block, BlockKind
from libs.documents.rendering import plain_words
from libs.text.tables import ROW_MARK

_BAR: Final = re.compile(r"\\.|\|")
_FIELD: Final = re.compile(r"(?:\A- |(?<=; )|\A)(?P<name>[^:;\n]{1,80}): ")
"""A column name, after the mark of a row or the cell before it; the length bounds the search (taste)."""
MOST_COLUMNS: Final = 60  # of a table that is read (taste)
MOSTLY: Final = 0.6  # of the cells of a column differ if they name rows: a customer may come twice (by hand)


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
    cells: Mapping[str, Cell] = field(default_factory=dict)
    """By the name of the column."""

    def text(self, column: str) -> str:
        """Return the text of a cell; empty if there is none."""
        cell = self.cells.get(column)
        return cell.text if cell is not None else ""


@dataclass(frozen=True)
class Table:
    """A table and its rows."""

    kind: BlockKind
    header: Row | None = None
    """Its header without cells; None where each row has the names of the columns."""
    is_cut: bool = False
    """Whether it has further rows, which are not known."""
    rows: list[Row] = field(default_factory=list)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns that have cells, in order."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.cells))

    @property
    def passage(self) -> Passage:
        """Its first passage, which has its title and headings."""
        return self.rows[0].passage

    def tells_apart(self, names: Sequence[str]) -> bool:
        """Whether no two rows have the same cells in these columns, and none is empty."""
        cells = [tuple(row.text(name) for name in names) for row in self.rows]
        return all(map(all, cells)) and len(set(cells)) == len(cells)

    def names_rows(self, column: str) -> bool:
        """Whether most cells of a column are of one row only; some may be empty."""
        cells = [cell for row in self.rows if (cell := row.text(column))]
        return len(set(cells)) > MOSTLY * len(cells)


def tables_of(section: WholeSection) -> Iterator[Table]:
    """Yield the tables of a section that have named columns and rows."""
    tables: list[Table] = []
    for passage in section.passages:
        for block in passage.blocks:
            is_begun = bool(tables) and tables[-1].kind is block.kind
            if block.kind is BlockKind.RECORDS:
                tables += [] if is_begun else [Table(block.kind, None, section.is_cut)]
                _add_records(tables[-1].rows, passage, block)
            elif block.kind is BlockKind.TABLE and block.parts and (block.header is not None or is_begun):
                header = Row(passage, block.header) if block.header is not None else None
                tables += [Table(block.kind, header, section.is_cut)] if header is not None else []
                _add_rows(tables[-1], passage, block)
    return (_filled(table) for table in tables if table.rows and 2 <= len(table.columns) <= MOST_COLUMNS)


def _filled(table: Table) -> Table:
    """The table with the cells of the first column that stand for rows below them, as merged cells do."""
    name = table.columns[0]
    rows: list[Row] = []
    for row in table.rows:
        above = rows[-1].cells.get(name) if rows else None
        is_below = above is not None and name not in row.cells
        rows.append(replace(row, cells={name: above, **row.cells}) if above and is_below else row)
    return replace(table, rows=rows)


def _add_rows(table: Table, passage: Passage, block: Block) -> None:
    names = _names(table.header) if table.header is not None else ()
    for part in block.parts:
        cells = zip(names, _cells(passage, part.span), strict=False)
        table.rows.append(Row(passage, part.span, {name: cell for name, cell in cells if cell.text}))


def _add_records(rows: list[Row], passage: Passage, block: Block) -> None:
    """Add the rows of a data set; a further piece of a long row has further cells of the row before it."""
    for part in block.parts:
        cells = dict(_fields(passage, part.span))
        if rows and not part.span.of(passage.text).startswith(ROW_MARK):
            rows[-1] = replace(rows[-1], cells={**rows[-1].cells, **cells})
        else:
            rows.append(Row(passage, part.span, cells))


def _fields(passage: Passage, span: Span) -> Iterator[tuple[str, Cell]]:
    """The names and cells of a row; what has no name belongs to the cell before it."""
    line = span.of(passage.text)
    fields = list(_FIELD.finditer(line))
    ends = [*(match.start() - len("; ") for match in fields[1:]), len(line.removesuffix("."))]
    for match, end in zip(fields, ends, strict=False):
        place = Span(span.start + match.end(), span.start + end)
        yield match["name"].strip(), Cell(plain_words(place.of(passage.text)), passage, place)


def _names(header: Row) -> tuple[str, ...]:
    """The distinct names of the columns of a header; an empty or repeated one gets a number."""
    line = header.span.of(header.passage.text).partition("\n")[0]
    names: list[str] = []
    for position, cell in enumerate(_cells(header.passage, Span(header.span.start, header.span.start + len(line)))):
        name = cell.text if cell.text and cell.text not in names else f"{cell.text} {position + 1}"
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
