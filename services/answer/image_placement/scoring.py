"""How well a picture fits a paragraph: three similarities in [0, 1] and their weighted mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from libs.contracts.answers import ImageScores

if TYPE_CHECKING:  # loaded with the first picture: most processes never have one
    import numpy as np
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class PlacementBounds:
    """What is too little, each in [0, 1]; those of cosines are all-MiniLM-L6-v2's, other embedders want their own."""

    reranked_relevance: float = 0.3
    """Of a caption to the question, by a reranker: the bound of the system that this one follows."""
    embedded_relevance: float = 0.1
    """Of a caption to the question, as a cosine; set on 20 labelled questions over the samples: at .15 and at .2 right
    pictures are lost, and no more wrong ones kept out."""
    least_score: float = 0.38
    """Of a picture beside a paragraph; set on the same, each with its own pictures and with those of other worlds: from
    .38 on all wrong ones are kept out, beyond it right ones go (18 of 20; on 20 others 18, and one wrong one)."""
    clip_zero: float = 0.15
    """The cosine by CLIP of a picture and a text that have nothing to do with each other, and …"""
    clip_full: float = 0.35
    """… of two that fit wholly: what ViT-B/32 is known to give (CLIPScore, Hessel et al. 2021, scales by 2.5). Not
    measured here."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each similarity counts; not all may be 0. Set on 20 labelled questions over the samples."""

    picture: float = 0.85
    title: float = 0.05
    text: float = 0.1

    def mean(self, scores: ImageScores) -> float:
        """The weighted mean."""
        total = self.picture + self.title + self.text
        weighted = self.picture * scores.picture + self.title * scores.title + self.text * scores.text
        return weighted / total if total else 0.0


def cosine(one: Floats, other: Floats) -> float:
    """Of two unit vectors, in [0, 1]: what points away from each other has nothing in common."""
    return min(1.0, max(0.0, float(one @ other)))


def caption_score(similarity: float, caption: frozenset[str], told: Sequence[frozenset[str]]) -> float:
    """Of a caption that stands in for its picture, in [0, 1]: the mean of meaning and words.

    Args:
        similarity: the cosine of caption and paragraph; by itself high for whatever is of the same field.
        caption: the stems of what the caption says.
        told: those of the question with each sentence of the paragraph; the nearest counts, for a long paragraph has
            some words of any caption.
    """
    shared = max((len(caption & stems) for stems in told), default=0)
    return (similarity + shared / len(caption)) / 2 if caption else similarity / 2


def clip_score(text: Floats, picture: Floats, bounds: PlacementBounds) -> float:
    """Of a text's and a picture's unit vectors, in [0, 1]: CLIP's cosines lie within a narrow stretch."""
    share = (cosine(text, picture) - bounds.clip_zero) / (bounds.clip_full - bounds.clip_zero)
    return min(1.0, max(0.0, share))
