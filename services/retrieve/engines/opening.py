"""The engines that the settings choose: embedded, or servers."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from libs.runtime.serving.server_info import Capability
from services.retrieve.engines.elasticsearch.opening import elasticsearch_engines
from services.retrieve.engines.elasticsearch.settings import SearchElasticsearchSettings
from services.retrieve.engines.makers import EngineMakers
from services.retrieve.engines.milvus.opening import milvus_engines
from services.retrieve.engines.milvus.settings import MilvusSettings


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
