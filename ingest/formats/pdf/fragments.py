"""Fragments of a PDF's page: glyphs of about one size that follow each other on a line. Pure; numbers by hand."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ingest.formats.pdf.pages import Box, Glyph, hull
from ingest.formats.pdf.ruled_tables import RuledTable

SMALL: Final = 0.75
"""Relative to a line's size: smaller text is of another kind."""
WORD_GAP: Final = 0.2
"""Distance between words that the file writes apart, relative to their size."""
COLUMN_GAP: Final = 1.0
"""Distance between cells or columns, relative to their size."""
BULLET_GAP: Final = 2.5
"""Distance between a drawn bullet and its item, relative to the size of the text."""
_CLOSING: Final = ",.;:)"
"""Never after a blank where what stood before them was left out."""


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


def fragments_of(glyphs: Iterable[Glyph]) -> Iterator[Fragment]:
    """Yield the fragments of glyphs in the order of the file."""
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
    is_alike = min(sizes) >= SMALL * max(sizes) and is_level(last.base - glyph.base, *sizes)
    is_leftward = glyph.is_leftward or last.is_leftward
    gap = _gap(last.box, glyph.box, is_leftward=is_leftward) / max(sizes)
    return is_alike and (-3 if is_leftward else -1) <= gap <= COLUMN_GAP  # pdfium turns parts of Arabic words


def _gap(first: Box, second: Box, *, is_leftward: bool) -> float:
    return first.left - second.right if is_leftward else second.left - first.right


def is_level(distance: float, *sizes: float) -> bool:
    """Whether two sizes of text are on one line; the smaller may be above or below it."""
    return abs(distance) <= min(0.5 * max(sizes), 0.75 * min(sizes))


def bullets_of(dots: Iterable[Box], fragments: Sequence[Fragment]) -> Iterator[Fragment]:
    """Yield a bullet for each small drawing that stands alone before a fragment: browsers write no character for it."""
    for dot in dots:
        level = [other for other in fragments if other.base <= (dot.bottom + dot.top) / 2 <= other.base + other.size]
        after = [other for other in level if 0 < other.box.left - dot.right <= BULLET_GAP * other.size]
        if after and not any(other.box.left < dot.left < other.box.right + other.size for other in level):
            style = after[0].glyphs[0].style
            yield _fragment([Glyph("\n•", dot, after[0].base, style)])


def usual_size(glyphs: Sequence[Glyph]) -> float:
    """The size of most glyphs."""
    counts = Counter(round(glyph.style.size, 1) for glyph in glyphs)
    return max(counts, key=lambda size: (counts[size], size), default=0.0)


def are_leftward(fragments: Sequence[Fragment]) -> bool:
    """Whether most letters of a line are written from right to left."""
    letters = [glyph for fragment in fragments for glyph in fragment.glyphs if glyph.text[-1].isalpha()]
    return 2 * sum(glyph.is_leftward for glyph in letters) > len(letters)


def joined(fragments: Sequence[Fragment]) -> Iterator[Glyph]:
    """Yield the glyphs of fragments side by side; between two the gap says whether there is a blank."""
    last: Fragment | None = None
    is_leftward = are_leftward(fragments)
    for fragment in sorted(fragments, key=lambda fragment: fragment.box.left, reverse=is_leftward):
        first, *others = fragment.glyphs
        is_apart = last is not None and _gap(last.box, fragment.box, is_leftward=is_leftward) > WORD_GAP * fragment.size
        has_blank = (is_apart or first.text[0] == " ") and first.text.strip() not in _CLOSING
        yield replace(first, text=(" " if has_blank else "") + first.text.strip())
        yield from others
        last = fragment
