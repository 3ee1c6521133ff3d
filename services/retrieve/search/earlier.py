"""What earlier turns found, as far as it still exists and may be seen: a follow-up is searched beside it.

A turn leaves behind a belief over passages, not one passage: the first of them may not be the one that answered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from libs.contracts.stages.retrieve import EarlierRanking
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.places import PassagePlace, places_of_passages
from services.retrieve.embedding.embedder import unit

Rankings: TypeAlias = Sequence[EarlierRanking]
BELIEVED: Final = 5
"""Passages among which the one that answered is assumed to be (3 to 5: the same)."""
SHARPNESS: Final = 8.0
"""The share of a passage is proportional to exp(SHARPNESS * score) (8 and 12: the same; `bench.fit.rank` fits so)."""
BELIEF_WEIGHT: Final = 0.3
BELIEF_DECAY: Final = 0.4
"""The passages of the turn of age a weigh BELIEF_WEIGHT * BELIEF_DECAY^a in the query's vector.

Measured on docsqa's sessions: .3 and .4 the same; the first passage alone finds .022 less in its first three hits on
turns of which a word was taken away.
"""


@dataclass(frozen=True, slots=True)
class Recalled:
    """The passages that one earlier turn found, the best first; all arrays are aligned."""

    keys: NDArray[np.int64]
    documents: NDArray[np.int64]
    """The row numbers of their documents."""
    scores: NDArray[np.float64]
    """How well each explained its question, in [0, 1]: 1 for the best passage of the ranking."""

    @property
    def shares(self) -> NDArray[np.float64]:
        """The shares of the first passages in the belief; they sum to 1."""
        weights: NDArray[np.float64] = np.exp(SHARPNESS * self.scores[:BELIEVED])
        shares: NDArray[np.float64] = weights / weights.sum()
        return shares


def recall(
    connection: Connection, collection: str, rankings: Rankings, principals: Sequence[str]
) -> tuple[Recalled, ...]:
    """Look up what earlier turns found, the newest turn first.

    Passages that are gone, or that the principals may not see, are left out; so are turns of which nothing remains.
    """
    ids = list(dict.fromkeys(passage.passage_id for ranking in rankings for passage in ranking.passages))
    places = places_of_passages(connection, collection, ids, principals) if ids else {}
    recalled = (_recalled(ranking, places) for ranking in rankings)
    return tuple(turn for turn in recalled if len(turn.keys))


def _recalled(ranking: EarlierRanking, places: dict[str, PassagePlace]) -> Recalled:
    best = max((passage.score for passage in ranking.passages), default=0.0)
    known = [(places[p.passage_id], p.score - best) for p in ranking.passages if p.passage_id in places]
    return Recalled(
        np.array([place.key for place, _ in known], np.int64),
        np.array([place.document for place, _ in known], np.int64),
        np.clip([1 + gap for _, gap in known], 0.0, 1.0),
    )


def belief_vectors(
    earlier: Sequence[Recalled], vectors: Sequence[NDArray[np.float32]]
) -> list[tuple[float, NDArray[np.float32]]]:
    """Each turn's weight, and the unit mean of its first passages' `vectors` (a row a passage) by their shares."""
    means = [turn.shares.astype(np.float32) @ rows for turn, rows in zip(earlier, vectors, strict=True)]
    return [(BELIEF_WEIGHT * BELIEF_DECAY**age, unit(mean[None])[0]) for age, mean in enumerate(means)]
