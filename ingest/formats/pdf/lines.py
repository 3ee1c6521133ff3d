"""The lines of a PDF's page: glyphs that follow each other are pieces, pieces side by side are lines. Pure.

Numbers without a source: by hand.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from ingest.formats.pdf.pages import Glyph

SMALL: Final = 0.75
"""Relative to a line's size: smaller text is of another kind."""
WORD_GAP: Final = 0.2
"""Distance between words that the file writes apart, relative to their size."""
COLUMN_GAP: Final = 1.0
"""Distance between cells or columns, relative to their size."""
MIN_SHIFT: Final = 0.05
"""Difference of heights beyond that of one line, relative to its size."""
MARK: Final = re.compile(r"[•◦▪‣■●○□☐☑✓✔➢➤*\-–\ue000-\uf8ff]|\(?(?:\d{1,2}|[a-zA-Z])[.)]")
"""What begins the item of a list; programs that write for offices take characters of private fonts."""
_ONLY_NUMBER: Final = re.compile(r"[\s\d,.*†‡¶–-]+\Z")
"""In small type the number of a line, or what points to a footnote."""
_CLOSING: Final = tuple(",.;:)")
"""Never after a blank where what stood before them was left out."""


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line of a page, a piece of one, or a whole table."""

    page: int
    """From 1."""
    cells: tuple[str, ...]
    """The text of each of its columns; usually there is one."""
    spans: tuple[tuple[float, float], ...]
    """Left and right end of each cell."""
    y: float
    """Its baseline, upwards, in points."""
    size: float
    """The size of most of its characters, in points."""
    bold: bool = False
    """Whether all of its text is bold; `monospaced` likewise."""
    monospaced: bool = False
    is_joined: bool = False
    """Whether it belongs to what stands left of it, however far."""
    rows: tuple[tuple[str, ...], ...] = ()
    """The rows of a table."""

    @property
    def text(self) -> str:
        """Its text."""
        return " ".join(self.cells)

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.spans[0][0]

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.spans[-1][1]


def pieces_of(glyphs: Iterable[Glyph], page: int) -> Iterator[PdfLine]:
    """Yield the pieces of lines that glyphs make in the order of the file."""
    chain: list[Glyph] = []
    for glyph in glyphs:
        if chain and not _continues(chain[-1], glyph):
            yield _piece(chain, page)
            chain = []
        chain.append(glyph)
    if chain:
        yield _piece(chain, page)


def _continues(last: Glyph, glyph: Glyph) -> bool:
    """Whether a glyph follows on the same line, in about the same size, in whichever direction it is written."""
    if glyph.text[0] == "\n" or glyph.style.is_joined != last.style.is_joined:
        return False
    sizes = last.style.size, glyph.style.size
    gap = max(glyph.box.left - last.box.right, last.box.left - glyph.box.right)
    is_alike = min(sizes) >= SMALL * max(sizes) and _is_level(last.base - glyph.base, *sizes)
    return is_alike and gap <= COLUMN_GAP * max(sizes)


def _piece(chain: Sequence[Glyph], page: int) -> PdfLine:
    size = usual_size(chain)
    words = [glyph for glyph in chain if glyph.text.strip().isalnum()] or chain
    return PdfLine(
        page,
        ("".join(glyph.text for glyph in chain).lstrip("\n").replace("\n", " "),),
        ((min(glyph.box.left for glyph in chain), max(glyph.box.right for glyph in chain)),),
        next(glyph.base for glyph in chain if round(glyph.style.size, 1) == size),
        size,
        bold=all(glyph.style.bold for glyph in words),
        monospaced=all(glyph.style.monospaced for glyph in words),
        is_joined=chain[0].style.is_joined,
    )


def usual_size(glyphs: Sequence[Glyph]) -> float:
    """The size of most glyphs, rounded to a tenth of a point."""
    counts = Counter(round(glyph.style.size, 1) for glyph in glyphs)
    return max(counts, key=lambda size: (counts[size], size))


def body_size(lines: Iterable[PdfLine]) -> float:
    """The size of most characters; 0 if there are none."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[line.size] += len(line.text)
    return max(counts, key=lambda size: (counts[size], size), default=0.0)


def rows_of(pieces: Iterable[PdfLine]) -> Iterator[list[PdfLine]]:
    """Group pieces at about the same height, from the top down and from left to right."""
    row: list[PdfLine] = []
    for piece in sorted(pieces, key=lambda piece: (-piece.y, piece.left)):
        largest = max(row, key=lambda other: other.size, default=piece)
        if row and (not _is_level(largest.y - piece.y, largest.size, piece.size) or largest.rows or piece.rows):
            yield _without_small_numbers(row)
            row = []
        row.append(piece)
    if row:
        yield _without_small_numbers(row)


def _is_level(distance: float, *sizes: float) -> bool:
    """Whether two sizes of text are on one line; the smaller may be above or below it."""
    return abs(distance) <= min(0.5 * max(sizes), 0.75 * min(sizes))


def _without_small_numbers(row: Sequence[PdfLine]) -> list[PdfLine]:
    """A row from left to right without line numbers and what points to footnotes; an index below the line is kept."""
    largest = max(row, key=lambda piece: piece.size)
    lowest = largest.y - MIN_SHIFT * largest.size
    kept = [
        piece
        for piece in row
        if piece.size >= SMALL * largest.size or piece.y < lowest or not _ONLY_NUMBER.match(piece.text)
    ]
    return sorted(kept, key=lambda piece: piece.left)


def joined(row: Sequence[PdfLine]) -> PdfLine:
    """The line that pieces make side by side, with a cell behind each wide gap; a mark belongs to its item."""
    if row[0].rows:
        return row[0]
    cells = [[row[0]]]
    for last, piece in pairwise(row):
        is_wide = piece.left - last.right > COLUMN_GAP * min(last.size, piece.size)
        if is_wide and not piece.is_joined and not MARK.fullmatch(_text(cells[-1])):
            cells.append([])
        cells[-1].append(piece)
    size = body_size(row)
    return replace(
        next(piece for piece in row if piece.size == size),
        cells=tuple(map(_text, cells)),
        spans=tuple((cell[0].left, max(piece.right for piece in cell)) for cell in cells),
        bold=all(piece.bold for piece in row),
        monospaced=all(piece.monospaced for piece in row),
    )


def _text(cell: Sequence[PdfLine]) -> str:
    """The text of pieces side by side; a soft hyphen is seen at the end of a line alone."""
    text = cell[0].text
    for last, piece in pairwise(cell):
        is_apart = piece.left - last.right > WORD_GAP * piece.size
        begins = piece.text.lstrip()
        text += begins if begins.startswith(_CLOSING) else " " * is_apart + piece.text
    text = " ".join(text.split())
    return text[:-1].replace("\u00ad", "") + text[-1:].replace("\u00ad", "-")
