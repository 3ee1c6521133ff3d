"""The engines that the settings choose: embedded, or servers."""

from collections.abc import Callable, Iterator, Set
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from libs.runtime.serving.server_info import Capability
from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.elasticsearch.opening import elasticsearch_engines
from services.retrieve.engines.embedded.lexical import LexicalIndex
from services.retrieve.engines.embedded.vector import VectorIndex
from services.retrieve.engines.milvus.engine import MilvusVectors
from services.retrieve.engines.milvus.server import MilvusServer
from services.retrieve.engines.protocols import LexicalEngine, VectorEngine
from services.retrieve.engines.settings import MilvusSettings, SearchElasticsearchSettings


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Settings of the search servers; an engine without an address is embedded."""

    elasticsearch: SearchElasticsearchSettings
    milvus: MilvusSettings

    @classmethod
    def load(cls) -> "EngineSettings":
        """Load from the environment and the settings file.

        Raises:
            SettingsError: a setting is invalid.
        """
        return cls(SearchElasticsearchSettings.load(), MilvusSettings.load())

    @property
    def servers(self) -> int:
        """Number of configured search servers."""
        return bool(self.elasticsearch.url) + bool(self.milvus.uri)


Sweep = Callable[[str, Set[int]], None]
"""Deletes from a server the data of a corpus (by its identity), except for the collections with these row numbers."""


def embedded_lexical(view: CollectionView) -> LexicalEngine:
    """A full-text index in the collection's folder."""
    return LexicalIndex(view.directory, view.identity)


def embedded_vector(view: CollectionView, width: int) -> VectorEngine:
    """Vectors in memory, graphs of neighbours in the collection's folder."""
    return VectorIndex(width, view.admitted, view.directory / "graphs", view.identity)


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
            lexical = stack.enter_context(elasticsearch_engines(settings.elasticsearch))
            makers = replace(
                makers,
                lexical=lexical.open,
                lexical_patience=settings.elasticsearch.patience_seconds,
                sweeps=(*makers.sweeps, lexical.sweep),
            )
        if settings.milvus.uri:
            vector = stack.enter_context(milvus_engines(settings.milvus))
            makers = replace(
                makers,
                vector=vector.open,
                vector_patience=settings.milvus.patience_seconds,
                sweeps=(*makers.sweeps, vector.server.sweep),
            )
        yield makers


def words_capability(settings: EngineSettings) -> Capability:
    """The full-text engine."""
    if not settings.elasticsearch.url:
        return Capability("search by words", "tantivy", "BM25, English stems")
    return Capability("search by words", "elasticsearch", "BM25, English stems")


def learned_terms_capability(settings: EngineSettings) -> Capability:
    """The model that weighs terms in addition to BM25 (ELSER)."""
    endpoint = settings.elasticsearch.sparse_endpoint if settings.elasticsearch.url else ""
    if not endpoint:
        return Capability("search by learned terms", "none", "no inference endpoint for them is configured")
    return Capability("search by learned terms", endpoint, "where the cluster has it")


def meaning_capability(settings: EngineSettings, embed: Capability) -> Capability:
    """The vector engine, given the embedder."""
    if embed.engine == "none":
        return Capability("search by meaning", "none", embed.detail)
    engine = "milvus" if settings.milvus.uri else "exact, HNSW from 50,000 passages"
    return Capability("search by meaning", engine, embed.detail)


@dataclass(frozen=True, slots=True)
class MilvusEngines:
    """Opens the vectors of each collection; `server.sweep` drops those of deleted collections."""

    server: MilvusServer

    def open(self, view: CollectionView, width: int) -> VectorEngine:
        """A collection's engine; the server is first called when it has changes to apply."""
        return MilvusVectors(self.server, view, width)


@contextmanager
def milvus_engines(settings: MilvusSettings) -> Iterator[MilvusEngines]:
    """The engines of a server. Nothing is called yet, so the server may be down."""
    server = MilvusServer(settings)
    try:
        yield MilvusEngines(server)
    finally:
        server.close()
