"""Tables that ruled lines divide into cells. A cell that spans others counts for each of them. Pure.

Numbers without a source: by hand.
"""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ingest.formats.pdf.pages import Box, Glyph, PdfPage, hull, text_of

TOLERANCE: Final = 2.5
"""Points between lines that meet, and the width of a line."""
MIN_LENGTH: Final = 5.0
"""Of a ruled line, in points."""
MIN_FILLED: Final = 0.5
"""Share of the cells of a table that have text; a drawing has fewer."""
MAX_LINES: Final = 1000


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A table with its place."""

    box: Box
    rows: tuple[tuple[str, ...], ...]
    glyphs: tuple[Glyph, ...]
    """In the order of the cells."""


def find_ruled_tables(page: PdfPage) -> list[RuledTable]:
    """Return the tables of at least two columns."""
    edges = [edge for edge in page.edges if page.box.encloses(edge)]  # not those of backgrounds
    lines = _merged([edge for edge in edges if edge.top - edge.bottom <= TOLERANCE], is_level=True)
    lines += _merged([edge for edge in edges if edge.right - edge.left <= TOLERANCE], is_level=False)
    grids = [_Grid(group) for group in _groups(lines[:MAX_LINES])]
    return [table for grid in grids if (table := grid.table(page.glyphs)) is not None]


def _merged(edges: Sequence[Box], *, is_level: bool) -> list[Box]:
    """Merge the pieces of each line; only lines of a minimum length are kept."""
    key: Callable[[Box], tuple[float, ...]] = (
        (lambda edge: (round(edge.bottom), edge.left)) if is_level else (lambda edge: (round(edge.left), edge.bottom))
    )
    merged: list[Box] = []
    for edge in sorted(edges, key=key):
        if merged and _meet(merged[-1], edge):
            merged[-1] = hull([merged[-1], edge])
        else:
            merged.append(edge)
    return [line for line in merged if max(line.right - line.left, line.top - line.bottom) >= MIN_LENGTH]


def _meet(first: Box, second: Box) -> bool:
    return (
        first.left <= second.right + TOLERANCE
        and second.left <= first.right + TOLERANCE
        and first.bottom <= second.top + TOLERANCE
        and second.bottom <= first.top + TOLERANCE
    )


def _groups(lines: Sequence[Box]) -> Iterator[list[Box]]:
    """Yield groups of lines that meet."""
    rest = list(lines)
    while rest:
        group = [rest.pop()]
        for line in group:  # grows
            met = [other for other in rest if _meet(line, other)]
            group += met
            rest = [other for other in rest if other not in met]
        yield group


def _words(glyphs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    """Yield words, which stand in the cell in which they begin, even if they are too long for it."""
    word: list[Glyph] = []
    for glyph in glyphs:
        if word and (glyph.text[0].isspace() or glyph.box.left - word[-1].box.right > TOLERANCE):
            yield word
            word = []
        word.append(glyph)
    if word:
        yield word


class _Grid:
    """The cells between lines that meet."""

    def __init__(self, lines: Sequence[Box]) -> None:
        self._level = [line for line in lines if line.right - line.left > line.top - line.bottom]
        self._upright = [line for line in lines if line.right - line.left <= line.top - line.bottom]
        self._box = hull(lines)
        self._xs = _positions([*(line.left for line in self._upright), self._box.left, self._box.right])
        self._ys = _positions([*(line.bottom for line in self._level), self._box.bottom, self._box.top])

    def table(self, glyphs: Sequence[Glyph]) -> RuledTable | None:
        """The table in the grid; None if there is none."""
        width, height = len(self._xs) - 1, len(self._ys) - 1
        if width < 2 or height < 1:
            return None
        owners = {(row, column): self._owner(row, column) for row in range(height) for column in range(width)}
        cells: dict[tuple[int, int], list[Glyph]] = {}
        for word in _words([glyph for glyph in glyphs if self._box.holds(glyph.box)]):
            cells.setdefault(owners[self._place(word[0].box)], []).extend(word)
        if len(cells) < MIN_FILLED * len(set(owners.values())) or len({column for _, column in cells}) < 2:
            return None
        texts = {owner: text_of(cell) for owner, cell in cells.items()}
        rows = [[owners[row, column] for column in range(width)] for row in reversed(range(height))]
        ordered = [glyph for key in sorted(cells, key=lambda key: (-key[0], key[1])) for glyph in cells[key]]
        return RuledTable(self._box, tuple(_texts(row, texts) for row in rows), tuple(ordered))

    def _place(self, box: Box) -> tuple[int, int]:
        """Row, from the bottom, and column of a glyph."""
        column = bisect(self._xs, (box.left + box.right) / 2, 1, len(self._xs) - 1) - 1
        return bisect(self._ys, (box.bottom + box.top) / 2, 1, len(self._ys) - 1) - 1, column

    def _owner(self, row: int, column: int) -> tuple[int, int]:
        """The top left one of the cells that no line parts from this one."""
        x, y = (self._xs[column] + self._xs[column + 1]) / 2, (self._ys[row] + self._ys[row + 1]) / 2
        while column > 0 and not any(
            _is_at(line.left, self._xs[column], line.bottom, y, line.top) for line in self._upright
        ):
            column -= 1
        while row < len(self._ys) - 2 and not any(
            _is_at(line.bottom, self._ys[row + 1], line.left, x, line.right) for line in self._level
        ):
            row += 1
        return row, column


def _is_at(position: float, wanted: float, start: float, middle: float, end: float) -> bool:
    return abs(position - wanted) <= TOLERANCE and start <= middle <= end


def _positions(values: Sequence[float]) -> list[float]:
    """Distinct positions in order."""
    positions: list[float] = []
    for value in sorted(values):
        if not positions or value - positions[-1] > TOLERANCE:
            positions.append(value)
    return positions


def _texts(owners: Sequence[tuple[int, int]], texts: Mapping[tuple[int, int], str]) -> tuple[str, ...]:
    """The texts of a row; if it is one cell, only the first has it."""
    row = [texts.get(owner, "") for owner in owners]
    return tuple(row if len(set(owners)) > 1 else [row[0], *("" for _ in row[1:])])
