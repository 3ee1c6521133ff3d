"""The rows and cells of a Word table, with the columns in which they stand. Pure."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from ingest.formats.office.packages import short, value, whole

if TYPE_CHECKING:
    from lxml.etree import _Element

Row = list[tuple[int, int, "_Element"]]
"""Cells, each with its first column and its width."""


def inside(element: "_Element", *names: str) -> Iterator["_Element"]:
    """The nearest descendants of these names, also within content controls and insertions."""
    for child in element:
        name = short(child.tag)
        if name in names:
            yield child
        elif name not in ("w:del", "w:p", "w:tbl"):
            yield from inside(child, *names)


def placed(row: "_Element") -> Row:
    """The cells of a row with their columns and widths."""
    column = whole(value(row, "w:trPr/w:gridBefore"))
    cells = []
    for cell in inside(row, "w:tc"):
        width = whole(value(cell, "w:tcPr/w:gridSpan"), 1)
        cells.append((column, width, cell))
        column += width
    return cells


def rows_merged(rows: Sequence[Row], column: int) -> int:
    """How many rows have a cell in a column that continues the one above."""

    def goes_on(row: Row) -> bool:
        cell = next((cell for start, width, cell in row if start <= column < start + width), None)
        return value(cell, "w:tcPr/w:vMerge") == ""

    return sum(1 for _ in takewhile(goes_on, rows))
