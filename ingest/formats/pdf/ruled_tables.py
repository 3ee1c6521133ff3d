"""Tables that ruled lines divide into cells. A cell that spans others counts for each of them. Pure.

Numbers without a source: by hand.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ingest.formats.pdf.lines import PdfLine, joined, pieces_of, rows_of, usual_size
from ingest.formats.pdf.pages import TOUCHING, Box, Glyph, PdfPage, hull, words_of

MIN_LENGTH: Final = 5.0
"""Of a ruled line, in points."""
MAX_LINES: Final = 2000


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A table and what stands in it."""

    line: PdfLine
    glyphs: tuple[Glyph, ...]


def find_ruled_tables(page: PdfPage) -> list[RuledTable]:
    """Return the tables of at least two columns."""
    lines = [edge for edge in page.edges if page.box.encloses(edge) and _is_line(edge)]  # no edges of backgrounds
    grids = [_Grid(group) for group in _groups(lines[:MAX_LINES])]
    return [table for grid in grids if (table := grid.table(page)) is not None]


def _is_line(edge: Box) -> bool:
    thickness, length = sorted((edge.right - edge.left, edge.top - edge.bottom))
    return thickness <= TOUCHING and length >= MIN_LENGTH


def _groups(lines: Sequence[Box]) -> Iterator[list[Box]]:
    """Yield groups of lines that meet."""
    lefts, bottoms, rights, tops = np.array(lines).reshape(-1, 4).T
    rest = np.ones(len(lines), dtype=bool)
    while rest.any():
        group = [int(rest.argmax())]
        rest[group] = False
        for line in map(lines.__getitem__, group):  # grows
            meets_across = (lefts <= line.right + TOUCHING) & (rights >= line.left - TOUCHING)
            meets_upwards = (bottoms <= line.top + TOUCHING) & (tops >= line.bottom - TOUCHING)
            group += np.flatnonzero(rest & meets_across & meets_upwards).tolist()
            rest[group] = False
        yield [lines[place] for place in group]


class _Grid:
    """The cells between lines that meet; rows count from the bottom."""

    def __init__(self, lines: Sequence[Box]) -> None:
        self._box = box = hull(lines)
        level = [line for line in lines if line.right - line.left > line.top - line.bottom]
        upright = [line for line in lines if line.right - line.left <= line.top - line.bottom]
        self._xs = _positions([*(line.left for line in upright), box.left, box.right])
        self._ys = _positions([*(line.bottom for line in level), box.bottom, box.top])
        self._upright = _walls([(line.left, line.bottom, line.top) for line in upright], self._xs, self._ys)
        self._level = _walls([(line.bottom, line.left, line.right) for line in level], self._ys, self._xs)

    def table(self, page: PdfPage) -> RuledTable | None:
        """The table in the grid; None if there is none."""
        width, height = len(self._xs) - 1, len(self._ys) - 1
        if width < 2 or height < 1:
            return None
        owners = [[self._owner(row, column) for column in range(width)] for row in range(height)]
        cells: dict[tuple[int, int], list[Glyph]] = {}
        for word in words_of(glyph for glyph in page.glyphs if self._box.holds(glyph.box)):
            row, column = self._place(word[0].box)
            cells.setdefault(owners[row][column], []).extend(word)
        if len({column for _, column in cells}) < 2:
            return None
        texts = {owner: _text(cell, page.number) for owner, cell in cells.items()}
        glyphs = tuple(glyph for cell in cells.values() for glyph in cell)
        rows = tuple(_texts(row, texts) for row in reversed(owners))
        return RuledTable(self._line(page.number, rows, usual_size(glyphs)), glyphs)

    def _line(self, page: int, rows: tuple[tuple[str, ...], ...], size: float) -> PdfLine:
        text, span = " ".join(map(" ".join, rows)), (self._box.left, self._box.right)
        return PdfLine(page, (text,), (span,), self._box.top - size, size, rows=rows)

    def _place(self, box: Box) -> tuple[int, int]:
        """Row and column of a glyph."""
        column = bisect(self._xs, (box.left + box.right) / 2, 1, len(self._xs) - 1) - 1
        return bisect(self._ys, (box.bottom + box.top) / 2, 1, len(self._ys) - 1) - 1, column

    def _owner(self, row: int, column: int) -> tuple[int, int]:
        """The top left one of the cells that no line parts from this one."""
        while column > 0 and not self._upright[column, row]:
            column -= 1
        while row < len(self._ys) - 2 and not self._level[row + 1, column]:
            row += 1
        return row, column


def _walls(lines: Iterable[tuple[float, float, float]], ats: list[float], across: list[float]) -> NDArray[np.bool_]:
    """For each of some positions, which of the intervals across a line parts there.

    Args:
        lines: position, start and end of each.
        ats: the positions, distinct and in order.
        across: the ends of the intervals.
    """
    middles = (np.array(across[1:]) + across[:-1]) / 2
    walls = np.zeros((len(ats), len(middles)), dtype=bool)
    for at, start, end in lines:
        walls[np.abs(np.array(ats) - at).argmin()] |= (start <= middles) & (middles <= end)
    return walls


def _positions(values: Sequence[float]) -> list[float]:
    """Distinct positions in order."""
    positions: list[float] = []
    for value in sorted(values):
        if not positions or value - positions[-1] > TOUCHING:
            positions.append(value)
    return positions


def _text(glyphs: Sequence[Glyph], page: int) -> str:
    """The text of a cell, line by line."""
    return "\n".join(joined(row).text for row in rows_of(pieces_of(glyphs, page)))


def _texts(owners: Sequence[tuple[int, int]], texts: Mapping[tuple[int, int], str]) -> tuple[str, ...]:
    """The texts of a row; if it is one cell, only the first has it."""
    row = [texts.get(owner, "") for owner in owners]
    return tuple(row if len(set(owners)) > 1 else [row[0], *("" for _ in row[1:])])
