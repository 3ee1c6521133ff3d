"""The reading order of a PDF's page: line by line, unless a gutter parts it into columns of text. Pure.

Numbers without a source: by hand.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from ingest.formats.pdf.lines import COLUMN_GAP, MIN_SHIFT, PdfLine, joined, pieces_of, rows_of
from ingest.formats.pdf.pages import PdfPage
from ingest.formats.pdf.ruled_tables import find_ruled_tables

MIN_COLUMN_LINES: Final = 4
"""Lines that stand side by side before a gutter counts."""
MIN_COLUMN_WORDS: Final = 3
"""Words in the usual line of a column of text; the cells of a table have fewer."""


def page_lines(page: PdfPage) -> list[PdfLine]:
    """Return the lines of a page in reading order, and each ruled table as one line."""
    tables = find_ruled_tables(page)
    inside = {id(glyph) for table in tables for glyph in table.glyphs}
    pieces = pieces_of((glyph for glyph in page.glyphs if id(glyph) not in inside), page.number)
    return [joined(row) for row in _in_order([*pieces, *(table.line for table in tables)])]


def _in_order(pieces: Sequence[PdfLine]) -> Iterator[list[PdfLine]]:
    """Yield the pieces of each line; columns of text one after the other, parted by lines that cross the gutter."""
    rows = list(rows_of(pieces))
    gutter = _find_gutter(rows)
    if gutter is None:
        yield from rows
        return
    beside: list[PdfLine] = []
    for row in [*rows, []]:
        if row and not any(_crosses(piece, gutter) for piece in row):
            beside += row
            continue
        if beside:
            for side in sorted(_sides(beside, gutter), key=_is_sidebar):
                yield from _in_order(side)
            beside = []
        if row:
            yield row


def _is_sidebar(pieces: Sequence[PdfLine]) -> bool:
    """Whether pieces are notes beside the text, which comes before them."""
    return median([len(piece.text.split()) for piece in pieces] or [0]) < MIN_COLUMN_WORDS


def _crosses(piece: PdfLine, x: float) -> bool:
    return piece.left < x < piece.right


def _sides(pieces: Sequence[PdfLine], x: float) -> tuple[list[PdfLine], list[PdfLine]]:
    """What stands left of a gutter, and what stands right of it."""
    return [piece for piece in pieces if piece.right <= x], [piece for piece in pieces if piece.right > x]


def _find_gutter(rows: Sequence[Sequence[PdfLine]]) -> float | None:
    """Where most lines leave a gap between two columns of text; None if the page has one column."""
    gaps: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        for left, right in pairwise(row):
            if right.left - left.right > COLUMN_GAP * min(left.size, right.size):
                gaps[round(right.left)].append((left.right, right.left))
    for common in sorted(gaps.values(), key=len, reverse=True)[:3]:
        gutter = (max(end for end, _ in common) + min(start for _, start in common)) / 2
        crossing = [row for row in rows if any(_crosses(piece, gutter) for piece in row)]
        beside = [row for row in rows if row not in crossing and all(_sides(row, gutter))]
        if len(beside) >= max(MIN_COLUMN_LINES, len(crossing)) and _are_columns(beside, gutter):
            return gutter
    return None


def _are_columns(rows: Sequence[Sequence[PdfLine]], x: float) -> bool:
    """Whether the usual line on both sides is running text, or that on one, which stands apart from the other's."""
    sides = zip(*(_sides(row, x) for row in rows), strict=True)
    usual_words = [median(sum(len(piece.text.split()) for piece in part) for part in side) for side in sides]
    is_apart = median(abs(row[0].y - row[-1].y) / row[0].size for row in rows) > MIN_SHIFT
    return (max if is_apart else min)(usual_words) >= MIN_COLUMN_WORDS
