"""Retrieval of one query: embed once, search both engines and, where it is wanted, the web; fuse, boost, rerank, group,
label.

Every bound is a setting (`RankingSettings`) that a request may change. What could not be done is said as `Degraded`:
no embedder, vectors of another model, an engine, a page or a reranker that failed. Only when nothing answers it raises.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from services.retrieve.boosting import belonging
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.dates import seconds_of_range
from services.retrieve.corpus.documents import Collection
from services.retrieve.corpus.filtering import Access, access_of
from services.retrieve.corpus.reading import passage_ids_of_keys, passages_of_keys
from services.retrieve.embedding.embedder import Embedder
from services.retrieve.engines.collection import CollectionEngines, Engines
from services.retrieve.engines.protocols import LexicalEngine
from services.retrieve.grouping import Group, group_near_duplicates
from services.retrieve.hybrid import Candidates, EngineSearch, attempted, completed, failure_of
from services.retrieve.ranked import Ranked, evidence_of, rank, thresholds_of
from services.retrieve.ranking import Ranking, RankingSettings, ranking_of
from services.retrieve.reranking.reranker import Reranker
from services.retrieve.sources.joining import WebCandidates, join, vectors_of
from services.retrieve.sources.scoring import BACKGROUND
from services.retrieve.sources.web import is_asked_for, takes_part
from services.retrieve.sources.web_candidates import WebQuery, WebRetriever
from services.retrieve.wordings import Wording, query_vectors, weighted_stems, wordings_of
from services.runtime.errors import ParleyError, Unavailable
from services.vocabulary.dates import TimeRange
from services.vocabulary.evidence import Evidence, Passage, RankedPassage
from services.vocabulary.options import RetrieveOptions
from services.vocabulary.query import Filters, WeightedQuery
from services.vocabulary.usage import Degraded, Stage, Usage

DEFAULT_COLLECTION = "default"
_GROUPED, _GROUPED_EACH = 300, 5
"""Candidates that are grouped at least, and for each evidence that is asked for: fetching the vectors of all 1,500
takes longer than comparing them."""

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class RetrievePartial:
    """Evidence before the reranker has read it, the best first."""

    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class RetrieveResult:
    """What was found."""

    evidence: tuple[Evidence, ...] = ()
    """The best first, near duplicates grouped."""
    ranking: tuple[RankedPassage, ...] = ()
    """The first places before grouping, as many as were asked for."""
    usage: tuple[Usage, ...] = ()


Step = Degraded | RetrievePartial | RetrieveResult


@dataclass(frozen=True, slots=True)
class _Request:
    """One retrieval, with everything that stays the same until its end."""

    query: WeightedQuery
    options: RetrieveOptions
    ranking: Ranking
    access: Access
    collection: Collection
    engines: CollectionEngines
    started: float
    """A moment of time.perf_counter."""
    web: WebCandidates = field(default_factory=WebCandidates)
    """What the web gave; empty until it has."""
    failures: list[Degraded] = field(default_factory=list)
    """Engines that should have taken part and failed."""
    said: list[Degraded] = field(default_factory=list)
    """What an engine did without, noted while it searched."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a retrieval found."""

    degraded: Sequence[Degraded]
    ranked: Ranked
    result: RetrieveResult | None
    """None where a reranker has yet to read it."""


