"""A whole suite over the samples, started once for all tests that only ask it."""

from collections.abc import Iterator

import pytest

from bench.suite import RunningSuite, running_suite
from tests.fakes.scripted_llm import ScriptedLlm, in_a_thread
from tests.system.door import NOTES, Door, ingest


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    settings = {"PARLEY_ANSWER_PICTURES_SECONDS": "30"}  # the machine may be busy
    with running_suite(tmp_path_factory.mktemp("suite") / "data", settings) as running:
        ingest(running.port, str(NOTES))
        yield running


@pytest.fixture(scope="session")
def door(suite: RunningSuite) -> Iterator[Door]:
    with Door.of(suite) as new_door:
        yield new_door


@pytest.fixture(scope="session")
def server() -> Iterator[ScriptedLlm]:
    """A language model that says what its test tells it to, for all suites with one."""
    with in_a_thread() as llm:
        yield llm


@pytest.fixture
def llm(server: ScriptedLlm) -> ScriptedLlm:
    """The same, with nothing told to it yet and nothing asked."""
    server.forget()
    return server
