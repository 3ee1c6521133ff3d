"""Real servers for the tests that ask them, each started when first needed. One that does not start fails them.

Tests have the same ids in every process, whatever files their parameters hold. Properties have 40 examples by default,
100 with `--hypothesis-profile thorough` (`make test-all`, `make mutation`).
"""

from collections.abc import Iterator

import pytest
from coverage import Coverage
from hypothesis import settings

from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.milvus.process import MilvusProcess
from tests.integration.postgres.process import PostgresProcess

# No example of a property is timed: the machine that runs it may be busy.
settings.register_profile("quick", max_examples=40, deadline=None)
settings.register_profile("thorough", max_examples=100, deadline=None)
settings.load_profile("quick")

LONGEST_BYTES = 40
"""Longest bytes that a test's id spells out."""


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a file by its argument: its bytes may hold the time at which it was made."""
    return argname if isinstance(val, bytes) and len(val) > LONGEST_BYTES else None


def pytest_sessionfinish() -> None:
    """Save what is measured: a worker of pytest-xdist that takes long to end is killed, and nothing is written then."""
    if (measurement := Coverage.current()) is not None:
        measurement.save()


@pytest.fixture(scope="session")
def elasticsearch() -> Iterator[ElasticsearchProcess]:
    """A node that all tests share; one that stops it starts it again."""
    process = ElasticsearchProcess()
    try:
        process.start()
        yield process
    finally:
        process.close()


@pytest.fixture(scope="session")
def milvus() -> Iterator[MilvusProcess]:
    """A server that all tests share; one that stops it starts it again."""
    process = MilvusProcess()
    try:
        process.start()
        yield process
    finally:
        process.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresProcess]:
    """A server that all tests share; one that stops it starts it again."""
    process = PostgresProcess()
    try:
        process.start()
        yield process
    finally:
        process.close()


@pytest.fixture
def settled_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that the test has just written count as complete; a process that starts does not wait for the rest."""
    monkeypatch.setattr("libs.runtime.security.watched_files.SETTLED_SECONDS", 0.0)


@pytest.fixture
def closely_watched_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that may change are looked at whenever they are needed."""
    monkeypatch.setattr("libs.runtime.security.watched_files.CHECK_SECONDS", 0.0)
