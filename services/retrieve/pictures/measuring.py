"""Measures incoming pictures: their true size, and how much there is to see.

The entropy is that of the differences between each pixel and its two neighbours (delentropy: Larkin, "Reflections on
Shannon Information", 2016), for a picture scaled to 256 pixels. The entropy of the grey levels would be less useful: a
drawing of few colours has less of it than a shaded button.
"""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from services.retrieve.corpus.documents import DocumentImage, PictureMeasure
from services.retrieve.pictures.picture_encoder import UnusablePicture
from services.retrieve.pictures.pixels import FORMATS, on_white

if TYPE_CHECKING:
    from PIL.Image import Image

EDGE = 256
"""Pixels of the longer side, to which a picture is scaled before it is measured."""
MOST_PIXELS = 16_000_000
"""A larger picture is not decoded; a JPEG is decoded at reduced size."""


def measure_all(images: Sequence[DocumentImage]) -> tuple[PictureMeasure | None, ...]:
    """The measure of each picture; None if it has no bytes, or they are not a picture. Blocking."""
    return tuple(measure(image.data) if image.data else None for image in images)


def measure(picture: bytes) -> PictureMeasure | None:
    """Measure an encoded picture; None if it is not one.

    Blocking: ten megapixels take .1 s as JPEG, .3 as PNG, .9 as WebP.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(picture), formats=FORMATS) as image:
            return PictureMeasure(*image.size, _entropy_within_bounds(image))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def _entropy_within_bounds(image: "Image") -> float | None:
    image.draft(None, (EDGE, EDGE))
    if image.width * image.height > MOST_PIXELS:
        return None
    try:
        return entropy_of(on_white(image))
    except UnusablePicture:
        return None


def entropy_of(image: "Image") -> float:
    """Entropy in bits, 0 for a plain surface; simple logos have 1, flat drawings 3, photographs more than 5."""
    grey = image.convert("L")
    grey.thumbnail((EDGE, EDGE))
    levels = np.asarray(grey, np.int32)
    if min(levels.shape) < 2:
        return 0.0
    across, down = levels[1:, 1:] - levels[1:, :-1], levels[1:, 1:] - levels[:-1, 1:]
    counts = np.unique(across * 1024 + down, return_counts=True)[1]
    shares = counts / counts.sum()
    return max(0.0, float(-(shares * np.log2(shares)).sum()))
