"""Draws a page of a PDF as a picture and reads where its characters are. Runs in a process of its own: see `pages`."""

import io
import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH: Final = 850
"""Pixels of a page's width: of A4 103 an inch, at which small print can be read (by hand)."""
MAX_PIXELS: Final = 1_500_000
"""Of a page; a longer one is drawn smaller."""
MAX_CHARACTERS: Final = 50_000
"""Of a page; a full one of small print has 10,000."""
PICTURE_BYTES: Final = 100_000
PNG: Final = "image/png"
ENCODINGS: Final = ((PNG, 32), ("image/jpeg", 45), (PNG, 16), ("image/jpeg", 25), ("image/jpeg", 8))
"""Colours of a PNG, quality of a JPEG, as tried; all 48 pages of two PDFs fit as the first (at most 98 kB)."""


def draw_page(data: bytes, number: int) -> Iterator[bytes]:
    """Yield a page's facts as JSON, its characters' boxes as float32, and its picture; nothing if it cannot be drawn.

    The facts are `pages`, `text`, `media_type`, `width` and `height`. A box has the left, upper, right and lower edge
    of a character and what its font leaves above and below, as shares of the picture's width and height.
    """
    try:
        document = pdfium.PdfDocument(data)
        document.init_forms()
        page = document[number - 1]
        text, boxes = _characters(page)
        width, height = page.get_size()
        scale = min(WIDTH / width, math.sqrt(MAX_PIXELS / (width * height)))
        image = page.render(scale=scale).to_pil().convert("RGB")
    except (pdfium.PdfiumError, ZeroDivisionError, IndexError):
        return
    media_type, picture = _encoded(image)
    facts = {"pages": len(document), "text": text, "width": image.width, "height": image.height}
    yield json.dumps({**facts, "media_type": media_type}).encode()
    yield boxes.astype(np.float32).tobytes() or bytes(16)
    yield picture


def _encoded(image: "Image") -> tuple[str, bytes]:
    for media_type, level in ENCODINGS:
        out = io.BytesIO()
        if media_type == PNG:
            image.quantize(level, method=2).save(out, "PNG")  # an octree, which is fast
        else:
            image.save(out, "JPEG", quality=level)
        if out.tell() <= PICTURE_BYTES:
            break
    return media_type, out.getvalue()


def _characters(page: pdfium.PdfPage) -> tuple[str, NDArray[np.float64]]:
    """The page's characters with the line ends, and their boxes, shape (characters, 4)."""
    rotation = page.get_rotation()
    page.set_rotation(0)  # of a turned page the lines would come in another order
    textpage = page.get_textpage()
    page.set_rotation(rotation)
    places = range(min(textpage.count_chars(), MAX_CHARACTERS))
    text = "".join(chr(raw.FPDFText_GetUnicode(textpage, place)) for place in places)
    points = np.array([textpage.get_charbox(place, loose=True) for place in places]).reshape(-1, 2, 2)
    left, bottom, right, top = page.get_bbox()
    across, down = (points[..., 0] - left) / (right - left), (top - points[..., 1]) / (top - bottom)
    for _ in range(rotation // 90):
        across, down = 1 - down, across
    edges = (across.min(axis=1), down.min(axis=1), across.max(axis=1), down.max(axis=1))
    return text, np.stack(edges, axis=1).clip(0, 1)
