"""nDCG and recall of a ranking with binary judgements, as pytrec_eval computes them (ndcg_cut_k, recall_k). Pure."""

import math
from collections.abc import Iterable, Sequence, Set
from ctypes import c_float
from dataclasses import dataclass
from typing import Final

CUTS: Final = (1, 3, 5, 10)
"""Numbers of top passages that are evaluated (taste)."""


@dataclass(frozen=True, slots=True)
class RankingQuality:
    """Both measures at each of CUTS, in [0, 1]."""

    ndcg: tuple[float, ...]
    recall: tuple[float, ...]


NOTHING_FOUND: Final = RankingQuality((0.0,) * len(CUTS), (0.0,) * len(CUTS))


def in_order(docs: Iterable[tuple[str, float]]) -> list[str]:
    """Sort passages in trec_eval's order: score descending, then id descending; of duplicates the best counts.

    Scores are compared in single precision, as trec_eval does.
    """
    best: dict[str, float] = {}
    for passage, score in docs:
        best[passage] = max(score, best.get(passage, -math.inf))
    return sorted(best, key=lambda passage: (c_float(best[passage]).value, passage), reverse=True)


def judge_ranking(ranking: Sequence[str], relevant: Set[str]) -> RankingQuality:
    """Measure how well a ranking puts the relevant passages first.

    Args:
        ranking: passages, the best first.
        relevant: the relevant passages, at least one.
    """
    return RankingQuality(
        tuple(_ndcg(ranking[:cut], relevant, cut) for cut in CUTS),
        tuple(sum(passage in relevant for passage in ranking[:cut]) / len(relevant) for cut in CUTS),
    )


def mean_quality(qualities: Sequence[RankingQuality]) -> RankingQuality:
    """The mean over tasks; NOTHING_FOUND if there are none."""
    if not qualities:
        return NOTHING_FOUND
    return RankingQuality(
        tuple(math.fsum(values) / len(qualities) for values in zip(*(q.ndcg for q in qualities), strict=True)),
        tuple(math.fsum(values) / len(qualities) for values in zip(*(q.recall for q in qualities), strict=True)),
    )


def _ndcg(top: Sequence[str], relevant: Set[str], cut: int) -> float:
    gain = math.fsum(_gain(place) for place, passage in enumerate(top) if passage in relevant)
    return gain / math.fsum(_gain(place) for place in range(min(cut, len(relevant))))


def _gain(place: int) -> float:
    """The gain of a relevant passage at a rank, counted from 0."""
    return 1 / math.log2(place + 2)
