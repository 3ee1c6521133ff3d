"""A corpus whose vectors lie in a Milvus of the test's own, so that it may be stopped, killed and emptied."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from services.retrieve.engines.opening import EngineSettings, engine_makers
from services.retrieve.engines.settings import MilvusSettings
from tests.conformance.world import EngineUnderTest, World, world
from tests.integration.milvus.process import MilvusProcess

PATIENT: Final = 30.0
"""So that a busy machine fails no test; those of a slow server set less."""


@pytest.fixture(scope="module")
def own() -> Iterator[MilvusProcess]:
    """A server that no other module asks."""
    process = MilvusProcess()
    try:
        process.start()
        yield process
    finally:
        process.close()


@pytest.fixture
def server(own: MilvusProcess) -> MilvusProcess:
    """It, running whatever the test before did."""
    if own.process is None:
        own.start()
    return own


@pytest.fixture
def settings(server: MilvusProcess) -> MilvusSettings:
    """Where the vectors lie."""
    return MilvusSettings(uri=server.uri, seconds=PATIENT)


@pytest.fixture
def place(tmp_path: Path, settings: MilvusSettings) -> Iterator[World]:
    """An empty corpus over it; full text is searched within this process."""
    with (
        engine_makers(EngineSettings(milvus=settings)) as makers,
        world(tmp_path, makers) as new_world,
    ):
        yield new_world


@pytest.fixture
def engine(place: World) -> EngineUnderTest:
    """The vector engine of that corpus."""
    return EngineUnderTest(place, "vector")
