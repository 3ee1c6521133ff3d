"""The tables of a sheet: where each begins and ends, the lines above it that are no rows of it, its rows in words.

Pure.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Final

from ingest.documents import Omission, OmissionReason
from libs.documents.building import DocumentBuilder
from libs.text.tables import rows_in_words

SEARCHED: Final = 50
"""Rows in which the head of a table is searched (taste)."""
SMALL_TABLE: Final = 6000
"""Characters of a table that is shown whole, about eight passages (taste).

Of docsqa's questions on data sets, three hits held the facts of .9 with 3,000, with 6,000 and with every row alone, and
of .8 with all as tables.
"""
Row = Sequence[str]
NumberedRow = tuple[int, Row]
"""A row with its number in its sheet, from 1; 0 for a blank one."""


def write_sheet(sheet: str, rows: Iterable[NumberedRow], builder: DocumentBuilder) -> Iterator[Omission]:
    """Write the tables of a sheet, and the lines above each; yield what is left out."""
    for columns, table in tables_of(rows):
        head = head_of([row for _, row in table[:SEARCHED]])
        yield from write_located(sheet, columns, table[:head], table[head:], builder)


def write_located(
    sheet: str, columns: Sequence[int], above: Sequence[NumberedRow], table: Sequence[NumberedRow], to: DocumentBuilder
) -> Iterator[Omission]:
    """Write lines and the table below them with their places in a sheet; `columns` are in ascending order, from 1."""
    for number, row in above:
        to.paragraph(line_of(row))
        to.locate(sheet, columns, [number])
    yield from write_table([row for _, row in table], to)
    if any(row for _, row in table):
        to.locate(sheet, columns, [number for number, _ in table])


def write_table(rows: Sequence[Row], builder: DocumentBuilder) -> Iterator[Omission]:
    """Write a table without blank rows, of which the first is the head; yield the names of columns without cells.

    A small one is shown whole; of a larger one each row repeats the names of the columns, so that it is understood
    alone.
    """
    if len(rows) == 1 and len(rows[0]) == 1:
        builder.paragraph(rows[0][0])
    elif 2 < len(rows) < SMALL_TABLE and sum(len(" | ".join(row)) + 1 for row in rows) <= SMALL_TABLE:
        builder.table(rows)
    else:
        builder.records(rows_in_words(rows))
        used = {column for row in rows[1:] for column, cell in enumerate(row) if cell}
        unused = (name for column, name in enumerate(chain(*rows[:1])) if len(rows) > 1 and column not in used)
        yield from (Omission.of(OmissionReason.FURNITURE, "", name) for name in unused if name)


def head_of(rows: Sequence[Row]) -> int:
    """How many rows stand above the head of a table, of its first rows without blank ones; all if it is no table.

    The head is the first row that is as full as most rows; the row above that one if it has names and the full row has
    numbers.
    """
    widths = Counter(map(filled, rows))
    usual = max(widths, key=lambda width: (widths[width] * (width > 1), width), default=0)
    if usual < 2:
        columns = {column for row in rows for column, cell in enumerate(row) if cell.strip()}
        return len(rows) if len(columns) > 1 else 0
    head = next(at for at, row in enumerate(rows) if filled(row) >= usual)
    if head and filled(rows[head - 1]) >= max(2, usual - 1) and not _is_head(rows[head]) and _is_head(rows[head - 1]):
        head -= 1
    return head


def line_of(row: Row) -> str:
    """The cells of a row as a line."""
    return " ".join(filter(None, map(str.strip, row)))


def tables_of(rows: Iterable[NumberedRow]) -> Iterator[tuple[list[int], list[NumberedRow]]]:
    """The tables of a sheet, which blank rows part, each with its columns from 1.

    Rows after a blank row go on with the table above if they have numbers and no more columns than it.
    """
    tables: list[tuple[set[int], list[NumberedRow]]] = []
    for is_filled, band in groupby(rows, key=lambda row: filled(row[1]) > 0):
        if not is_filled:
            continue
        table = list(band)
        columns = {column for _, row in table for column, cell in enumerate(row, start=1) if cell.strip()}
        if tables and columns <= tables[-1][0] and not _is_head(table[0][1]) and len(columns) > 1:
            tables[-1][1].extend(table)
        else:
            tables.append((columns, table))
    for found, table in tables:
        own = sorted(found)
        yield own, [(number, [row[at - 1] if at <= len(row) else "" for at in own]) for number, row in table]


def filled(row: Row) -> int:
    """The number of cells that are not blank."""
    return sum(bool(cell.strip()) for cell in row)


def _is_head(row: Row) -> bool:
    """Whether a row has names alone; years are names of columns, too."""
    return not any(cell.strip()[:1] in "-+.0123456789" and not _is_year(cell) for cell in row if cell.strip())


def _is_year(cell: str) -> bool:
    return len(cell.strip()) == 4 and cell.strip().isdecimal() and cell.strip()[:2] in ("19", "20")
