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
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial

from libs.contracts.evidence import Relevance
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import Filters, SearchedTerm, WeightedQuery
from libs.contracts.stages.retrieve import RetrievePartial, RetrieveResult, RetrieveStep
from libs.contracts.usage import Degraded, Stage, Usage
from libs.runtime.errors import ParleyError
from libs.runtime.threads import in_thread_unless
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Collection
from services.retrieve.corpus.filtering import access_of
from services.retrieve.corpus.permissions import Caller
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.reranking import Reranker
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
from services.retrieve.sources.web import WebCandidates, is_asked_for, join
from services.retrieve.sources.web_candidates import BACKGROUND, WebRetriever

DEFAULT_COLLECTION = "default"


@dataclass(frozen=True, slots=True)
class _SearchOutcome:
    """The outcome of a search before reranking."""

    degraded: Sequence[Degraded]
    ranked: Ranked
    result: RetrieveResult | None
    """None while a reranker has yet to run."""
    terms: tuple[SearchedTerm, ...] = ()


class Retriever:
    """Finds evidence in a corpus. Safe for concurrent callers."""

    def __init__(
        self,
        corpus: Corpus,
        engines: Engines,
        embedder: BatchingEmbedder | None,
        settings: RankingSettings,
        reranker: Reranker | None = None,
        web: WebRetriever | None = None,
        order: FittedOrder | None = None,
    ) -> None:
        """What is None does not take part: without an embedder only the full-text engine searches the collection."""
        self._corpus = corpus
        self._engines = engines
        self._embedder = embedder
        self._settings = settings
        self._reranker = reranker
        self._web = web
        self._order = order or FittedOrder.load()
        near = None if embedder is None else settings.near_duplicate or embedder.profile.near_duplicate
        self._presenter = EvidenceBuilder(corpus, settings, near)

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
        embedding = None if self._embedder is None else asyncio.create_task(_embed(query, self._embedder))
        try:
            is_known = self._corpus.knows(options.collection or DEFAULT_COLLECTION, Caller(options.principals))
            retrieval = await in_thread_unless(is_known, self._retrieval, query, options, earlier)
            by_words = await start_word_search(retrieval, embedding)
            missing = self._why_no_vectors(retrieval.collection)
            if missing is not None:
                yield missing
            retrieval = replace(retrieval, web=await self._on_the_web(retrieval))
            embedding_result = None if missing is not None or embedding is None else await embedding
        finally:
            if embedding is not None:
                embedding.cancel()
        outcome = await in_thread_unless(retrieval.is_small, self._search, retrieval, by_words, embedding_result)
        for failure in outcome.degraded:
            yield failure
        if outcome.result is not None:
            yield outcome.result
            return
        async with aclosing(self._rerank_steps(outcome, retrieval)) as steps:
            async for step in steps:
                yield step

    async def gauge(self, questions: Sequence[str], options: RetrieveOptions) -> tuple[Relevance, ...]:
        """How well the best passage fits each question, LOW if nothing is found; raises as `retrieve`.

        Uses engine scores only: all questions are searched together and no passage is loaded.
        """
        queries = [WeightedQuery(question) for question in questions]
        vectors: Sequence[Embedded | None] = [None] * len(queries)
        if self._embedder is not None:
            vectors = await asyncio.gather(*(_embed(query, self._embedder) for query in queries))
        is_known = self._corpus.knows(options.collection or DEFAULT_COLLECTION, Caller(options.principals))
        retrievals = [await in_thread_unless(is_known, self._retrieval, query, options) for query in queries]
        are_small = all(retrieval.is_small for retrieval in retrievals)
        return await in_thread_unless(are_small, lambda: tuple(map(self._best, retrievals, vectors)))

    def _best(self, retrieval: Retrieval, vectors: Embedded | None) -> Relevance:
        """The relevance label of the top result."""
        usable = vectors if self._why_no_vectors(retrieval.collection) is None else None
        candidates = search_on(retrieval, partial(search_words, retrieval), usable)
        ranked = rank(candidates, retrieval.ranking, retrieval.collection.passages or BACKGROUND)
        thresholds = thresholds_of(ranked, self._settings)
        return thresholds.label(float(ranked.relevance[0])) if len(ranked) else Relevance.LOW

    def _search(self, retrieval: Retrieval, by_words: WordSearch, embedding_result: Embedded | None) -> _SearchOutcome:
        """Run the steps that need the vectors, up to the final result if there is no reranker."""
        candidates = search_on(retrieval, by_words, embedding_result)
        ranked = rank(join(candidates, retrieval.web), retrieval.ranking, retrieval.collection.passages or BACKGROUND)
        if retrieval.earlier:
            ranked = in_fitted_order(ranked, retrieval, embedding_result, self._corpus, self._order)
        if retrieval.options.boost is not None:
            ranked = self._presenter.lift_in_time(ranked, retrieval, retrieval.options.boost)
        degraded = (*candidates.degraded, *dict.fromkeys(retrieval.omissions), *retrieval.web.degraded)
        is_reranked = self._reranker is not None and len(ranked)
        terms = terms_of_query(by_words(), retrieval)
        return _SearchOutcome(degraded, ranked, None if is_reranked else self._result(ranked, retrieval, terms), terms)

    async def _rerank_steps(self, outcome: _SearchOutcome, retrieval: Retrieval) -> AsyncGenerator[RetrieveStep, None]:
        """The evidence in fused order, then in the reranker's order."""
        ranked, start = outcome.ranked, time.perf_counter()
        assert self._reranker is not None  # _search leaves the result open only for a reranker
        yield RetrievePartial(await asyncio.to_thread(self._presenter.evidence, ranked, retrieval))
        try:
            ranked = await self._rerank(self._reranker, ranked, retrieval)
        except ParleyError as error:
            yield Degraded(
                Stage.RETRIEVE,
                error.reason,
                "The reranker failed: the results stand in the order of the search engines.",
            )
        except TimeoutError:
            why = "The reranker took too long: the results stand in the order of the search engines."
            yield Degraded(Stage.RETRIEVE, "DEADLINE_EXCEEDED", why)
        reranking = Usage(Stage.RETRIEVE, "rerank", (time.perf_counter() - start) * 1000)
        result = await asyncio.to_thread(self._result, ranked, retrieval, outcome.terms)
        yield replace(result, usage=(*result.usage, reranking))

    def _retrieval(self, query: WeightedQuery, options: RetrieveOptions, earlier: Rankings = ()) -> Retrieval:
        start_time = time.perf_counter()
        name = options.collection or DEFAULT_COLLECTION
        row, collection = self._corpus.collection(name)
        self._corpus.require(name, Caller(options.principals))
        languages = self._corpus.languages(row)
        recalled = self._corpus.read(lambda c: recall(c, name, earlier, options.principals)) if earlier else ()
        return Retrieval(
            query,
            options,
            self._ranking(query, options, languages),
            access_of(options.filters or Filters(), options.principals),
            collection,
            self._engines.of_row(row, name),
            languages,
            start_time,
            recalled,
        )

    def _ranking(self, query: WeightedQuery, options: RetrieveOptions, languages: Sequence[str]) -> Ranking:
        ranking = ranking_of(options, self._settings, several=len(engine_queries_of(query)) > 1)
        known = self._embedder.profile.languages if self._embedder else ()
        return replace(ranking, cosine_share=cosine_share(query.text, known, languages))

    def _why_no_vectors(self, collection: Collection) -> Degraded | None:
        """Why the vector engine cannot take part; None if it can, or if the collection is empty."""
        if not collection.passages:
            return None
        effect = "Only the full-text engine searched: "
        if self._embedder is None:
            return Degraded(
                Stage.RETRIEVE, "EMBEDDER_MISSING", f"{effect}there is no embedding model (PARLEY_RETRIEVE_EMBEDDER)."
            )
        if not collection.embedding_model:
            return Degraded(
                Stage.RETRIEVE,
                "EMBEDDER_MISSING",
                f"{effect}the collection's documents have no vectors; ingest them again with an embedding model.",
            )
        if collection.embedding_model != self._embedder.profile.name:
            why = f"the collection's vectors are of {collection.embedding_model}."
            return Degraded(Stage.RETRIEVE, "VECTOR_MODEL_MISMATCH", effect + why)
        return None

    async def _on_the_web(self, retrieval: Retrieval) -> WebCandidates:
        if self._web is None:
            effect = "The web was not searched: set PARLEY_RETRIEVE_WEB_SEARXNG_URL, or the key of Brave or Tavily."
            degraded = (Degraded(Stage.RETRIEVE, "WEB_MISSING", effect),)
            return WebCandidates(degraded=degraded if is_asked_for(retrieval.options) else ())
        return await self._web.find(retrieval) if self._web.takes_part(retrieval.options) else WebCandidates()

    async def _rerank(self, reranker: Reranker, ranked: Ranked, retrieval: Retrieval) -> Ranked:
        head = ranked.first(retrieval.ranking.depth.rerank)
        passages = await asyncio.to_thread(self._presenter.passages, head.keys, retrieval)
        texts = [passages[key].text if key in passages else "" for key in head.keys.tolist()]
        async with asyncio.timeout(self._settings.rerank_seconds):
            return head.reranked(await reranker.rerank(retrieval.query.text, texts))

    def _result(self, ranked: Ranked, retrieval: Retrieval, terms: tuple[SearchedTerm, ...]) -> RetrieveResult:
        evidence = self._presenter.evidence(ranked, retrieval)
        if self._web is not None:
            self._web.keep(evidence, retrieval.web)
        milliseconds = (time.perf_counter() - retrieval.start_time) * 1000
        usage = (Usage(Stage.RETRIEVE, "retrieve", milliseconds),)
        return RetrieveResult(evidence, self._presenter.ranking(ranked, retrieval), usage, terms)


async def _embed(query: WeightedQuery, embedder: BatchingEmbedder) -> Embedded:
    try:
        return await query_vectors(query, embedder)
    except Exception as error:
        return failure_of("vector", error)
