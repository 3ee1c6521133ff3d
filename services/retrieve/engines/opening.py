"""The engines that the settings choose: embedded, or servers. What opens or sweeps them blocks, on disk or network."""

from collections.abc import Callable, Iterator, Set
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from libs.elastic.server import ElasticsearchServer, elasticsearch_server
from libs.elastic.settings import ElasticsearchSettings
from libs.runtime.serving.server_info import Capability
from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.elasticsearch.engine import ElasticsearchIndex
from services.retrieve.engines.elasticsearch.index import IndexShape, ServerIndex
from services.retrieve.engines.elasticsearch.requests import SparseEncoder
from services.retrieve.engines.embedded.restricted import ReadersIndex
from services.retrieve.engines.embedded.vector import VectorIndex
from services.retrieve.engines.milvus.engine import MilvusVectors
from services.retrieve.engines.milvus.server import MilvusServer
from services.retrieve.engines.protocols import LexicalEngine, VectorEngine
from services.retrieve.engines.settings import MilvusSettings, SearchElasticsearchSettings

PATIENCE_SECONDS: Final = 3.0
"""How long a search waits at least for a server to apply pending writes, before it continues without it: a server
shows what was written to it after a second (taste)."""
Sweep = Callable[[str, Set[int]], None]
"""Deletes from a server the data of a corpus (by its identity), except for the collections with these row numbers."""


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Settings of the search servers; an engine without an address is embedded."""

    elasticsearch: SearchElasticsearchSettings = field(default_factory=SearchElasticsearchSettings.load)
    server: ElasticsearchSettings = field(default_factory=ElasticsearchSettings.load)
    milvus: MilvusSettings = field(default_factory=MilvusSettings.load)

    def capabilities(self, embed: Capability) -> tuple[Capability, ...]:
        """What the engines do, given the embedder: full text, terms of a learned model (ELSER), vectors."""
        words = "elasticsearch" if self.elasticsearch.url else "tantivy"
        endpoint = self.elasticsearch.sparse_endpoint if self.elasticsearch.url else ""
        detail = "where the cluster has it" if endpoint else "no inference endpoint for them is configured"
        vectors = "milvus" if self.milvus.uri else "exact"
        return (
            Capability("search by words", words, "BM25, English stems"),
            Capability("search by learned terms", endpoint or "none", detail),
            Capability("search by meaning", "none" if embed.engine == "none" else vectors, embed.detail),
        )


def embedded_lexical(view: CollectionView) -> LexicalEngine:
    """A full-text index in the collection's folder."""
    return ReadersIndex(view.directory, view.identity)


def embedded_vector(view: CollectionView, width: int) -> VectorEngine:
    """Vectors in memory."""
    return VectorIndex(width, view.admitted)


@dataclass(frozen=True, slots=True)
class EngineMakers:
    """Open the engines of a collection. Each may raise Unavailable; the next search tries again."""

    lexical: Callable[[CollectionView], LexicalEngine] = embedded_lexical
    vector: Callable[[CollectionView, int], VectorEngine] = embedded_vector
    """Takes the width of the vectors."""
    lexical_patience: float | None = None
    """Seconds that a search waits for the engine to apply pending writes; None waits indefinitely."""
    vector_patience: float | None = None
    """The same for the vector engine."""
    sweeps: tuple[Sweep, ...] = ()
    """Called at startup and when collections change. Each may raise Unavailable; it is then called again."""

    @property
    def are_embedded(self) -> bool:
        """Whether no server is used."""
        return self.lexical is embedded_lexical and self.vector is embedded_vector


@contextmanager
def engine_makers(settings: EngineSettings) -> Iterator[EngineMakers]:
    """What opens a collection's engines. No server is contacted yet, so it may be down.

    Raises:
        ValueError: an address is invalid.
    """
    makers = EngineMakers()
    with ExitStack() as stack:
        if settings.elasticsearch.url:
            elastic = stack.enter_context(elasticsearch_server(settings.elasticsearch.url, settings.server))
            shape = IndexShape(settings.server.prefix, settings.server.shards, settings.server.replicas)
            endpoint = settings.elasticsearch.sparse_endpoint
            sparse = SparseEncoder(elastic, endpoint) if endpoint else None
            lexical = ElasticsearchEngines(elastic, shape, sparse)
            patience = max(PATIENCE_SECONDS, settings.server.seconds)
            makers = replace(makers, lexical=lexical.open, lexical_patience=patience, sweeps=(lexical.sweep,))
        if settings.milvus.uri:
            server = stack.enter_context(closing(MilvusServer(settings.milvus)))
            patience = max(PATIENCE_SECONDS, settings.milvus.seconds)
            sweeps = (*makers.sweeps, server.sweep)
            makers = replace(makers, vector=partial(MilvusVectors, server), vector_patience=patience, sweeps=sweeps)
        yield makers


@dataclass(frozen=True, slots=True)
class ElasticsearchEngines:
    """Opens the index of each collection, and deletes those of deleted collections."""

    server: ElasticsearchServer
    shape: IndexShape
    sparse: SparseEncoder | None = None

    def open(self, view: CollectionView) -> LexicalEngine:
        """A collection's engine; raises Unavailable if the server does not answer."""
        sparse = self.sparse if self.sparse is not None and self.sparse.exists_in_cluster() else None
        index = ServerIndex(
            self.server,
            self.shape.name(view.corpus.identity, view.row),
            self.shape,
            sparse.endpoint if sparse else "",
            view.last_change,
        )
        return ElasticsearchIndex(index, self.server, sparse)

    def sweep(self, identity: str, rows: Set[int]) -> None:
        """Delete the indices of a corpus, except those of these collections; raises Unavailable."""
        pattern = self.shape.name(identity, 0).removesuffix("0") + "*"
        present = {self.shape.name(identity, row) for row in rows}
        indices = self.server.ask_patiently(
            lambda client: client.indices.get_alias(index=pattern, allow_no_indices=True)
        )
        obsolete = sorted(set(indices) - present)
        if obsolete:
            self.server.ask_patiently(lambda client: client.indices.delete(index=obsolete, ignore_unavailable=True))
