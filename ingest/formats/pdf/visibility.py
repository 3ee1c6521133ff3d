"""Which glyphs of a PDF's page a reader sees.

The page is drawn with its text and without: a word that changes nothing is hidden, whatever hides it (its render mode,
its colour, a picture above it, the page's edge, a layer that is switched off). Numbers without a source: by hand.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

from ingest.formats.pdf.pages import Box, Glyph, words_of

MIN_SIZE: Final = 2.0
"""Size in points below which text is hidden: nobody can read it."""
MIN_CHANGE: Final = 16
"""Of 256: the change of a pixel in one of its colours for a glyph to be seen; a power of two."""
MAX_PIXELS: Final = 16_000_000
"""Of a page that is drawn; a larger page is drawn smaller."""


def are_seen(page: pdfium.PdfPage, glyphs: Sequence[Glyph]) -> list[bool]:
    """Whether each glyph is seen, word by word: most of a word's glyphs must change the page."""
    if not glyphs:
        return []
    page_box = Box(*page.get_bbox())
    changes = _count_changes(page, glyphs)
    marks = [
        bool(count) or (glyph.style.is_lacking and page_box.holds(glyph.box))
        for glyph, count in zip(glyphs, changes, strict=True)
    ]
    seen: list[bool] = []
    for word in words_of(glyphs):
        is_seen = 2 * sum(marks[len(seen) : len(seen) + len(word)]) >= len(word)
        seen += [is_seen and _is_large(glyph) for glyph in word]
    return seen


def _is_large(glyph: Glyph) -> bool:
    """Whether a glyph can be read; the nominal size of a font that is made of drawings says nothing."""
    return max(glyph.style.size, glyph.box.top - glyph.box.bottom) >= MIN_SIZE


def _count_changes(page: pdfium.PdfPage, glyphs: Sequence[Glyph]) -> NDArray[np.int32]:
    """How many pixels change within the box of each glyph when the text is drawn."""
    left, bottom, right, top = page.get_bbox()
    scale = min(1.0, math.sqrt(MAX_PIXELS / max(1.0, (right - left) * (top - bottom))))
    with_text = _draw(page, scale)
    for text in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]):
        raw.FPDFPageObj_SetIsActive(text, False)
    without = _draw(page, scale)
    change = np.bitwise_or.reduce(np.maximum(with_text, without) - np.minimum(with_text, without), axis=2)
    changed = change >= MIN_CHANGE
    sums = np.pad(changed.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32), ((1, 0), (1, 0)))
    boxes = np.array([glyph.box for glyph in glyphs])
    columns = _pixels((boxes[:, [0, 2]] - left) * scale, changed.shape[1])
    rows = _pixels((top - boxes[:, [3, 1]]) * scale, changed.shape[0])
    above, below = sums[rows[:, 0]], sums[rows[:, 1]]
    places = np.arange(len(glyphs))
    within = below - above
    counts: NDArray[np.int32] = within[places, columns[:, 1]] - within[places, columns[:, 0]]
    return counts


def _pixels(intervals: NDArray[np.float64], size: int) -> NDArray[np.int64]:
    """Whole pixels that hold the intervals, clipped to the picture."""
    return np.stack([np.floor(intervals[:, 0]), np.ceil(intervals[:, 1])], axis=1).clip(0, size).astype(np.int64)


def _draw(page: pdfium.PdfPage, scale: float) -> NDArray[np.uint8]:
    bitmap = page.render(scale=scale, may_draw_forms=False, draw_annots=False)
    return np.array(bitmap.to_numpy()[:, :, :3], dtype=np.uint8)
