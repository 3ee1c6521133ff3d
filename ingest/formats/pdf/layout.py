"""The lines of a PDF's pages in reading order, with their size and position.

Glyphs that follow each other at one height are a fragment, fragments at one height a line, unless a gutter parts the
page into columns of text. Numbers that name no source are chosen by hand. CPU work alone.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final

from ingest.formats.pdf.pages import Box, Glyph, PdfPage, hull, text_of
from ingest.formats.pdf.ruled_tables import RuledTable, find_ruled_tables

SMALL: Final = 0.75
"""Relative to a line's size: a smaller number is a line number or points to a footnote."""
WORD_GAP: Final = 0.2
"""Distance between words that the file writes apart, relative to their size."""
COLUMN_GAP: Final = 1.0
"""Distance between cells or columns, relative to their size."""
MIN_COLUMN_LINES: Final = 4
"""Lines that stand side by side before a gutter counts."""
MIN_COLUMN_WORDS: Final = 3
"""Words in the usual line of a column of text; the cells of a table have fewer."""
MIN_SHIFT: Final = 0.05
"""Difference of heights beyond that of one line, relative to its size."""
MARK: Final = re.compile(r"[•◦▪‣■●○□☐☑✓✔➢➤*\-–\ue000-\uf8ff]|\(?(?:\d{1,2}|[a-zA-Z])[.)]")
"""What begins the item of a list; programs that write for offices take characters of private fonts."""
_CLOSING: Final = ",.;:)"
"""Never after a blank where what stood before them was left out."""
ONLY_NUMBER: Final = re.compile(r"[\s\d,.*†‡¶–-]+\Z")


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of a page, or a whole table."""

    cells: tuple[str, ...]
    """The text of each of its columns; usually there is one."""
    page: int
    """From 1."""
    x: float
    y: float
    """Upwards, in points."""
    size: float
    """The size of most of its characters, in points."""
    bold: bool = False
    """Whether all of its text is bold; `monospaced` likewise."""
    monospaced: bool = False
    spans: tuple[tuple[float, float], ...] = ()
    """Left and right end of each cell."""
    glyphs: tuple[Glyph, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """The rows of a table."""

    @property
    def text(self) -> str:
        """Its text."""
        return " ".join(self.cells)


@dataclass(frozen=True, slots=True)
class Fragment:
    """Glyphs of one line that follow each other, or a ruled table."""

    glyphs: tuple[Glyph, ...]
    box: Box
    base: float
    size: float
    table: RuledTable | None = None

    @property
    def text(self) -> str:
        """Its text."""
        return "".join(glyph.text for glyph in self.glyphs).strip()


def page_lines(page: PdfPage) -> list[PdfLine]:
    """Return the lines of a page in reading order."""
    tables = find_ruled_tables(page)
    inside = {id(glyph) for table in tables for glyph in table.glyphs}
    fragments = list(_fragments(glyph for glyph in page.glyphs if id(glyph) not in inside))
    fragments += [_table_fragment(table) for table in tables]
    return [_line(row, page.number) for row in _in_order(fragments)]


def body_size(lines: Sequence[PdfLine]) -> float:
    """The size of most characters, rounded to a tenth of a point."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[round(line.size, 1)] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0


def _table_fragment(table: RuledTable) -> Fragment:
    size = usual_size(table.glyphs)
    return Fragment(table.glyphs, table.box, table.box.top - size, size, table)


def usual_size(glyphs: Sequence[Glyph]) -> float:
    """The size of most glyphs."""
    counts = Counter(round(glyph.style.size, 1) for glyph in glyphs)
    return max(counts, key=lambda size: (counts[size], size), default=0.0)


def _fragments(glyphs: Iterable[Glyph]) -> Iterator[Fragment]:
    chain: list[Glyph] = []
    for glyph in glyphs:
        if chain and not _continues(chain, glyph):
            yield _fragment(chain)
            chain = []
        chain.append(glyph)
    if chain:
        yield _fragment(chain)


def _fragment(chain: Sequence[Glyph]) -> Fragment:
    size = usual_size(chain)
    base = next(glyph.base for glyph in chain if round(glyph.style.size, 1) == size)
    return Fragment(tuple(chain), hull([glyph.box for glyph in chain]), base, size)


def _continues(chain: Sequence[Glyph], glyph: Glyph) -> bool:
    """Whether a glyph follows on the same line, in about the same size."""
    last = chain[-1]
    if glyph.text[0] == "\n" or glyph.style.is_joined != last.style.is_joined:
        return False
    sizes = last.style.size, glyph.style.size
    is_alike = min(sizes) >= SMALL * max(sizes) and _is_level(last.base - glyph.base, *sizes)
    return is_alike and -1 <= (glyph.box.left - last.box.right) / max(sizes) <= COLUMN_GAP


def _is_level(distance: float, *sizes: float) -> bool:
    """Whether two sizes of text are on one line; the smaller may be above or below it."""
    return abs(distance) <= min(0.5 * max(sizes), 0.75 * min(sizes))


def _in_order(fragments: Sequence[Fragment]) -> Iterator[list[Fragment]]:
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
                yield from _in_order(side)
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
        if not _is_level(largest.base - fragment.base, largest.size, fragment.size):
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


def _line(row: Sequence[Fragment], page: int) -> PdfLine:
    table = next((fragment.table for fragment in row if fragment.table), None)
    glyphs = list(joined(row))
    size = usual_size(glyphs)
    cells = [glyphs] if table else list(_cells(glyphs))
    words = [glyph for glyph in glyphs if glyph.text.strip().isalnum()]
    return PdfLine(
        tuple(text_of(cell) for cell in cells),
        page,
        min(glyph.box.left for glyph in glyphs),
        next((glyph.base for glyph in glyphs if round(glyph.style.size, 1) == size), glyphs[0].base),
        size,
        bold=bool(words) and all(glyph.style.bold for glyph in words),
        monospaced=bool(words) and all(glyph.style.monospaced for glyph in words),
        spans=tuple((cell[0].box.left, max(glyph.box.right for glyph in cell)) for cell in cells),
        glyphs=tuple(glyphs),
        rows=table.rows if table else (),
    )


def _cells(glyphs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    """Divide a line where a gap is wide; the value of a field belongs to its label."""
    cell: list[Glyph] = []
    for glyph in glyphs:
        if cell and not glyph.style.is_joined:
            gap = glyph.box.left - max(cell[-1].box.right, cell[0].box.left)
            is_wide = gap > COLUMN_GAP * min(cell[-1].style.size, glyph.style.size)
            if is_wide and not MARK.fullmatch(text_of(cell)):
                yield cell
                cell = []
        cell.append(glyph)
    if cell:
        yield cell


def joined(fragments: Sequence[Fragment]) -> Iterator[Glyph]:
    """Yield the glyphs of fragments side by side; between two the gap says whether there is a blank."""
    last: Fragment | None = None
    for fragment in fragments:
        first, *others = fragment.glyphs
        is_apart = last is not None and fragment.box.left - last.box.right > WORD_GAP * fragment.size
        has_blank = (is_apart or first.text[0] == " ") and first.text.strip() not in _CLOSING
        yield replace(first, text=(" " if has_blank else "") + first.text.strip())
        yield from others
        last = fragment
