"""The reading order of a PDF's page: lines, unless a gutter parts it into columns of text. Pure; numbers by hand."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from ingest.formats.pdf.fragments import COLUMN_GAP, SMALL, Fragment, is_level

MIN_COLUMN_LINES: Final = 4
"""Lines that stand side by side before a gutter counts."""
MIN_COLUMN_WORDS: Final = 3
"""Words in the usual line of a column of text; the cells of a table have fewer."""
MIN_SHIFT: Final = 0.05
"""Difference of heights beyond that of one line, relative to its size."""
ONLY_NUMBER: Final = re.compile(r"[\s\d,.*†‡¶–-]+\Z")
"""In small type the number of a line, or what points to a footnote."""


def in_order(fragments: Sequence[Fragment]) -> Iterator[list[Fragment]]:
    """Yield the fragments of each line; columns of text one after the other, parted by lines that cross the gutter."""
    rows = list(_rows(fragments))
    gutter = _find_gutter(rows)
    if gutter is None:
        yield from rows
        return
    beside: list[Fragment] = []
    for row in [*rows, []]:
        if row and not any(_crosses(fragment, gutter) for fragment in row):
            beside += row
            continue
        if beside:
            sides = [[part for part in beside if (part.box.right <= gutter) is side] for side in (True, False)]
            for side in sorted(sides, key=_is_sidebar):
                yield from in_order(side)
            beside = []
        if row:
            yield row


def _is_sidebar(fragments: Sequence[Fragment]) -> bool:
    """Whether fragments are notes beside the text, which comes before them."""
    return median([len(fragment.text.split()) for fragment in fragments] or [0]) < MIN_COLUMN_WORDS


def _crosses(fragment: Fragment, x: float) -> bool:
    return fragment.box.left < x < fragment.box.right


def _rows(fragments: Sequence[Fragment]) -> Iterator[list[Fragment]]:
    """Group fragments at about the same height, from the top down and from left to right."""
    row: list[Fragment] = []
    for fragment in sorted(fragments, key=lambda fragment: (-fragment.base, fragment.box.left)):
        largest = max(row, key=lambda other: other.size, default=fragment)
        is_same = is_level(largest.base - fragment.base, largest.size, fragment.size)
        if row and (not is_same or largest.table or fragment.table):
            yield _without_small_numbers(row)
            row = []
        row.append(fragment)
    if row:
        yield _without_small_numbers(row)


def _without_small_numbers(row: Sequence[Fragment]) -> list[Fragment]:
    """A row from left to right without line numbers and what points to footnotes; an index below the line is kept."""
    largest = max(row, key=lambda fragment: fragment.size)
    kept = [
        fragment
        for fragment in row
        if fragment.size >= SMALL * largest.size
        or fragment.base < largest.base - MIN_SHIFT * largest.size
        or not ONLY_NUMBER.match(fragment.text)
    ]
    return sorted(kept, key=lambda fragment: fragment.box.left)


def _find_gutter(rows: Sequence[Sequence[Fragment]]) -> float | None:
    """Where most lines leave a gap between two columns of text; None if the page has one column."""
    gaps: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        for left, right in pairwise(row):
            if right.box.left - left.box.right > COLUMN_GAP * min(left.size, right.size):
                gaps[round(right.box.left)].append((left.box.right, right.box.left))
    for common in sorted(gaps.values(), key=len, reverse=True)[:3]:
        gutter = (max(end for end, _ in common) + min(start for _, start in common)) / 2
        beside = [row for row in rows if _is_parted(row, gutter)]
        crossing = sum(any(_crosses(fragment, gutter) for fragment in row) for row in rows)
        if len(beside) >= max(MIN_COLUMN_LINES, crossing) and _are_columns(beside, gutter):
            return gutter
    return None


def _is_parted(row: Sequence[Fragment], x: float) -> bool:
    sides = {fragment.box.right <= x for fragment in row}
    return sides == {True, False} and not any(_crosses(fragment, x) for fragment in row)


def _are_columns(rows: Sequence[Sequence[Fragment]], x: float) -> bool:
    """Whether the usual line on both sides is running text, or that on one, which stands apart from the other's."""
    usual_words = (median(_words(row, x, is_left=side) for row in rows) for side in (True, False))
    is_apart = median(abs(row[0].base - row[-1].base) / row[0].size for row in rows) > MIN_SHIFT
    return (max if is_apart else min)(usual_words) >= MIN_COLUMN_WORDS


def _words(row: Sequence[Fragment], x: float, *, is_left: bool) -> int:
    return sum(len(part.text.split()) for part in row if (part.box.right <= x) is is_left)
