"""Rows of tables in words: each tells the names of its columns, so that it can be understood where it stands alone."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

ROW_MARK: Final = "- "
"""Makes each row a block of its own: no sentence crosses two rows."""


def row_in_words(header: Sequence[str], cells: Sequence[str]) -> str:
    """Such as "- Mission: Phoenix; Landed: 25 May 2008."; empty when all cells are. Cells without a name stand alone.

    The full stop says that the row is a whole sentence: it may be quoted.
    """
    named = (
        f"{name}: {cell}" if name else cell
        for name, cell in zip_longest(map(_line, header), map(_line, cells), fillvalue="")
        if cell
    )
    told = "; ".join(named)
    stop = "" if told.endswith((".", "!", "?")) else "."
    return f"{ROW_MARK}{told}{stop}" if told else ""


def rows_in_words(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table whose first row that is not empty names the columns; a table of one row only is told as it is."""
    filled = (row for row in rows if any(cell.strip() for cell in row))
    header = next(filled, ())
    alone = True
    for row in filled:
        alone = False
        yield row_in_words(header, row)
    if header and alone:
        yield row_in_words((), header)


def _line(cell: str) -> str:
    return " ".join(cell.split())
