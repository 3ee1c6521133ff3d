"""Converts the tables of AsciiDoc to HTML. Pure; the marks of cells are those of the language."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

MOST: Final = 1000
"""Times that a cell is repeated at most (taste)."""
_CELL: Final = re.compile(
    r"(?:^|(?<=\s))(?:(?P<columns>\d{1,4})?(?:\.(?P<rows>\d{1,4}))?(?P<repeat>[+*]))?(?:[<^>]?(?:\.[<^>])?)(?P<style>[adehlmsv]?)\|"
)


def table_of(lines: Sequence[str], attributes: str, inline: Callable[[str], str]) -> str:
    """The table between two marks, in rows of as many cells as the attributes say, else as stand in the first line."""
    cells = list(_cells("\n".join(lines), inline))
    if not cells:
        return f"<p>{inline(' '.join(lines))}</p>"
    first = next((line for line in lines if line.strip()), "")
    stated = re.search(r'cols="?([^"\]]+)"?', attributes)
    width = _columns(stated[1]) if stated else sum(1 for _ in _CELL.finditer(first))
    starts = range(0, len(cells), max(1, width))
    rows = (f"<tr>{''.join(cells[start : start + max(1, width)])}</tr>" for start in starts)
    return f"<table>{''.join(rows)}</table>"


def _cells(text: str, inline: Callable[[str], str]) -> Iterator[str]:
    marks = list(_CELL.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=False):
        words = inline(text[mark.end() : end].strip())
        times = int(mark["columns"] or 1)
        span = f' colspan="{times}" rowspan="{mark["rows"] or 1}"' if mark["repeat"] == "+" else ""
        tag = "th" if mark["style"] == "h" else "td"
        yield from [f"<{tag}{span}>{words}</{tag}>"] * (min(times, MOST) if mark["repeat"] == "*" else 1)


def _columns(stated: str) -> int:
    """The number of columns that `1,2*,3` states."""
    counts = (re.match(r"(\d{1,3})\*", column.strip()) for column in stated.split(","))
    return sum(int(count[1]) if count else 1 for count in counts)
