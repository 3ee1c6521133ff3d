"""One text for all engines: embedded, Elasticsearch and Milvus hold to the same behaviours.

`make test` runs it over the embedded engines, `make integration` over the servers. A test asks for `engine` (each
engine of either kind alone), for `lexical`, for `vector`, or for `retriever` (both kinds together).
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.makers import EngineMakers
from services.retrieve.engines.milvus.opening import milvus_engines
from services.retrieve.engines.milvus.settings import MilvusSettings
from services.retrieve.ranking import RankingSettings
from services.retrieve.retriever import Retriever
from tests.conformance.world import EngineUnderTest, World, world
from tests.fakes.stored_documents import ENCODER

LEXICAL = ("lexical:embedded", "lexical:elasticsearch")
VECTOR = ("vector:embedded", "vector:milvus")
TOGETHER = ("embedded", "elasticsearch", "milvus", "elasticsearch+milvus")
PARAMETERS = {"lexical": LEXICAL, "vector": VECTOR, "retriever": TOGETHER, "engine": LEXICAL + VECTOR}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test runs on all engines of the kind that it asks for."""
    for fixture, names in PARAMETERS.items():
        if fixture in metafunc.fixturenames:
            metafunc.parametrize("under_test", [_parameter(name) for name in names], indirect=True, scope="function")
            return


@pytest.fixture
def under_test(request: pytest.FixtureRequest) -> str:
    """The name of the engine or engines under test."""
    return str(request.param)


@pytest.fixture
def makers(under_test: str, request: pytest.FixtureRequest) -> Iterator[EngineMakers]:
    """What opens the engines under test."""
    with ExitStack() as stack:
        made = EngineMakers()
        if "elasticsearch" in under_test:
            made = with_elasticsearch(made, request.getfixturevalue("elasticsearch").url, stack)
        if "milvus" in under_test:
            made = with_milvus(made, request.getfixturevalue("milvus").uri, stack)
        yield made


@pytest.fixture
def place(tmp_path: Path, makers: EngineMakers) -> Iterator[World]:
    """An empty corpus with the engines under test."""
    with world(tmp_path, makers) as opened:
        yield opened


@pytest.fixture
def engine(place: World, under_test: str) -> EngineUnderTest:
    """Each engine of either kind, alone."""
    return EngineUnderTest(place, under_test.partition(":")[0])


@pytest.fixture
def lexical(engine: EngineUnderTest) -> EngineUnderTest:
    """Each full-text engine."""
    return engine


@pytest.fixture
def vector(engine: EngineUnderTest) -> EngineUnderTest:
    """Each vector engine."""
    return engine


@pytest.fixture
def embedder() -> Iterator[BatchingEmbedder]:
    opened = BatchingEmbedder(ENCODER)
    yield opened
    opened.close()


@pytest.fixture
def retriever(place: World, embedder: BatchingEmbedder) -> Retriever:
    """Retrieval over each combination of engines; its first search waits for a server that starts slowly."""
    place.engines.catch_up()
    return Retriever(place.corpus, place.engines, embedder, RankingSettings())


def with_milvus(makers: EngineMakers, uri: str, stack: ExitStack, **settings: object) -> EngineMakers:
    """These engines, with the vectors in Milvus."""
    opened = stack.enter_context(milvus_engines(MilvusSettings(uri=uri, **settings)))
    sweeps = (*makers.sweeps, opened.server.sweep)
    return replace(makers, vector=opened.open, vector_patience=20.0, sweeps=sweeps)


def with_elasticsearch(makers: EngineMakers, url: str, stack: ExitStack) -> EngineMakers:
    """These engines, with the full text in Elasticsearch."""
    from services.retrieve.engines.elasticsearch.opening import elasticsearch_engines
    from services.retrieve.engines.elasticsearch.settings import SearchElasticsearchSettings

    opened = stack.enter_context(elasticsearch_engines(SearchElasticsearchSettings(url=url)))
    sweeps = (*makers.sweeps, opened.sweep)
    return replace(makers, lexical=opened.open, lexical_patience=20.0, sweeps=sweeps)


def _parameter(name: str) -> object:
    servers = {"elasticsearch", "milvus"} & set(name.replace(":", "+").split("+"))
    return pytest.param(name, marks=pytest.mark.integration) if servers else name
