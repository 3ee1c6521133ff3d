"""The order of what a follow-up finds: the weighted search's, corrected by how passages stand to what was found before.

Two searches are made: of the turn with its weighted history, and of the turn alone. A passage among the first of either
gets a bonus, a weighted sum of features in [0, 1]. Their weights are fitted (`python -m bench.fit rank`) and stored in
`follow_ups.json` beside this module, with what they were fitted on and what that gave.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.options import Depth, Fusion
from libs.contracts.query import WeightedQuery
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.places import documents_of_keys
from services.retrieve.search.earlier import Recalled
from services.retrieve.search.ranked_list import Ranked, rank
from services.retrieve.search.retrieval import Embedded, Retrieval, search_on, search_words
from services.retrieve.sources.web import WebCandidates

Keys = NDArray[np.int64]
Floats = NDArray[np.float64]

WEIGHTS: Final = "follow_ups.json"
FEATURES: Final = ("alone", "itself", "around", "document", "document_before")
"""How well the turn alone finds a passage; how well the last turn was explained by it, by one within two places of it,
by another one of its document; and the turn before by another one of its document."""
POOL: Final = 10
"""First passages of each search that are ordered anew (5 and 20 gave less)."""
ALONE_DEPTH: Final = 50
"""Candidates of each engine for the turn alone (taste)."""
NEAR: Final = 2  # places


@dataclass(frozen=True, slots=True)
class Pool:
    """The first passages of both searches; all arrays are aligned."""

    keys: Keys
    positions: NDArray[np.int64]
    """Where they stand in the weighted search's list."""
    scores: Floats
    """Their fused scores there."""
    features: Floats
    """In [0, 1], shape (passages, features)."""


@dataclass(frozen=True, slots=True)
class FittedOrder:
    """The order by weighted features."""

    weights: Floats
    """One for each feature, in the order of FEATURES."""

    @classmethod
    def load(cls) -> "FittedOrder":
        """Read the weights that are part of this package."""
        fitted = json.loads((files(__package__) / WEIGHTS).read_text(encoding="utf-8"))
        return cls(np.array([fitted["weights"][name] for name in FEATURES], np.float64))

    def bonuses(self, pool: Pool) -> Floats:
        """What is added to the fused score of each passage."""
        bonuses: Floats = pool.features @ self.weights
        return bonuses


def in_fitted_order(
    ranked: Ranked, retrieval: Retrieval, vectors: Embedded | None, corpus: Corpus, order: FittedOrder
) -> Ranked:
    """The weighted search's list in the fitted order; unchanged if an engine failed or another fusion is requested.

    The best passage gets the fused score of the one that was best before, so that thresholds on scores hold.
    """
    if retrieval.failures or retrieval.ranking.fusion is not Fusion.SUM or not len(ranked):
        return ranked
    pool = pool_of(ranked, retrieval, vectors, corpus)
    scores = ranked.scores.copy()
    scores[pool.positions] += order.bonuses(pool)
    return ranked.sorted_by(scores + (ranked.scores[0] - scores.max()))


def pool_of(ranked: Ranked, retrieval: Retrieval, vectors: Embedded | None, corpus: Corpus) -> Pool:
    """Search for the turn alone, and return the first passages of both searches with their features."""
    first = ranked.first(POOL).keys
    alone = _search_alone(retrieval, vectors, also=first)
    chosen = np.union1d(first, alone.first(POOL).keys)
    keys = chosen[np.isin(chosen, ranked.keys) & np.isin(chosen, alone.keys)]
    documents = corpus.read(documents_of_keys, keys.tolist())
    own = np.array([documents.get(key, -1) for key in keys.tolist()], np.int64)
    positions = _positions(ranked.keys, keys)
    gaps = alone.scores[_positions(alone.keys, keys)] - alone.scores[:1]  # to the best one of the turn alone
    features = features_of(keys, own, np.clip(1 + gaps, 0.0, 1.0), retrieval.earlier)
    return Pool(keys, positions, ranked.scores[positions], features)


def features_of(keys: Keys, documents: Keys, alone: Floats, earlier: Sequence[Recalled]) -> Floats:
    """The features of passages, in the order of FEATURES.

    Args:
        keys: the passages; those of one document have consecutive keys, in the order of its text.
        documents: the row numbers of their documents.
        alone: how well the turn alone finds each, in [0, 1].
        earlier: what earlier turns found, the newest first; at least one turn.
    """
    last, before = earlier[0], earlier[min(1, len(earlier) - 1)]
    distance = np.abs(keys[:, None] - last.keys)
    others = (documents[:, None] == last.documents) & (distance > 0)
    others_before = (documents[:, None] == before.documents) & (keys[:, None] != before.keys)
    told = [(last, distance == 0), (last, others & (distance <= NEAR)), (last, others), (before, others_before)]
    return np.stack([alone, *(np.where(counts, turn.scores, 0.0).max(axis=1) for turn, counts in told)], axis=1)


def _search_alone(retrieval: Retrieval, vectors: Embedded | None, also: Keys) -> Ranked:
    """The list of the turn without its history; the passages of `also` are scored, too. Failures are not reported."""
    alone = replace(
        retrieval,
        query=WeightedQuery(retrieval.query.text),
        ranking=replace(retrieval.ranking, depth=Depth(ALONE_DEPTH, ALONE_DEPTH)),
        earlier=(),
        web=WebCandidates(),
        failures=[],
        omissions=[],
    )
    turn_alone = vectors[:1] if isinstance(vectors, Sequence) else vectors
    candidates = search_on(alone, partial(search_words, alone), turn_alone, also)
    return rank(candidates, alone.ranking, alone.collection.passages)


def _positions(keys: Keys, wanted: Keys) -> NDArray[np.int64]:
    """Where each of the wanted keys stands; all of them must be there."""
    order = np.argsort(keys)
    positions: NDArray[np.int64] = order[np.searchsorted(keys, wanted, sorter=order)]
    return positions
