"""From a query to scored web passages: found, preselected by their words (in a thread), embedded at once, scored."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import structlog
from numpy.typing import NDArray

from libs.contracts.evidence import Evidence, Passage
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import Filters, WeightedQuery
from libs.contracts.usage import Degraded, Stage
from libs.documents.rendering import plain_words
from libs.language.analysis import terms_of
from libs.runtime.deadline import budget
from libs.runtime.errors import ParleyError
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.embedding.embedder import TextKind
from services.retrieve.engines.embedded.lexical import FILLER_TERMS, idf
from services.retrieve.indexing.passage import place_of
from services.retrieve.search.engine_queries import (
    engine_queries_of,
    query_terms,
    query_vectors,
    weighted_stems,
    with_passages,
)
from services.retrieve.search.hybrid import attempt
from services.retrieve.search.retrieval import Retrieval
from services.retrieve.sources.web import RESERVE_SECONDS, WEB, WebCandidates, WebSource
from services.retrieve.sources.web_store import KeptPassages

Scores = NDArray[np.float64]
_log = structlog.get_logger("parley.retrieve")


@dataclass(frozen=True, slots=True)
class WebRetriever:
    """Searches the web for the retriever."""

    source: WebSource
    embedder: BatchingEmbedder | None
    store: KeptPassages
    """Where passages go that become evidence."""

    def takes_part(self, options: RetrieveOptions) -> bool:
        """Whether to search the web: a request or the setting asks for it, and no filter excludes it."""
        filters = options.filters or Filters()
        if filters.metadata or filters.document_ids:  # pages have neither
            return False
        return WEB in filters.sources if filters.sources else options.web or self.source.settings.always

    async def find(self, retrieval: Retrieval) -> WebCandidates:
        """Candidates from the web; failures are in `degraded`, and no error is raised."""
        try:
            return await self._find(retrieval)
        except Exception as error:  # whatever goes wrong on the web, the corpus's evidence is returned
            _log.error("the web failed", exc_info=error)
            failure = Degraded(
                Stage.RETRIEVE,
                "ENGINE_UNAVAILABLE",
                "The search of the web failed: the results are those of the documents.",
            )
            return WebCandidates(degraded=(failure,))

    async def _find(self, retrieval: Retrieval) -> WebCandidates:
        filters = retrieval.options.filters or Filters()
        web_passages = await self.source.find(retrieval.query, filters, retrieval.collection.name)
        if not web_passages.passages:
            return WebCandidates(degraded=web_passages.degraded)
        passages, lexical = await asyncio.to_thread(self._best_by_words, web_passages.passages, retrieval)
        try:
            async with asyncio.timeout(budget(None, RESERVE_SECONDS / 3)):  # taste
                vectors, cosines = await self._by_meaning(passages, retrieval.query)
        except (ParleyError, TimeoutError) as error:
            reason = error.reason if isinstance(error, ParleyError) else "DEADLINE_EXCEEDED"
            effect = "The results of the web are missing: its pages could not be embedded in time."
            return WebCandidates(degraded=(*web_passages.degraded, Degraded(Stage.RETRIEVE, reason, effect)))
        return WebCandidates(passages, lexical, cosines, vectors, web_passages.degraded)

    def keep(self, evidence: Sequence[Evidence], web: WebCandidates) -> None:
        """Store the web passages among the evidence, so that they can be opened later. Blocking."""
        if not len(web):
            return
        cited_ids = {
            p.passage_id for item in evidence for p in (item.passage, *(n.passage for n in item.near_duplicates))
        }
        try:
            self.store.keep([passage for passage in web.passages if passage.passage_id in cited_ids])
        except sqlite3.Error as error:  # the answer matters more than opening its citations later
            _log.error("passages of the web could not be kept", exc_info=error)

    def _best_by_words(self, passages: Sequence[Passage], retrieval: Retrieval) -> tuple[tuple[Passage, ...], Scores]:
        """The passages to embed, in their original order, with their scores; each text once."""
        distinct = list({passage.passage_id: passage for passage in passages}.values())
        term_counts = [Counter(terms_of(_words(passage), passage.language)) for passage in distinct]
        wordings = engine_queries_of(retrieval.query)
        terms = query_terms(tuple(dict.fromkeys((*retrieval.languages, *(passage.language for passage in distinct)))))
        queries = [weighted_stems(wording, terms) for wording in wordings]
        weights = [wording.weight for wording in wordings]
        size = retrieval.collection.passages
        stems = {term for query in queries for term in query}
        frequencies = None
        if size:
            index, access = retrieval.engines.lexical(), retrieval.access
            frequencies = attempt("full-text", lambda: index.document_frequencies(stems, access), [])
        scores = bm25(term_counts, queries, weights, size, frequencies)
        best = np.sort(np.argsort(-scores, kind="stable")[:MAX_PASSAGES])
        return tuple(distinct[at] for at in best), scores[best]

    async def _by_meaning(
        self, passages: Sequence[Passage], query: WeightedQuery
    ) -> tuple[NDArray[np.float32] | None, Scores | None]:
        """The passages' vectors, and the weighted mean of their cosines to the wordings."""
        if self.embedder is None:
            return None, None
        texts = [_words(passage).strip() for passage in passages]
        search_vectors = with_passages(await query_vectors(query, self.embedder), ())
        vectors = await self.embedder.embed(texts, TextKind.PASSAGE)
        weights = [wording.weight for wording in engine_queries_of(query)]
        return vectors, np.average(vectors @ np.stack(search_vectors).T, axis=1, weights=weights).astype(np.float64)


def _words(passage: Passage) -> str:
    """What is searched and embedded: its title and headings, and its text."""
    return f"{place_of(passage.title, passage.headings)}\n{plain_words(passage.text)}"


MAX_PASSAGES: Final = 32
"""Passages of all pages that are embedded and ranked, those with the query's words first.

all-MiniLM-L6-v2 embeds 57 a second on two cores (taste).
"""
K1: Final = 1.2  # Lucene's default, as the next one
B: Final = 0.75
"""Of the length with filler: about .3 of that without it, as measured for `engines.embedded.lexical`."""
BACKGROUND: Final = 10_000
"""Assumed number of other passages on the web if the collection is empty (taste).

Every page found contains the query's words, so among these pages alone all words would seem common.
"""


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
    scores = {}
    for term in {term for query in queries for term in query}:
        counts = np.array([passage[term] for passage in passages], np.float64)
        having = np.count_nonzero(counts) if counts_of_terms is None else counts_of_terms.get(term, 0)
        scores[term] = idf(total, int(having)) * counts / (counts + norms)
    scores_by_wording = [
        sum((weight * scores[term] for term, weight in q.items()), np.zeros(len(passages))) for q in queries
    ]
    return np.average(scores_by_wording, axis=0, weights=weights)
