"""Retrieve processes of the previous release and of this one over one PostgreSQL, in the order of a rolling upgrade."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.postgres.process import PostgresProcess
from tests.integration.postgres.retrieves import Ingest, answers, ids, new_database, put, retrieve_process, text_of
from tests.system.killable_gateways import KillableProcess, all_running
from tests.system.upgrade.releases import previous_release
from tests.system.waiting import wait_for


@pytest.fixture(scope="module")
def previous() -> Iterator[Path]:
    """The files of the previous release."""
    with previous_release() as tree:
        yield tree


@pytest.fixture
def url(postgres: PostgresProcess) -> Iterator[str]:
    with new_database(postgres, "upgraded") as database:
        yield database


@pytest.fixture
def earlier(url: str, previous: Path, tmp_path: Path) -> Iterator[KillableProcess]:
    """A process of the previous release."""
    process = retrieve_process(url, tmp_path / "earlier", previous)
    with all_running([process]):
        yield process


@pytest.fixture
def later(url: str, tmp_path: Path) -> KillableProcess:
    """A process of this release, which is not started yet."""
    return retrieve_process(url, tmp_path / "later")


@contextmanager
def killed(process: KillableProcess) -> Iterator[None]:
    """Kill a process for the block, and return when it serves again."""
    process.kill()
    yield
    process.start()
    process.wait()


def assert_alike(processes: list[KillableProcess], acknowledged: set[str]) -> None:
    """Each process has every document and answers every query as the others do."""
    for process in processes:
        wait_for(lambda process=process: acknowledged <= ids(process))  # type: ignore[misc]
    assert len({frozenset(ids(process)) for process in processes}) == 1
    expectation = answers(processes[0])
    for process in processes[1:]:
        assert answers(process) == expectation


def test_a_rolling_upgrade_and_the_way_back_lose_nothing(earlier: KillableProcess, later: KillableProcess) -> None:
    of_earlier, of_later, after_kill = Ingest(earlier, "earlier"), Ingest(later, "later"), Ingest(earlier, "again")
    with of_earlier.going_on(), all_running([later]):
        of_earlier.wait_for_more()
        with of_later.going_on():
            of_earlier.wait_for_more()
            with killed(earlier):
                of_later.wait_for_more()
            with after_kill.going_on():
                of_later.wait_for_more()
        documents = {*of_earlier.acknowledged, *of_later.acknowledged, *after_kill.acknowledged}
        assert_alike([earlier, later], documents)
        with killed(later):
            assert put(earlier, "meanwhile", text_of(7)) == "ADDED"
        assert_alike([earlier, later], documents | {"meanwhile"})
        earlier.stop()
        assert put(later, "alone", text_of(8)) == "ADDED"
    earlier.start()
    earlier.wait()
    assert_alike([earlier], documents | {"meanwhile", "alone"})
    assert put(earlier, "back", text_of(9)) == "ADDED"