class Retriever:
    """Finds evidence in a corpus. Safe for any number of callers at once."""

    def __init__(
        self,
        corpus: Corpus,
        engines: Engines,
        embedder: Embedder | None,
        settings: RankingSettings,
        reranker: Reranker | None = None,
        web: WebRetriever | None = None,
    ) -> None:
        """Without an embedder only the full-text engine searches; without a reranker the fused order stands.

        `web` is None where no search engine for it is configured.
        """
        self._corpus = corpus
        self._engines = engines
        self._embedder = embedder
        self._settings = settings
        self._reranker = reranker
        self._web = web

    async def retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> AsyncGenerator[Step, None]:
        """Search; ends with exactly one RetrieveResult.

        Raises:
            NotFound: there is no such collection.
            Unavailable: no engine answers, and the web gave nothing.
        """
        embedding = self._start_embedding(query)
        try:
            request, by_words = await asyncio.to_thread(self._begun, query, options)
            missing = self._why_no_vectors(request.collection)
            if missing is not None:
                yield missing
            request = replace(request, web=await self._on_the_web(request))
            vectors = None if missing is not None else await self._embedded(embedding, request)
        finally:
            if embedding is not None:
                embedding.cancel()
        found = await asyncio.to_thread(self._found, request, by_words, vectors)
        for failure in found.degraded:
            yield failure
        if found.result is not None:
            yield found.result
            return
        async for step in self._read_again(found.ranked, request):
            yield step

    def _start_embedding(self, query: WeightedQuery) -> "asyncio.Task[list[Vector]] | None":
        """Begun before it is known whether the collection has vectors: nearly all have, and nothing takes as long."""
        return None if self._embedder is None else asyncio.create_task(query_vectors(query, self._embedder))

    async def _embedded(
        self, embedding: "asyncio.Task[list[Vector]] | None", request: _Request
    ) -> Sequence[Vector] | None:
        try:
            return None if embedding is None else await embedding
        except Exception as error:
            request.failures.append(failure_of("vector", error))
            return None

    def _begun(
        self, query: WeightedQuery, options: RetrieveOptions
    ) -> tuple[_Request, EngineSearch[Mapping[str, float]] | None]:
        """What needs no vector, and therefore goes on beside the embedding."""
        request = self._request(query, options)
        return request, attempted("full-text", lambda: self._search_lexical(request), request.failures)

    def _found(
        self,
        request: _Request,
        by_words: EngineSearch[Mapping[str, float]] | None,
        vectors: Sequence[Vector] | None,
    ) -> _Found:
        """What needs the vectors, up to the result where no reranker has a say."""
        candidates = self._candidates(request, by_words, vectors)
        size = request.collection.passages or BACKGROUND
        ranked = rank(join(candidates, request.web), request.ranking.fusion, request.ranking.weights, size)
        if request.options.boost is not None:
            ranked = self._boosted(ranked, request, request.options.boost)
        degraded = (*candidates.degraded, *dict.fromkeys(request.said), *request.web.degraded)
        waits = self._reranker is not None and len(ranked)
        return _Found(degraded, ranked, None if waits else self._result(ranked, request))

    async def _read_again(self, ranked: Ranked, request: _Request) -> AsyncGenerator[Step, None]:
        """The evidence as it is, then in the reranker's order."""
        assert self._reranker is not None  # who else would have left it without a result
        yield RetrievePartial(await asyncio.to_thread(self._evidence, ranked, request))
        try:
            ranked = await self._reranked(self._reranker, ranked, request)
        except ParleyError as error:
            yield Degraded(Stage.RETRIEVE, error.reason, "The order is that of the engines: the reranker failed.")
        except TimeoutError:
            why = "The order is that of the engines: the reranker took too long."
            yield Degraded(Stage.RETRIEVE, "DEADLINE_EXCEEDED", why)
        yield await asyncio.to_thread(self._result, ranked, request)

    def _request(self, query: WeightedQuery, options: RetrieveOptions) -> _Request:
        started = time.perf_counter()
        name = options.collection or DEFAULT_COLLECTION
        row, collection = self._corpus.collection(name)
        return _Request(
            query,
            options,
            ranking_of(options, self._settings, several=len(wordings_of(query)) > 1),
            access_of(options.filters or Filters(), options.principals),
            collection,
            self._engines.of_row(row, name),
            started,
        )

    def _why_no_vectors(self, collection: Collection) -> Degraded | None:
        """Why the vector engine cannot take part; None when it can, or when there is nothing to find anyway."""
        if not collection.passages:
            return None
        effect = "Only the full-text engine searched: "
        if self._embedder is None:
            return Degraded(Stage.RETRIEVE, "EMBEDDER_MISSING", f"{effect}there is no embedding model.")
        if not collection.embedding_model:
            return Degraded(Stage.RETRIEVE, "EMBEDDER_MISSING", f"{effect}the collection was taken in without vectors.")
        if collection.embedding_model != self._embedder.profile.name:
            why = f"the collection's vectors are of {collection.embedding_model}."
            return Degraded(Stage.RETRIEVE, "VECTOR_MODEL_MISMATCH", effect + why)
        return None

    def _candidates(
        self,
        request: _Request,
        by_words: EngineSearch[Mapping[str, float]] | None,
        vectors: Sequence[Vector] | None,
    ) -> Candidates:
        """Of the collection; none where only the web gave something."""
        by_vector = None
        if vectors is not None:
            by_vector = attempted("vector", lambda: self._search_vectors(request, vectors), request.failures)
        try:
            return completed(by_words, by_vector, request.failures)
        except Unavailable as error:
            if not len(request.web):
                raise
            effect = "Only the web was searched: no engine of the collection answers."
            return Candidates(np.zeros(0, np.int64), degraded=(Degraded(Stage.RETRIEVE, error.reason, effect),))

    async def _on_the_web(self, request: _Request) -> WebCandidates:
        if self._web is None:
            effect = "The web took no part: no search engine for it is configured."
            missing = (Degraded(Stage.RETRIEVE, "WEB_MISSING", effect),)
            return WebCandidates(degraded=missing if is_asked_for(request.options) else ())
        if not takes_part(request.options, self._web.always):
            return WebCandidates()
        filters = request.options.filters or Filters()
        collection = request.collection
        return await self._web.find(
            WebQuery(request.query, filters, collection.name, request.engines, collection.passages)
        )

    def _search_lexical(self, request: _Request) -> EngineSearch[Mapping[str, float]]:
        index = request.engines.lexical()
        wordings = wordings_of(request.query)
        terms = [self._terms(wording, index, request) for wording in wordings]
        return EngineSearch.run(index, terms, wordings, request.ranking.depth.lexical, request.access)

    def _terms(self, wording: Wording, index: LexicalEngine, request: _Request) -> Mapping[str, float]:
        stems = weighted_stems(wording, index.terms)
        try:
            return index.expanded(wording.text, stems)
        except Unavailable as error:
            effect = "The full-text engine searched by words alone: its learned model does not answer."
            request.said.append(Degraded(Stage.RETRIEVE, error.reason, effect))
            return stems

    def _search_vectors(self, request: _Request, vectors: Sequence[Vector]) -> EngineSearch[Vector] | None:
        index = request.engines.vector()
        if index is None:
            return None
        depth = request.ranking.depth.vector
        least = request.ranking.least_cosine
        return EngineSearch.run(index, vectors, wordings_of(request.query), depth, request.access, least)

    def _boosted(self, ranked: Ranked, request: _Request, boost: TimeRange) -> Ranked:
        """The list with what belongs to the asked time moved up, among as many as a reranker would read."""
        wanted = seconds_of_range(boost)
        head = ranked.first(request.ranking.depth.rerank)
        passages = self._passages(head.keys, request)
        scores = ranked.scores.copy()
        for position, key in enumerate(head.keys.tolist()):
            if key in passages:
                scores[position] += self._settings.time_boost * belonging(passages[key], wanted)
        return ranked.sorted_by(scores)

    async def _reranked(self, reranker: Reranker, ranked: Ranked, request: _Request) -> Ranked:
        head = ranked.first(request.ranking.depth.rerank)
        passages = await asyncio.to_thread(self._passages, head.keys, request)
        texts = [passages[key].text if key in passages else "" for key in head.keys.tolist()]
        async with asyncio.timeout(self._settings.rerank_seconds):
            return head.reranked(await reranker.rerank(request.query.text, texts))

    def _result(self, ranked: Ranked, request: _Request) -> RetrieveResult:
        evidence = self._evidence(ranked, request)
        if self._web is not None:
            self._web.keep(evidence, request.web)
        milliseconds = (time.perf_counter() - request.started) * 1000
        usage = (Usage(Stage.RETRIEVE, "retrieve", milliseconds),)
        return RetrieveResult(evidence, self._ranking(ranked.first(request.options.ranking), request), usage)

    def _ranking(self, head: Ranked, request: _Request) -> tuple[RankedPassage, ...]:
        if not len(head):
            return ()
        keys = head.keys.tolist()
        ids = self._corpus.read(lambda connection: passage_ids_of_keys(connection, keys))
        ids |= {key: passage.passage_id for key, passage in request.web.by_key.items()}
        scored = zip(keys, head.scores.tolist(), strict=True)
        return tuple(RankedPassage(ids[key], score) for key, score in scored if key in ids)

    def _evidence(self, ranked: Ranked, request: _Request) -> tuple[Evidence, ...]:
        groups = self._groups(ranked, request)
        positions = [at for group in groups for at in (group.head, *(member.position for member in group.duplicates))]
        passages = self._passages((ranked.keys[at] for at in positions), request)
        return evidence_of(ranked, groups, passages, thresholds_of(ranked, self._settings))

    def _groups(self, ranked: Ranked, request: _Request) -> Sequence[Group]:
        """Groups of the first candidates, where near duplicates stand together; of all where those make too few."""
        head = ranked.first(max(_GROUPED, _GROUPED_EACH * request.ranking.depth.evidence))
        groups = self._groups_of(head, request)
        enough = len(head) == len(ranked) or len(groups) >= request.ranking.depth.evidence
        return groups if enough else self._groups_of(ranked, request)

    def _groups_of(self, ranked: Ranked, request: _Request) -> Sequence[Group]:
        limit = request.ranking.depth.evidence
        vectors = vectors_of(ranked.keys, request.engines.vectors(ranked.keys), request.web)
        if vectors is None or self._embedder is None:
            return [Group(position) for position in range(min(limit, len(ranked)))]
        threshold = self._settings.near_duplicate or self._embedder.profile.near_duplicate
        return group_near_duplicates(vectors, threshold, limit)

    def _passages(self, keys: Iterable[np.int64], request: _Request) -> dict[int, Passage]:
        wanted = [int(key) for key in keys]
        found = self._corpus.read(lambda connection: passages_of_keys(connection, wanted))
        return found | dict(request.web.by_key)
