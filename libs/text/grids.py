"""Tables whose cells span rows or columns, as rows of equal cells. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

WIDEST: Final = 1000
"""Columns of a cell and of a row; HTML's own limit of a span."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, and how many columns and rows it covers."""

    text: str
    columns: int = 1
    rows: int = 1


def spread(rows: Iterable[Sequence[Cell]]) -> Iterator[list[str]]:
    """The rows with the text of each cell in every column and row that it covers, so that all stand under their heads.

    A cell that is alone in its row is a label of the rows below and is given once.
    """
    covered: dict[int, tuple[int, str]] = {}
    """Columns that cells of the rows above cover: for how many rows, and with what text."""
    for row in rows:
        texts: list[str] = []
        label = len(row) == 1 and not covered
        for cell in row:
            texts += _from_above(covered, len(texts))
            start = len(texts)
            texts += [cell.text, *([""] if label else [cell.text]) * (min(cell.columns, WIDEST) - 1)]
            if cell.rows > 1:
                covered |= dict.fromkeys(range(start, len(texts)), (cell.rows, cell.text))
        texts += _from_above(covered, len(texts))
        covered = {column: (left - 1, text) for column, (left, text) in covered.items() if left > 1}
        yield texts[:WIDEST]


def _from_above(covered: dict[int, tuple[int, str]], column: int) -> Iterator[str]:
    """The texts of the cells above that cover this column and those right after it."""
    while column in covered:
        yield covered[column][1]
        column += 1
