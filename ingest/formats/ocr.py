"""Reads the text of pictures with RapidOCR, whose models lie in its package: nothing is fetched. CPU work alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from PIL.Image import Image

DPI: Final = 200
"""Resolution at which a page is drawn to be read."""
MIN_CONFIDENCE: Final = 0.5
"""Of a line, in [0, 1]; below it the letters are mostly guessed."""
MAX_SKEW: Final = 5.0
"""In degrees; six pages turned by 2 degrees gave .89 of their words as they were, .98 straightened."""
_SKEW_STEP: Final = 0.25
_SKEW_SIDE: Final = 700
"""Pixels of the longer side of the picture in which the skew is measured."""
_SCALING: Final = {"Global.max_side_len": 4000, "Det.limit_type": "max", "Det.limit_side_len": 1280}
"""Lines are found in a smaller picture, in which none of a sparse page is missed, and read in the whole one."""
LEAST_SIDE: Final = 100
"""Pixels of the shorter side of a picture that is read, where text stands beside it (taste)."""
MAX_PICTURES: Final = 30
"""In such a document; each takes a second or two."""
WORDS_OF_A_LINE: Final = 2.5
"""On average in a picture within a document that is read; labels of a diagram have 1.7 (by hand)."""
REMEDY: Final = "scanned pages need the extra `ocr`: pip install 'parley[ocr]'"


@dataclass(frozen=True, slots=True)
class OcrLine:
    """A line of text in a picture."""

    text: str
    box: tuple[float, float, float, float]
    """Left, top, right, bottom, in pixels of the straightened picture."""
    confidence: float
    """In [0, 1]."""


def is_installed() -> bool:
    """Whether pictures can be read."""
    return find_spec("rapidocr") is not None


def read_picture(image: "Image") -> list[OcrLine]:
    """Return the lines of a picture; none if the extra is not installed."""
    if not is_installed():
        return []
    from PIL.Image import Resampling

    upright = image.convert("RGB").rotate(_skew(image), fillcolor="white", resample=Resampling.BICUBIC)
    result = _engine()(np.asarray(upright)[:, :, ::-1])
    if result.txts is None:
        return []
    return [
        OcrLine(text, _hull(corners), float(score))
        for text, corners, score in zip(result.txts, result.boxes, result.scores, strict=True)
        if score >= MIN_CONFIDENCE and text.strip()
    ]


def is_prose(lines: Sequence[OcrLine]) -> bool:
    """Whether lines are of text, and not the labels of a diagram."""
    return sum(len(line.text.split()) for line in lines) >= WORDS_OF_A_LINE * max(1, len(lines))


def ocr_metadata(kind: str, confidences: Mapping[int, float]) -> dict[str, str]:
    """Which pages or pictures were read, by their numbers, and with what confidence."""
    if not confidences:
        return {}
    return {"ocr": f"{kind} {', '.join(map(str, confidences))}", "ocr_confidence": f"{fmean(confidences.values()):.2f}"}


@lru_cache(maxsize=1)
def _engine() -> Any:
    """RapidOCR, which takes seconds to load."""
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.use_cls": False, "Global.log_level": "critical", **_SCALING})


def _hull(corners: Any) -> tuple[float, float, float, float]:
    (left, top), (right, bottom) = np.min(corners, axis=0), np.max(corners, axis=0)
    return float(left), float(top), float(right), float(bottom)


def _skew(image: "Image") -> float:
    """The angle that makes lines level, in degrees: there, rows of pixels differ most from their neighbours."""
    small = image.convert("L")
    small.thumbnail((_SKEW_SIDE, _SKEW_SIDE))

    def sharpness(angle: float) -> float:
        rows = np.asarray(small.rotate(angle, fillcolor=255), dtype=np.float64).mean(axis=1)
        return float(np.square(np.diff(rows)).sum())

    angles: list[float] = np.arange(-MAX_SKEW, MAX_SKEW + _SKEW_STEP, _SKEW_STEP).tolist()
    return max(angles, key=sharpness)
