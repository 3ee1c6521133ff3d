"""The ranked list between fusion and evidence: keys with their scores, the best first. Plain values, pure functions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import EngineScores, Evidence, NearDuplicate, Passage
from libs.contracts.options import Fusion
from services.retrieve.search.fusion import FusionWeights, Scores, fuse
from services.retrieve.search.grouping import DuplicateGroup
from services.retrieve.search.hybrid import Candidates
from services.retrieve.search.ranking import Ranking, RankingSettings, RelevanceThresholds

_COMPARED = 20
"""Passages with vectors, the first by words, that tell how near the others are (taste).

With vectors of half of the documents the first three hold 85% of docsqa's facts this way, 83% without any vectors, and
76% if the others count as cosine 0.
"""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Passages in the order of their scores; all arrays are aligned."""

    keys: NDArray[np.int64]
    scores: Scores
    """The scores that the list is sorted by."""
    lexical: Scores
    """nan if that engine took no part; likewise the next two."""
    vector: Scores
    rerank: Scores
    relevance: Scores
    """The scores that the labels are based on."""

    def __len__(self) -> int:
        return len(self.keys)

    def sorted_by(self, scores: Scores) -> "Ranked":
        """The list sorted by other scores; equal scores are ordered by key, so the order is stable."""
        order = np.lexsort((self.keys, -scores))
        return replace(self.ordered(order), scores=scores[order])

    def first(self, count: int) -> "Ranked":
        """The beginning of the list."""
        return self.ordered(np.arange(min(count, len(self))))

    def reranked(self, scores: Scores) -> "Ranked":
        """The list sorted by a reranker's scores, which also replace the scores that labels are based on."""
        return replace(self, rerank=scores, relevance=scores).sorted_by(scores)

    def engine_scores(self, position: int) -> EngineScores:
        """The scores of one passage for the response."""
        return EngineScores(
            lexical=_optional(self.lexical[position]),
            vector=_optional(self.vector[position]),
            rerank=_optional(self.rerank[position]),
            fused=float(self.scores[position]),
        )

    def ordered(self, order: NDArray[np.int64]) -> "Ranked":
        """The list in another order, given as positions."""
        return Ranked(*(getattr(self, each.name)[order] for each in fields(self)))


def rank(candidates: Candidates, ranking: Ranking, passages: int) -> Ranked:
    """Fuse the candidates' scores and sort by them. A passage without a vector is as near as its words tell.

    If only a share of the cosine counts, all scores are raised until that of the best passage is what it would be if
    the whole cosine counted, so that thresholds on scores hold.
    """
    unknown = np.full(len(candidates.keys), np.nan)
    lexical, vector = candidates.lexical, candidates.vector
    cosines = _cosines(lexical, vector)
    weights = replace(ranking.weights, vector=ranking.cosine_share * ranking.weights.vector)
    scores = fuse(ranking.fusion, lexical, cosines, weights, passages)
    if ranking.fusion is Fusion.SUM and cosines is not None and len(scores):
        scores = scores + (ranking.weights.vector - weights.vector) * cosines[scores.argmax()]
    return Ranked(
        candidates.keys,
        scores,
        unknown if lexical is None else lexical,
        unknown if vector is None else vector,
        unknown,
        fuse(Fusion.SUM, lexical, cosines, FusionWeights(), passages),
    ).sorted_by(scores)


def _cosines(lexical: Scores | None, vector: Scores | None) -> Scores | None:
    """The cosines; a passage without one gets that of passages which words find as well. None if no passage has one."""
    if vector is None or lexical is None:
        return None if vector is None else np.nan_to_num(vector)
    missing = np.isnan(vector)
    if missing.all():
        return None
    alike = np.flatnonzero(~missing & (lexical > 0))
    first = alike[np.argsort(-lexical[alike], kind="stable")[:_COMPARED]]
    near = vector[first].clip(0).sum() / lexical[first].sum() if len(first) else 1.0  # as near as any (taste)
    return np.where(missing, np.minimum(near * lexical, vector[~missing].max()), vector)


def thresholds_of(ranking: Ranked, settings: RankingSettings) -> RelevanceThresholds:
    """The thresholds for the scale that this list's labels are based on."""
    if not np.isnan(ranking.rerank).all():
        return settings.reranked
    return settings.lexical if np.isnan(ranking.vector).all() else settings.hybrid


def evidence_of(
    ranking: Ranked, groups: Sequence[DuplicateGroup], passages: Mapping[int, Passage], thresholds: RelevanceThresholds
) -> tuple[Evidence, ...]:
    """The evidence of the groups, the best first; passages that were deleted in the meantime are left out."""
    evidence: list[Evidence] = []
    for group in groups:
        passage = passages.get(int(ranking.keys[group.head]))
        if passage is not None:
            evidence.append(
                Evidence(
                    passage,
                    ranking.engine_scores(group.head),
                    len(evidence) + 1,
                    thresholds.label(float(ranking.relevance[group.head])),
                    _duplicates(ranking, group, passages),
                )
            )
    return tuple(evidence)


def _duplicates(ranking: Ranked, group: DuplicateGroup, passages: Mapping[int, Passage]) -> tuple[NearDuplicate, ...]:
    members = ((passages.get(int(ranking.keys[member.position])), member.similarity) for member in group.duplicates)
    return tuple(NearDuplicate(passage, similarity) for passage, similarity in members if passage is not None)


def _optional(score: np.float64) -> float | None:
    return None if np.isnan(score) else float(score)
