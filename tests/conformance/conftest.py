"""One text for all engines: embedded, Elasticsearch and Milvus hold to the same behaviours.

`make test` runs it over the embedded engines, `make integration` over the servers. A test asks for `engine` (each
engine of either kind alone), for `lexical`, for `vector`, or for `retriever` (both kinds together).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from libs.elastic.settings import ElasticsearchSettings
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.opening import EngineMakers, EngineSettings, engine_makers
from services.retrieve.engines.settings import MilvusSettings, SearchElasticsearchSettings
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.retriever import Retriever
from tests.conformance.databases import corpus, opened
from tests.conformance.world import EngineUnderTest, World, world
from tests.fakes.stored_documents import embedder

__all__ = ["corpus", "embedder", "opened"]

LEXICAL = ("lexical:embedded", "lexical:elasticsearch")
VECTOR = ("vector:embedded", "vector:milvus")
TOGETHER = ("embedded", "elasticsearch", "milvus", "elasticsearch+milvus")
PATIENT: Final = 30.0
"""So that a busy machine fails no test."""
PARAMETERS = {"lexical": LEXICAL, "vector": VECTOR, "retriever": TOGETHER, "engine": LEXICAL + VECTOR}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test runs on all engines of its kind; on the servers alone where embedded ones stand beside them."""
    for fixture, names in PARAMETERS.items():
        if fixture in metafunc.fixturenames:
            expectation = [name for name in names if "beside" not in metafunc.fixturenames or "embedded" not in name]
            metafunc.parametrize(
                "under_test", [_parameter(name) for name in expectation], indirect=True, scope="function"
            )
            return


@pytest.fixture
def under_test(request: pytest.FixtureRequest) -> str:
    """The name of the engine or engines under test."""
    return str(request.param)


@pytest.fixture
def makers(under_test: str, request: pytest.FixtureRequest) -> Iterator[EngineMakers]:
    """What opens the engines under test, as the settings of a process would."""
    elastic = request.getfixturevalue("elasticsearch").url if "elasticsearch" in under_test else ""
    milvus = request.getfixturevalue("milvus").uri if "milvus" in under_test else ""
    settings = EngineSettings(
        SearchElasticsearchSettings(url=elastic),
        ElasticsearchSettings(seconds=PATIENT),
        MilvusSettings(uri=milvus, seconds=PATIENT),
    )
    with engine_makers(settings) as opened:
        yield opened


@pytest.fixture
def place(tmp_path: Path, makers: EngineMakers) -> Iterator[World]:
    """An empty corpus with the engines under test."""
    with world(tmp_path, makers) as new_world:
        yield new_world


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
def retriever(place: World, embedder: BatchingEmbedder) -> Retriever:
    """Retrieval over each combination of engines; its first search waits for a server that starts slowly."""
    place.engines.catch_up()
    return Retriever(place.corpus, place.engines, embedder, RankingSettings())


def _parameter(name: str) -> object:
    servers = {"elasticsearch", "milvus"} & set(name.replace(":", "+").split("+"))
    marks = (pytest.mark.integration, pytest.mark.timeout(600))  # a server's start counts to the first test that asks
    return pytest.param(name, marks=marks) if servers else name
