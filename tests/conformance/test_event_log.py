"""The event log in SQLite: what every event log does, and what is its own."""

import asyncio
from pathlib import Path

import pytest

from gateway.store.event_log import Batch, LoggedEvent
from gateway.store.sqlite.events import sqlite_event_log
from libs.runtime.errors import Unavailable
from libs.runtime.storage import UnusableFile
from tests.conformance.event_log_behaviours import COMPLETED, EventLogBehaviours, OpenLog, batch, lease, start


class TestSqliteEventLog(EventLogBehaviours):
    @pytest.fixture
    def open_log(self, tmp_path: Path) -> OpenLog:
        return lambda max_bytes=1 << 24: sqlite_event_log(tmp_path / "data" / "events.db", max_bytes)


async def test_the_file_gives_back_the_space_of_expired_turns(tmp_path: Path) -> None:
    file = tmp_path / "events.db"
    async with sqlite_event_log(file, 1 << 24) as log:
        await log.begin(start(keep_seconds=0.001), lease(seconds=-1))
        await log.append("q-1", "one", Batch([LoggedEvent(1, _noise())], ending=COMPLETED))
        await asyncio.sleep(0.01)
    large = file.stat().st_size
    async with sqlite_event_log(file, 1 << 24) as log:
        await log.expire()
    assert file.stat().st_size < large / 4


async def test_an_append_whose_caller_is_cancelled_is_carried_out(tmp_path: Path) -> None:
    async with sqlite_event_log(tmp_path / "events.db", 1 << 24) as log:
        await log.begin(start(), lease())
        append = asyncio.create_task(log.append("q-1", "one", batch(1)))
        await asyncio.sleep(0)
        append.cancel()
        with pytest.raises(asyncio.CancelledError):
            await append
        await log.append("q-1", "one", batch(2))
        assert [event.seq for event in await log.events("q-1")] == [1, 2]


async def test_a_failure_reaches_its_caller_and_the_log_goes_on(tmp_path: Path) -> None:
    async with sqlite_event_log(tmp_path / "events.db", 1 << 24) as log:
        await log.begin(start(), lease())
        await log.append("q-1", "one", batch(1))
        with pytest.raises(Unavailable):
            await log.append("q-1", "one", batch(1))  # the number is taken
        await log.append("q-1", "one", batch(2))
        assert [event.seq for event in await log.events("q-1")] == [1, 2]


async def test_a_broken_file_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "events.db").write_bytes(b"no database" * 100)
    with pytest.raises(UnusableFile, match=r"events\.db is damaged"):
        async with sqlite_event_log(tmp_path / "events.db", 1 << 24):
            pass


def _noise() -> bytes:
    import random

    return random.Random(1).randbytes(1 << 20)
