"""Retrieval of one query.

Embeds the query once, searches both engines and optionally the web, then fuses, boosts, reranks, groups and labels.
What blocks runs in threads, but in a small collection (`Retrieval.is_small`) for milliseconds on the event loop.

Every limit is a setting (`RankingSettings`) that a request can override. Partial failures are reported as `Degraded`:
no embedder, vectors of another model, a failed engine, page or reranker. An error is raised only if no engine answers
and the web found nothing.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from libs.contracts.evidence import Relevance
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import Filters, SearchedTerm, WeightedQuery
from libs.contracts.stages.retrieve import RetrievePartial, RetrieveResult, RetrieveStep
from libs.contracts.usage import Degraded, Stage, Usage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.runtime.errors import ParleyError
from libs.runtime.threads import in_thread_unless
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Collection
from services.retrieve.corpus.filtering import access_of
from services.retrieve.corpus.permissions import Caller
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.reranking import Reranker
from services.retrieve.search.definitions import thing_asked
from services.retrieve.search.earlier import Rankings, recall
from services.retrieve.search.engine_queries import cosine_share, engine_queries_of, query_vectors
from services.retrieve.search.evidence_building import EvidenceBuilder
from services.retrieve.search.follow_ups import FittedOrder, in_fitted_order
from services.retrieve.search.hybrid import failure_of
from services.retrieve.search.in_time import without_dates
from services.retrieve.search.ranked_list import Ranked, rank, thresholds_of
from services.retrieve.search.ranking import Ranking, RankingSettings, ranking_of
from services.retrieve.search.retrieval import (
    Embedded,
    Retrieval,
    WordSearch,
    search_on,
    search_words,
    start_word_search,
    terms_of_query,
)
from services.retrieve.sources.web import WEB, WebCandidates, join
from services.retrieve.sources.web_candidates import BACKGROUND, WebRetriever

DEFAULT_COLLECTION = "default"
PENDING = "VECTORS_PENDING"


@dataclass(frozen=True)
class Retriever:
    """Finds evidence in a corpus. Safe for concurrent callers.

    What is None does not take part: without an embedder only the full-text engine searches the collection.
    """

    corpus: Corpus
    engines: Engines
    embedder: BatchingEmbedder | None
    settings: RankingSettings
    reranker: Reranker | None = None
    web: WebRetriever | None = None
    order: FittedOrder = field(default_factory=FittedOrder.load)

    @property
    def _builder(self) -> EvidenceBuilder:
        return EvidenceBuilder(self.corpus, self.settings)

    async def retrieve(
        self, query: WeightedQuery, options: RetrieveOptions, earlier: Rankings = ()
    ) -> AsyncGenerator[RetrieveStep, None]:
        """Search, and end with exactly one RetrieveResult; `earlier` is what earlier turns found, the newest first.

        Raises:
            NotFound: the collection does not exist for the caller.
            Unavailable: no engine answers and the web found nothing.
        """
        query = query if options.boost is None else without_dates(query)
        # Before it is known whether the collection has vectors: embedding is the slowest step.
        embedding = asyncio.create_task(self._embed(query))
        try:
            retrieval = await self._open(query, options, earlier)
            by_words = start_word_search(retrieval)
            retrieval = replace(retrieval, web=await self._on_the_web(retrieval))
            vectors = await embedding if retrieval.has_vectors else None
        finally:
            embedding.cancel()
        degraded, ranked, terms = await in_thread_unless(retrieval.is_small, self._search, retrieval, by_words, vectors)
        for failure in degraded:
            yield failure
        start_time, reranking = time.perf_counter(), tuple[Usage, ...]()
        if self.reranker is not None and len(ranked):
            yield RetrievePartial(await asyncio.to_thread(self._builder.evidence, ranked, retrieval))
            try:
                ranked = await self._rerank(self.reranker, ranked, retrieval)
            except (ParleyError, TimeoutError) as error:
                yield _not_reranked(error)
            reranking = (_usage("rerank", start_time),)
        yield await in_thread_unless(retrieval.is_small, self._result, ranked, retrieval, terms, reranking)

    async def gauge(self, questions: Sequence[str], options: RetrieveOptions) -> tuple[Relevance, ...]:
        """How well the best passage fits each question, LOW if nothing is found; raises as `retrieve`.

        Uses engine scores only: all questions are searched together and no passage is loaded.
        """
        queries = [WeightedQuery(question) for question in questions]
        vectors = await asyncio.gather(*map(self._embed, queries))
        retrievals = [await self._open(query, options) for query in queries]
        are_small = all(retrieval.is_small for retrieval in retrievals)
        return await in_thread_unless(are_small, lambda: tuple(map(self._best, retrievals, vectors)))

    def _best(self, retrieval: Retrieval, vectors: Embedded | None) -> Relevance:
        """The relevance label of the top result."""
        candidates = search_on(retrieval, partial(search_words, retrieval), vectors if retrieval.has_vectors else None)
        ranked = rank(candidates, retrieval.ranking, retrieval.collection.passages or BACKGROUND)
        thresholds = thresholds_of(ranked, self.settings)
        return thresholds.label(float(ranked.relevance[0])) if len(ranked) else Relevance.LOW

    def _search(
        self, retrieval: Retrieval, by_words: WordSearch, vectors: Embedded | None
    ) -> tuple[Sequence[Degraded], Ranked, tuple[SearchedTerm, ...]]:
        """Run the steps that need the vectors: what was degraded, the list before reranking, and the query's terms."""
        candidates = search_on(retrieval, by_words, vectors)
        ranked = rank(join(candidates, retrieval.web), retrieval.ranking, retrieval.collection.passages or BACKGROUND)
        if retrieval.earlier:
            ranked = in_fitted_order(ranked, retrieval, vectors, self.corpus, self.order)
        text = retrieval.query.text
        if thing := thing_asked(text, reading_language(text, usual=ENGLISH)):
            ranked = self._builder.with_definitions_first(ranked, retrieval, thing)
        if retrieval.options.boost is not None:
            ranked = self._builder.lift_in_time(ranked, retrieval, retrieval.options.boost)
        else:
            ranked = self._builder.in_order_of_names(ranked, retrieval)
        degraded = (*candidates.degraded, *dict.fromkeys(retrieval.omissions), *retrieval.web.degraded)
        return degraded, ranked, terms_of_query(by_words(), retrieval)

    async def _embed(self, query: WeightedQuery) -> Embedded | None:
        if self.embedder is None:
            return None
        try:
            return await query_vectors(query, self.embedder)
        except Exception as error:
            return failure_of("vector", error)

    async def _open(self, query: WeightedQuery, options: RetrieveOptions, earlier: Rankings = ()) -> Retrieval:
        is_known = self.corpus.knows(options.collection or DEFAULT_COLLECTION, Caller(options.principals))
        return await in_thread_unless(is_known, self._retrieval, query, options, earlier)

    def _retrieval(self, query: WeightedQuery, options: RetrieveOptions, earlier: Rankings) -> Retrieval:
        start_time = time.perf_counter()
        name = options.collection or DEFAULT_COLLECTION
        caller = Caller(options.principals)
        collection, row = self.corpus.collection_for(name, caller), self.corpus.collection(name)[0]
        languages = tuple(self.corpus.language_counts(name, caller))
        recalled = self.corpus.read(recall, name, earlier, options.principals) if earlier else ()
        missing = self._missing_vectors(collection)
        return Retrieval(
            query,
            options,
            self._ranking(query, options, languages),
            access_of(options.filters or Filters(), options.principals),
            collection,
            self.engines.of_row(row),
            languages,
            start_time,
            recalled,
            has_vectors=missing is None or missing.reason == PENDING,
            omissions=[] if missing is None else [missing],
        )

    def _ranking(self, query: WeightedQuery, options: RetrieveOptions, languages: Sequence[str]) -> Ranking:
        ranking = ranking_of(options, self.settings, several=len(engine_queries_of(query)) > 1)
        known = self.embedder.profile.languages if self.embedder else ()
        return replace(ranking, cosine_share=cosine_share(query.text, known, languages))

    def _missing_vectors(self, collection: Collection) -> Degraded | None:
        """Why the vector engine cannot take part, or finds less than half; else, or for an empty collection, None."""
        if not collection.passages:
            return None
        reason = "EMBEDDER_MISSING"
        if self.embedder is None:
            why = "there is no embedding model (PARLEY_RETRIEVE_EMBEDDER)."
        elif not collection.embedding_model:
            why = "the collection's documents have no vectors; ingest them again with an embedding model."
        elif collection.embedding_model != self.embedder.profile.name:
            reason, why = "VECTOR_MODEL_MISMATCH", f"the collection's vectors are of {collection.embedding_model}."
        elif 2 * collection.passages_without_vectors > collection.passages:
            effect = f"{collection.passages_without_vectors:,} of {collection.passages:,} passages have no vectors yet."
            return Degraded(Stage.RETRIEVE, PENDING, f"Only words find most passages: {effect}")
        else:
            return None
        return Degraded(Stage.RETRIEVE, reason, f"Only the full-text engine searched: {why}")

    async def _on_the_web(self, retrieval: Retrieval) -> WebCandidates:
        if self.web is None:
            options = retrieval.options
            effect = "The web was not searched: set PARLEY_RETRIEVE_WEB_SEARXNG_URL, or the key of Brave or Tavily."
            is_asked_for = options.web or WEB in (options.filters or Filters()).sources
            return WebCandidates(degraded=(Degraded(Stage.RETRIEVE, "WEB_MISSING", effect),) if is_asked_for else ())
        return await self.web.find(retrieval) if self.web.takes_part(retrieval.options) else WebCandidates()

    async def _rerank(self, reranker: Reranker, ranked: Ranked, retrieval: Retrieval) -> Ranked:
        head = ranked.first(retrieval.ranking.depth.rerank)
        passages = await asyncio.to_thread(self._builder.passages, head.keys, retrieval)
        texts = [passages[key].text if key in passages else "" for key in head.keys.tolist()]
        async with asyncio.timeout(self.settings.rerank_seconds):
            return head.reranked(await reranker.rerank(retrieval.query.text, texts))

    def _result(
        self, ranked: Ranked, retrieval: Retrieval, terms: tuple[SearchedTerm, ...], reranking: tuple[Usage, ...]
    ) -> RetrieveResult:
        evidence = self._builder.evidence(ranked, retrieval)
        if self.web is not None:
            self.web.keep(evidence, retrieval.web)
        usage = (_usage("retrieve", retrieval.start_time), *reranking)
        return RetrieveResult(evidence, self._builder.ranking(ranked, retrieval), usage, terms)


def _usage(task: str, start_time: float) -> Usage:
    return Usage(Stage.RETRIEVE, task, (time.perf_counter() - start_time) * 1000)


def _not_reranked(error: ParleyError | TimeoutError) -> Degraded:
    reason, why = (error.reason, "failed") if isinstance(error, ParleyError) else ("DEADLINE_EXCEEDED", "took too long")
    effect = f"The reranker {why}: the results stand in the order of the search engines."
    return Degraded(Stage.RETRIEVE, reason, effect)
