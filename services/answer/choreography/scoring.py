"""How well a picture fits a paragraph: three similarities in [0, 1] and their weighted mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from services.vocabulary.answers import ImageScores

if TYPE_CHECKING:  # loaded with the first picture: most processes never have one
    import numpy as np
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float32]"
CLIP_SCALE = 2.5
"""Cosines of CLIP are small, .2 to .4 for pairs that fit; the factor is CLIPScore's (Hessel et al. 2021)."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is too little, each in [0, 1]."""

    reranked_relevance: float = 0.3
    """Of a caption to the question, by a reranker."""
    embedded_relevance: float = 0.3
    """Of a caption to the question, as a cosine."""
    least_score: float = 0.4
    """Of a picture beside a paragraph."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each similarity counts; not all may be 0."""

    picture: float = 0.5
    title: float = 0.2
    text: float = 0.3

    def mean(self, scores: ImageScores) -> float:
        """The weighted mean."""
        total = self.picture + self.title + self.text
        weighted = self.picture * scores.picture + self.title * scores.title + self.text * scores.text
        return weighted / total if total else 0.0


def cosine(one: Floats, other: Floats) -> float:
    """Of two unit vectors, in [0, 1]: what points away from each other has nothing in common."""
    return min(1.0, max(0.0, float(one @ other)))


def nearest(one: Floats, others: Sequence[Floats]) -> float:
    """The cosine to the nearest; 0 without any."""
    return max((cosine(one, other) for other in others), default=0.0)


def clip_score(text: Floats, picture: Floats) -> float:
    """Of a text's and a picture's unit vectors, in [0, 1]."""
    return min(1.0, CLIP_SCALE * cosine(text, picture))
