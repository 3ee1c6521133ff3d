"""Candidates of both engines, with exact scores from both. Everything blocks.

Each engine returns its own list. Then each is queried for the exact scores of what only the other one found, because
treating a missing score as 0 costs up to .03 nDCG@10 (benchmark MTRAG). If one engine fails, the failure is reported
and the other continues.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import numpy as np
import structlog
from numpy.typing import NDArray

from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError, Unavailable, engine_unavailable
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.protocols import Hits, SearchEngine
from services.retrieve.search.engine_queries import EngineQuery

Query = TypeVar("Query")
T = TypeVar("T")
Scores = NDArray[np.float64]

NO_KEYS: Final[NDArray[np.int64]] = np.zeros(0, np.int64)

_log = structlog.get_logger("parley.retrieve")


@dataclass(frozen=True, slots=True)
class Candidates:
    """Passages that either engine found, keys ascending, with the aligned scores of each engine that took part."""

    keys: NDArray[np.int64]
    lexical: Scores | None = None
    vector: Scores | None = None
    """nan for a passage that has no vector."""
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineSearch(Generic[Query]):
    """The hits of one engine for each wording of a query."""

    engine: SearchEngine[Query]
    queries: Sequence[Query]
    weights: Sequence[float]
    hits: Sequence[Hits]
    access: Access

    @classmethod
    def run(
        cls,
        engine: SearchEngine[Query],
        queries: Sequence[Query],
        wordings: Sequence[EngineQuery],
        depth: int,
        access: Access,
        least: float = -math.inf,
    ) -> "EngineSearch[Query]":
        """Search for every wording; hits that score less than `least` for a wording are dropped."""
        hits = [engine.search(query, depth, access).at_least(least) for query in queries]
        return cls(engine, queries, [wording.weight for wording in wordings], hits, access)

    def exact(self, keys: NDArray[np.int64]) -> Scores:
        """The mean score of each passage, weighted over the wordings; `keys` ascend and include all hits."""
        scores = [self._of_wording(query, hits, keys) for query, hits in zip(self.queries, self.hits, strict=True)]
        mean: Scores = np.average(scores, axis=0, weights=self.weights)
        return mean

    def _of_wording(self, query: Query, hits: Hits, keys: NDArray[np.int64]) -> Scores:
        scores = np.full(len(keys), np.nan)
        scores[np.searchsorted(keys, hits.keys)] = hits.scores
        missing = np.isnan(scores)
        if hits.others is not None:
            scores[missing] = hits.others
        elif missing.any():
            scores[missing] = self.engine.scores(query, keys[missing], self.access)
        return scores


def complete_candidates(
    by_words: EngineSearch[Any] | None,
    by_vector: EngineSearch[Any] | None,
    failures: Sequence[Degraded],
    also: NDArray[np.int64] = NO_KEYS,
) -> Candidates:
    """The hits of both engines and the passages of `also`, with missing scores filled in.

    None is an engine that took no part.

    Raises:
        Unavailable: both engines failed, here or before.
    """
    all_failures = list(failures)
    keys = _union([also, *(hits.keys for search in (by_words, by_vector) if search for hits in search.hits)])
    lexical = None if by_words is None else attempt("full-text", lambda: by_words.exact(keys), all_failures)
    vector = None if by_vector is None else attempt("vector", lambda: by_vector.exact(keys), all_failures)
    if len(all_failures) == 2:
        raise engine_unavailable("No search engine answers: retrieve's log says why.")
    return Candidates(keys, lexical, vector, tuple(all_failures))


def attempt(name: str, work: Callable[[], T], failures: list[Degraded]) -> T | None:
    """The result of `work`; None if it fails, after recording the failure."""
    try:
        return work()
    except Exception as error:
        failures.append(failure_of(name, error))
        return None


def failure_of(name: str, error: Exception) -> Degraded:
    """Log why an engine failed, and return it as `Degraded`."""
    reason = error.reason if isinstance(error, ParleyError) else "ENGINE_UNAVAILABLE"
    if not isinstance(error, Unavailable):  # the breaker logs a server that is down once, not for every query
        _log.warning("engine failed", engine=name, reason=reason, exc_info=error)
    return Degraded(Stage.RETRIEVE, reason, f"The {name} engine failed: the results are those of the other engine.")


def _union(key_arrays: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Every key once, ascending; for some thousand keys sorting is ten times as fast as np.unique, which hashes."""
    keys = np.sort(np.concatenate([np.zeros(0, np.int64), *key_arrays]))
    return keys[np.diff(keys, prepend=-1) > 0]
