"""From a query to scored web passages: found, preselected by their words, embedded in one batch, scored."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

import numpy as np
import structlog
from numpy.typing import NDArray

from libs.contracts.evidence import Evidence, Passage
from libs.contracts.query import Filters, WeightedQuery
from libs.contracts.usage import Degraded, Stage
from libs.documents.rendering import plain_words
from libs.language.analysis import terms_of
from libs.runtime.deadline import budget
from libs.runtime.errors import ParleyError
from services.retrieve.embedding.embedder import SharedEmbedder, TextKind
from services.retrieve.engines.collection import CollectionEngines
from services.retrieve.engines.embedded.lexical import FILLER_TERMS
from services.retrieve.indexing.passage_context import place_of
from services.retrieve.search.engine_queries import engine_queries_of, query_vectors, weighted_stems, with_passages
from services.retrieve.search.terms import query_terms
from services.retrieve.sources.web import RESERVE_SECONDS, WebSource
from services.retrieve.sources.web_merging import WebCandidates
from services.retrieve.sources.web_store import KeptPassages

Scores = NDArray[np.float64]
_log = structlog.get_logger("parley.retrieve")


@dataclass(frozen=True, slots=True)
class WebQuery:
    """A query to the web, and the collection that is searched with it."""

    query: WeightedQuery
    filters: Filters
    collection: str
    engines: CollectionEngines
    passages: int
    """Number of passages in the collection."""
    languages: tuple[str, ...] = ()
    """Languages of the collection."""


class WebRetriever:
    """Searches the web for the retriever."""

    def __init__(self, source: WebSource, embedder: SharedEmbedder | None, store: KeptPassages) -> None:
        """Passages that become evidence go to `store`."""
        self._source = source
        self._embedder = embedder
        self._store = store

    @property
    def always(self) -> bool:
        """Whether the web is searched for every question."""
        return self._source.always

    async def find(self, request: WebQuery) -> WebCandidates:
        """Candidates from the web; failures are in `degraded`, and no error is raised."""
        try:
            return await self._find(request)
        except Exception as error:  # whatever goes wrong on the web, the corpus's evidence is returned
            _log.error("the web failed", exc_info=error)
            failure = Degraded(Stage.RETRIEVE, "ENGINE_UNAVAILABLE", "The web took no part: it failed.")
            return WebCandidates(degraded=(failure,))

    async def _find(self, request: WebQuery) -> WebCandidates:
        web_passages = await self._source.find(request.query, request.filters, request.collection)
        if not web_passages.passages:
            return WebCandidates(degraded=web_passages.degraded)
        passages, lexical = await asyncio.to_thread(self._best_by_words, web_passages.passages, request)
        try:
            async with asyncio.timeout(budget(None, RESERVE_SECONDS / 3)):
                vectors, cosines = await self._by_meaning(passages, request.query)
        except (ParleyError, TimeoutError) as error:
            reason = error.reason if isinstance(error, ParleyError) else "DEADLINE_EXCEEDED"
            effect = "The web took no part: its pages could not be embedded in time."
            return WebCandidates(degraded=(*web_passages.degraded, Degraded(Stage.RETRIEVE, reason, effect)))
        return WebCandidates(passages, lexical, cosines, vectors, web_passages.degraded)

    def keep(self, evidence: Sequence[Evidence], web: WebCandidates) -> None:
        """Store the web passages among the evidence, so that they can be opened later. Blocking."""
        if not len(web):
            return
        passages_by_id = {passage.passage_id: passage for passage in web.passages}
        cited_passages = [
            p for item in evidence for p in (item.passage, *(copy.passage for copy in item.near_duplicates))
        ]
        try:
            self._store.keep(
                [
                    passages_by_id[passage.passage_id]
                    for passage in cited_passages
                    if passage.passage_id in passages_by_id
                ]
            )
        except sqlite3.Error as error:  # the answer matters more than opening its citations later
            _log.error("passages of the web could not be kept", exc_info=error)

    def _best_by_words(self, passages: Sequence[Passage], request: WebQuery) -> tuple[tuple[Passage, ...], Scores]:
        """The passages to embed, in their original order, with their scores; each text once."""
        distinct = list({passage.passage_id: passage for passage in passages}.values())
        term_counts = [Counter(terms_of(f"{_place(p)}\n{plain_words(p.text)}", p.language)) for p in distinct]
        wordings = engine_queries_of(request.query)
        terms = query_terms(tuple(dict.fromkeys((*request.languages, *(passage.language for passage in distinct)))))
        queries = [weighted_stems(wording, terms) for wording in wordings]
        weights = [wording.weight for wording in wordings]
        frequencies = _frequencies(request.engines, queries) if request.passages else None
        scores = bm25(term_counts, queries, weights, request.passages, frequencies)
        best = np.sort(np.argsort(-scores, kind="stable")[:MAX_PASSAGES])
        return tuple(distinct[at] for at in best), scores[best]

    async def _by_meaning(
        self, passages: Sequence[Passage], query: WeightedQuery
    ) -> tuple[NDArray[np.float32] | None, Scores | None]:
        """The passages' vectors, and the weighted mean of their cosines to the wordings."""
        if self._embedder is None:
            return None, None
        texts = [f"{_place(passage)}\n{plain_words(passage.text)}".strip() for passage in passages]
        search_vectors = with_passages(await query_vectors(query, self._embedder), ())
        vectors = await self._embedder.embed(texts, TextKind.PASSAGE)
        weights = [wording.weight for wording in engine_queries_of(query)]
        return vectors, np.average(vectors @ np.stack(search_vectors).T, axis=1, weights=weights).astype(np.float64)


