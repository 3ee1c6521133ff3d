"""From an encoded picture to a model's pixels, as `preprocessor_config.json` says: resize, crop, scale, normalize.

Everything blocks, on a core. Sizes in pixels are chosen by hand, unless they say otherwise.
"""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from services.retrieve.corpus.documents import DocumentImage, PictureMeasure

if TYPE_CHECKING:
    from PIL.Image import Image


Floats = NDArray[np.float32]
MAX_PIXELS = 50_000_000
"""Greatest number of pixels; a larger picture is refused before it is decoded (taste)."""
_MEAN, _DEVIATION = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
"""Mean and deviation of the pictures that CLIP was trained on (its authors' preprocessing)."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
"""Pillow's names of the accepted formats."""
_BROKEN = "must be a whole PNG, JPEG, WebP or GIF"


class UnusablePicture(Exception):  # noqa: N818 - it names what is wrong
    """The data is not a picture, is damaged, or has too many pixels."""


@dataclass(frozen=True, slots=True)
class PixelRecipe:
    """How a model's pictures are prepared."""

    edge: int = 224
    """Pixels to which the shorter edge is resized (CLIP's)."""
    crop: int = 224
    """Edge of the square that is cut out of the middle (CLIP's)."""
    mean: tuple[float, ...] = _MEAN
    deviation: tuple[float, ...] = _DEVIATION

    def pixels(self, picture: bytes) -> Floats:
        """The model's pixels, shape (3, crop, crop); raises UnusablePicture if it cannot be decoded."""
        image = self._cut(opened(picture))
        values = np.asarray(image, np.float32) / 255
        normal = (values - np.array(self.mean, np.float32)) / np.array(self.deviation, np.float32)
        return np.ascontiguousarray(normal.transpose(2, 0, 1))

    def _cut(self, image: "Image") -> "Image":
        from PIL.Image import Resampling

        scale = self.edge / min(image.size)
        width, height = (max(self.crop, int(scale * side)) for side in image.size)
        x, y = (width - self.crop) // 2, (height - self.crop) // 2
        thumbnail = image.resize((width, height), Resampling.BICUBIC)
        return thumbnail.crop((x, y, x + self.crop, y + self.crop))


def opened(picture: bytes) -> "Image":
    """A decoded RGB picture; transparent areas become white. Raises UnusablePicture if it cannot be decoded."""
    from PIL import Image

    try:
        image = Image.open(io.BytesIO(picture), formats=FORMATS)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise UnusablePicture(_BROKEN) from error
    if image.width * image.height > MAX_PIXELS:
        raise UnusablePicture(f"a picture may have {MAX_PIXELS:,} pixels")
    return on_white(image)


def on_white(image: "Image") -> "Image":
    """A decoded RGB picture; transparent areas become white, and of an animation the first frame is used.

    Raises UnusablePicture if its bytes are damaged.
    """
    from PIL import Image

    try:
        image.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise UnusablePicture(_BROKEN) from error
    if not image.has_transparency_data:
        return image.convert("RGB")
    ground = Image.new("RGBA", image.size, "white")
    ground.alpha_composite(image.convert("RGBA"))
    return ground.convert("RGB")


def read_recipe(folder: Path) -> PixelRecipe:
    """The recipe of a model's folder; without the file that of CLIP."""
    try:
        config = json.loads((folder / "preprocessor_config.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return PixelRecipe()
    plain = PixelRecipe()
    return PixelRecipe(
        _edge(config.get("size"), "shortest_edge", plain.edge),
        _edge(config.get("crop_size"), "height", plain.crop),
        tuple(config.get("image_mean", plain.mean)),
        tuple(config.get("image_std", plain.deviation)),
    )


def _edge(value: Mapping[str, Any] | int | None, name: str, otherwise: int) -> int:
    """The edge, from a number or an object: older and newer programs write it differently."""
    if isinstance(value, Mapping):
        return int(value.get(name, value.get("height", otherwise)))
    return int(value or otherwise)


EDGE = 256  # pixels of the longer side, to which a picture is scaled before it is measured
MAX_MEASURED_PIXELS = 16_000_000
"""A larger picture is not decoded; a JPEG is decoded at reduced size (taste)."""


def measure_all(images: Sequence[DocumentImage]) -> tuple[PictureMeasure | None, ...]:
    """The measure of each picture; None if it has no bytes, or they are not a picture. Blocking."""
    return tuple(measure(image.data) if image.data else None for image in images)


def measure(picture: bytes) -> PictureMeasure | None:
    """Measure an encoded picture; None if it is not one. Blocking: ten megapixels take .1 s as JPEG, .9 as WebP."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(picture), formats=FORMATS) as image:
            return PictureMeasure(*image.size, _entropy_within_bounds(image))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def _entropy_within_bounds(image: "Image") -> float | None:
    image.draft(None, (EDGE, EDGE))
    if image.width * image.height > MAX_MEASURED_PIXELS:
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
    counts = np.unique(across * 1024 + down, return_counts=True)[1]  # each is within 255: one number for both
    shares = counts / counts.sum()
    return max(0.0, float(-(shares * np.log2(shares)).sum()))
