"""Converts table rows to sentences that repeat the column names, so that each row is understood alone. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

ROW_MARK: Final = "- "
"""A list mark that makes each row a separate block, so that no sentence crosses two rows."""


def row_in_words(header: Sequence[str], cells: Sequence[str]) -> str:
    """A row such as "- Mission: Phoenix; Landed: 25 May 2008."; empty if all cells are empty.

    Cells without a column name are given alone. The full stop makes the row a complete sentence, which can be quoted.
    """
    fields = (
        f"{name}: {cell}" if name else cell
        for name, cell in zip_longest(map(_line, header), map(_line, cells), fillvalue="")
        if cell
    )
    words = "; ".join(fields)
    stop = "" if words.endswith((".", "!", "?")) else "."
    return f"{ROW_MARK}{words}{stop}" if words else ""


def rows_in_words(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The rows of a table whose first non-empty row is the header; a single row is given without column names."""
    filled_rows = (row for row in rows if any(cell.strip() for cell in row))
    header = next(filled_rows, ())
    alone = True
    for row in filled_rows:
        alone = False
        yield row_in_words(header, row)
    if header and alone:
        yield row_in_words((), header)


def _line(cell: str) -> str:
    return " ".join(cell.split())