def _place(passage: Passage) -> str:
    return place_of(passage.title, passage.headings)


def _frequencies(engines: CollectionEngines, queries: Sequence[Mapping[str, float]]) -> Mapping[str, int] | None:
    """Number of the collection's passages in which each stem occurs; None if its engine cannot count them."""
    try:
        engine = engines.lexical()
        if not isinstance(engine, TermStatistics):
            return None
        return engine.document_frequencies({term for query in queries for term in query})
    except ParleyError:
        return None


MAX_PASSAGES: Final = 32
"""Passages of all pages that are embedded and ranked, those with the query's words first.

all-MiniLM-L6-v2 embeds 57 a second on two cores.
"""
K1: Final = 1.2
B: Final = 0.75
"""Relative to the length with filler, as in `engines.lexical`."""
BACKGROUND: Final = 10_000
"""Assumed number of other passages on the web if the collection is empty.

Every page found contains the query's words, so among these pages alone all words would seem common.
"""


@runtime_checkable
class TermStatistics(Protocol):
    """A full-text engine that counts the passages in which a stem occurs."""

    def document_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """The counts by stem; blocking."""
        ...


def bm25(
    passages: Sequence[Counter[str]],
    queries: Sequence[Mapping[str, float]],
    weights: Sequence[float],
    collection: int,
    frequencies: Mapping[str, int] | None,
) -> Scores:
    """The weighted mean over the wordings of each passage's sum of weight * BM25, shape (passages,), >= 0.

    Args:
        passages: the stems of each passage with their counts.
        queries: stems with weights, for each wording.
        weights: how much each wording counts.
        collection: number of passages in the collection.
        frequencies: number of them in which each stem occurs; None if unknown.
    """
    if not passages:
        return np.zeros(0)
    counts_of_terms = frequencies if collection else None
    total = collection if counts_of_terms is not None else (collection or BACKGROUND) + len(passages)
    lengths = np.array([counts.total() for counts in passages], np.float64) + FILLER_TERMS
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    scores = {
        term: _idf(total, _passages_with(term, passages, counts_of_terms)) * _saturation(term, passages, norms)
        for term in {term for query in queries for term in query}
    }
    scores_by_wording = [
        sum((weight * scores[term] for term, weight in q.items()), np.zeros(len(passages))) for q in queries
    ]
    return np.average(scores_by_wording, axis=0, weights=weights)


def _saturation(term: str, passages: Sequence[Counter[str]], norms: Scores) -> Scores:
    counts = np.array([passage[term] for passage in passages], np.float64)
    return counts / (counts + norms)


def _passages_with(term: str, passages: Sequence[Counter[str]], frequencies: Mapping[str, int] | None) -> int:
    return sum(term in passage for passage in passages) if frequencies is None else frequencies.get(term, 0)


def _idf(total: int, having: int) -> float:
    """Lucene's formula, never negative."""
    return float(np.log(1 + (max(0, total - having) + 0.5) / (having + 0.5)))
