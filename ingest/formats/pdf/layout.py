"""The lines of a PDF's pages in reading order, with their size and position. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ingest.formats.pdf.columns import in_order
from ingest.formats.pdf.fragments import COLUMN_GAP, Fragment, bullets_of, fragments_of, joined, usual_size
from ingest.formats.pdf.pages import Glyph, PdfPage, text_of
from ingest.formats.pdf.ruled_tables import RuledTable, find_ruled_tables

MARK: Final = re.compile(r"[•◦▪‣■●○□☐☑✓✔➢➤*\-–\ue000-\uf8ff]|\(?(?:\d{1,2}|[a-zA-Z])[.)]")
"""What begins the item of a list; programs that write for offices take characters of private fonts."""


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
    rows: tuple[tuple[str, ...], ...] = ()
    """The rows of a table."""

    @property
    def text(self) -> str:
        """Its text."""
        return " ".join(self.cells)


def page_lines(page: PdfPage) -> list[PdfLine]:
    """Return the lines of a page in reading order."""
    tables = find_ruled_tables(page)
    inside = {id(glyph) for table in tables for glyph in table.glyphs}
    fragments = list(fragments_of(glyph for glyph in page.glyphs if id(glyph) not in inside))
    fragments += [*bullets_of(page.dots, fragments), *map(_table_fragment, tables)]
    return [_line(row, page.number) for row in in_order(fragments)]


def body_size(lines: Sequence[PdfLine]) -> float:
    """The size of most characters, rounded to a tenth of a point."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[round(line.size, 1)] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0


def _table_fragment(table: RuledTable) -> Fragment:
    size = usual_size(table.glyphs)
    return Fragment(table.glyphs, table.box, table.box.top - size, size, table)


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
