"""Fuses the scores of two engines for the same passages into one. Pure functions.

Every function takes the engines' scores aligned by passage. Both scores are exact (looked up if an engine's own list
lacked the passage), because treating a missing score as 0 costs up to .03 nDCG@10 on MTRAG, a benchmark. If an engine
is absent, its scores are None and the other one ranks alone.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libs.contracts.options import Fusion

Scores = NDArray[np.float64]

LEXICAL_WEIGHT = 0.37
"""Weight of BM25 relative to the cosine, times 1 / ln(1 + passages): .04 at 10,000 passages (measured on MTRAG)."""
RRF_K = 60  # Cormack, Clarke and Büttcher 2009


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """How much each engine counts; both >= 0, not both 0."""

    lexical: float = 1.0
    vector: float = 1.0


def fuse(
    method: Fusion,
    lexical: Scores | None,
    vector: Scores | None,
    weights: FusionWeights,
    passages: int,
) -> Scores:
    """One score per passage; greater is better.

    Args:
        method: the fusion method.
        lexical: BM25 per passage, >= 0, or None without that engine.
        vector: cosine per passage, in [-1, 1], or None without that engine.
        weights: relative weight of each engine, 1 as measured.
        passages: number of passages in the searched collection; BM25 grows with its logarithm.
    """
    scale = lexical_scale(passages)
    if vector is None:
        return np.zeros(0) if lexical is None else lexical * scale
    if lexical is None:
        return vector
    match method:
        case Fusion.SUM:  # of raw scores: the best measured (MTRAG nDCG@10 .447)
            return weights.vector * vector + weights.lexical * scale * lexical
        case Fusion.MIN_MAX:  # a weighted mean in [0, 1], each engine rescaled over the candidates (MTRAG: .435)
            total = (weights.lexical + weights.vector) or 1.0
            return (weights.vector * _stretch(vector) + weights.lexical * _stretch(lexical)) / total
        case Fusion.RRF:  # weight / (60 + rank); a BM25 of 0 is no match and has no rank (MTRAG: .412)
            by_lexical = np.where(lexical > 0, weights.lexical / (RRF_K + _ranks(lexical)), 0.0)
            return by_lexical + weights.vector / (RRF_K + _ranks(vector))
        case Fusion.LEXICAL:  # vectors only add candidates and determine the relevance labels
            return lexical * scale


def lexical_scale(passages: int) -> float:
    """The factor that scales BM25 to the range of a cosine, for a collection of that size."""
    return LEXICAL_WEIGHT / float(np.log1p(max(passages, 2)))


def _stretch(scores: Scores) -> Scores:
    low, high = float(scores.min(initial=np.inf)), float(scores.max(initial=-np.inf))
    return (scores - low) / (high - low) if high > low else np.ones_like(scores)


def _ranks(scores: Scores) -> Scores:
    """1 for the greatest; equal scores share the better rank, so the order among equals does not matter."""
    ascending = np.sort(-scores)
    return np.searchsorted(ascending, -scores, side="left").astype(np.float64) + 1.0
