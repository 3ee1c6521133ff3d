"""Scores how well a picture fits a paragraph: the weighted mean of three similarities in [0, 1]. Pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from libs.contracts.answers import ImageScores

if TYPE_CHECKING:  # loaded with the first picture: most processes never need it
    import numpy as np
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class PlacementBounds:
    """Lower bounds, each in [0, 1]. Those of cosines are for all-MiniLM-L6-v2; other embedders need their own."""

    reranked_relevance: float = 0.3
    """Relevance of a caption to the question by a reranker: the bound of the system that this one follows."""
    embedded_relevance: float = 0.1
    """Relevance of a caption to the question, as a cosine. Set on 20 labelled questions over the samples: at .15 and at
    .2 right pictures are lost, and no more wrong ones are excluded."""
    min_score: float = 0.38
    """Score of a picture beside a paragraph. Set on the same questions, each with its own pictures and with those of
    other worlds: from .38 on all wrong ones are excluded, above it right ones are lost (18 of 20; on 20 others 18, and
    one wrong one)."""


CLIP_ZERO: Final = 0.15
CLIP_FULL: Final = 0.35
"""The CLIP cosines of an unrelated picture and text, and of a perfect match. Both are what ViT-B/32 is known to give
(CLIPScore, Hessel et al. 2021, scales by 2.5). Not measured here."""
PICTURE_WEIGHT: Final = 0.85
TITLE_WEIGHT: Final = 0.05
TEXT_WEIGHT: Final = 0.1
"""The weight of each similarity, 1 together. Set on 20 labelled questions over the samples."""


def mean_of(scores: ImageScores) -> float:
    """Return the weighted mean of the similarities."""
    return PICTURE_WEIGHT * scores.picture + TITLE_WEIGHT * scores.title + TEXT_WEIGHT * scores.text


def cosine(vector: Floats, other: Floats) -> float:
    """Return the cosine of two unit vectors, clipped to [0, 1]."""
    return min(1.0, max(0.0, float(vector @ other)))


def caption_score(similarity: float, caption: frozenset[str], sentence_stems: Sequence[frozenset[str]]) -> float:
    """Return the score of a caption in place of its picture, in [0, 1]: the mean of similarity and shared words.

    Args:
        similarity: the cosine of caption and paragraph; high for any text in the same field.
        caption: the stems of the caption.
        sentence_stems: the stems of the question with each sentence of the paragraph. Only the nearest sentence counts,
            because a long paragraph has some words of any caption.
    """
    shared_count = max((len(caption & stems) for stems in sentence_stems), default=0)
    return (similarity + shared_count / len(caption)) / 2 if caption else similarity / 2


def clip_score(text: Floats, picture: Floats) -> float:
    """Return the score of a text's and a picture's unit vectors, in [0, 1]; CLIP's cosines have a narrow range."""
    share = (cosine(text, picture) - CLIP_ZERO) / (CLIP_FULL - CLIP_ZERO)
    return min(1.0, max(0.0, share))
