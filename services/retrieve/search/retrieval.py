"""The state of one retrieval, and its searches: full text concurrently with the embedding, then vectors.

Everything blocks. If one engine fails, the failure is recorded and the other continues.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import SearchedTerm, WeightedQuery
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import Unavailable
from libs.runtime.threads import submit
from services.retrieve.corpus.documents import Collection
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection import CollectionEngines
from services.retrieve.engines.protocols import LexicalEngine
from services.retrieve.search.earlier import BELIEVED, Recalled, belief_vectors
from services.retrieve.search.engine_queries import (
    EngineQuery,
    engine_queries_of,
    query_terms,
    weighted_stems,
    with_near_stems,
    with_passages,
)
from services.retrieve.search.hybrid import NO_KEYS, Candidates, EngineSearch, attempt, complete_candidates
from services.retrieve.search.ranking import Ranking
from services.retrieve.sources.web import WebCandidates

Vector = NDArray[np.float32]
Embedded = Sequence[Vector] | Degraded
"""The unit vectors of a query, or why it has none."""
SMALL: Final = 1_000
"""Passages of a collection for which embedded engines search and build evidence in 4 ms (taste)."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One retrieval, with everything that stays the same until its end."""

    query: WeightedQuery
    options: RetrieveOptions
    ranking: Ranking
    access: Access
    collection: Collection
    engines: CollectionEngines
    languages: tuple[str, ...]
    """Languages of the collection's documents."""
    start_time: float
    """Start time, from time.perf_counter."""
    earlier: tuple[Recalled, ...] = ()
    """What earlier turns found, the newest first."""
    web: WebCandidates = field(default_factory=WebCandidates)
    """Results of the web; empty until they arrive."""
    has_vectors: bool = True
    """Whether the collection's passages can be searched by the query's vectors."""
    failures: list[Degraded] = field(default_factory=list)
    """Engines that should have taken part but failed."""
    omissions: list[Degraded] = field(default_factory=list)
    """Features that an engine searched without, recorded during the search."""

    @property
    def is_small(self) -> bool:
        """Whether the whole retrieval is short enough to run on the event loop; reading dates is not."""
        return self.collection.passages <= SMALL and self.engines.are_embedded and self.options.boost is None


ByWords = EngineSearch[Mapping[str, float]]
WordSearch = Callable[[], ByWords | None]
"""Returns the hits of the full-text engine, the same on each call; blocks until they are known."""
UNREAD: Final = 50
"""Passages without the term that are added to each collection.

In small collections frequencies do not show which words are rare, and a word that no passage has means little (0 to
200: the same for collections of 160 passages and more).
"""


def search_words(retrieval: Retrieval) -> ByWords | None:
    """The hits of the full-text engine; None if it fails."""
    return attempt("full-text", lambda: _by_words(retrieval), retrieval.failures)


def start_word_search(retrieval: Retrieval) -> WordSearch:
    """Start the full-text search beside the embedding; in a small collection it runs when its result is needed."""
    return cache(partial(search_words, retrieval)) if retrieval.is_small else submit(search_words, retrieval).result


def search_on(
    retrieval: Retrieval,
    by_words: WordSearch,
    embedding_result: Embedded | None,
    also: NDArray[np.int64] = NO_KEYS,
) -> Candidates:
    """The collection's candidates, once the query is embedded; empty if only the web found something.

    The full-text engine's hits are read after the vector search, which takes no part if `embedding_result` is None. The
    passages of `also` are candidates, too.

    Raises:
        Unavailable: no engine answers and the web found nothing.
    """
    by_vector = None
    if isinstance(embedding_result, Degraded):
        retrieval.failures.append(embedding_result)
    elif embedding_result is not None:
        by_vector = attempt("vector", lambda: _by_vectors(retrieval, embedding_result), retrieval.failures)
    try:
        return complete_candidates(by_words(), by_vector, retrieval.failures, also)
    except Unavailable as error:
        if not len(retrieval.web):
            raise
        effect = "Only the web was searched: no engine of the collection answers."
        return Candidates(np.zeros(0, np.int64), degraded=(Degraded(Stage.RETRIEVE, error.reason, effect),))


def terms_of_query(by_words: ByWords | None, retrieval: Retrieval) -> tuple[SearchedTerm, ...]:
    """The terms of the query's own wording, each with its rarity in the collection."""
    if by_words is None or not by_words.queries:
        return ()
    weights = weighted_stems(engine_queries_of(retrieval.query)[0], query_terms(retrieval.languages))
    index = retrieval.engines.lexical()
    frequencies = attempt("full-text", lambda: index.document_frequencies(weights, retrieval.access), [])
    passages = max(retrieval.collection.passages, 1)
    counts = frequencies or {}
    return tuple(SearchedTerm(term, weight, rarity(counts.get(term, 0), passages)) for term, weight in weights.items())


def rarity(matching: int, passages: int) -> float:
    """BM25's inverse document frequency, as a share of its maximum for a term in one passage."""
    passages += UNREAD
    return math.log(1 + (passages - matching + 0.5) / (matching + 0.5)) / math.log(2 + passages)


def _by_words(retrieval: Retrieval) -> ByWords:
    index = retrieval.engines.lexical()
    wordings = engine_queries_of(retrieval.query)
    terms = [_terms(wording, index, retrieval) for wording in wordings]
    return EngineSearch.run(index, terms, wordings, retrieval.ranking.depth.lexical, retrieval.access)


def _terms(wording: EngineQuery, index: LexicalEngine, retrieval: Retrieval) -> Mapping[str, float]:
    stems = weighted_stems(wording, query_terms(retrieval.languages))
    stems = with_near_stems(wording, stems, retrieval.languages)
    try:
        return index.expanded(wording.text, stems)
    except Unavailable as error:
        effect = "The full-text engine searched by words alone: its learned model does not answer."
        retrieval.omissions.append(Degraded(Stage.RETRIEVE, error.reason, effect))
        return stems


def _by_vectors(retrieval: Retrieval, vectors: Sequence[Vector]) -> EngineSearch[Vector] | None:
    index = retrieval.engines.vector()
    if index is None:
        return None
    depth = retrieval.ranking.depth.vector
    least = retrieval.ranking.least_cosine
    beliefs = belief_vectors(retrieval.earlier, [index.vectors(turn.keys[:BELIEVED]) for turn in retrieval.earlier])
    queries = with_passages(vectors, beliefs)
    return EngineSearch.run(index, queries, engine_queries_of(retrieval.query), depth, retrieval.access, least)
