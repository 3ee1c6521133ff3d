"""The stores over SQLite: what they do over every storage, and what is SQLite's own."""

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from gateway.store.event_log import EventLog
from gateway.store.logged_turns import Batch
from gateway.store.retries import RETRIES, Retry
from gateway.store.sqlite.file import SqliteStorage, sqlite_storage
from gateway.store.tables import Table, Tables, fields_of
from libs.runtime.storage import UnusableFile
from tests.conformance.event_log_behaviours import COMPLETED, batch, event, lease, start
from tests.conformance.storage_behaviours import TABLES, OpenStorage, StorageBehaviours

NOISE = random.Random(1).randbytes(1 << 20)


class TestSqlite(StorageBehaviours):
    @pytest.fixture
    def open_storage(self, tmp_path: Path) -> OpenStorage:
        return lambda: sqlite_storage(tmp_path / "data" / "all.db", TABLES)


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[SqliteStorage]:
    async with sqlite_storage(tmp_path / "all.db", TABLES) as opened:
        yield opened


async def test_the_file_gives_back_the_space_of_expired_turns(storage: SqliteStorage, tmp_path: Path) -> None:
    log, file = EventLog(storage), tmp_path / "all.db"
    await log.begin(start(keep_seconds=0.001), lease(seconds=-1))
    await log.append("q-1", "one", Batch([NOISE], ending=COMPLETED))
    await storage.shrink()
    large = file.stat().st_size
    await log.expire()
    assert file.stat().st_size < large / 4


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.name))
async def test_a_file_without_one_of_its_tables_is_named(tmp_path: Path, table: Table) -> None:
    file = tmp_path / "all.db"
    async with sqlite_storage(file, TABLES):
        pass
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"DROP TABLE {table.name}")
    with pytest.raises(UnusableFile, match=f"all.db .without its table {table.name}. is damaged"):
        await sqlite_storage(file, TABLES).__aenter__()


async def test_a_write_whose_caller_is_cancelled_is_carried_out(storage: SqliteStorage) -> None:
    log = EventLog(storage)
    await log.begin(start(), lease())
    append = asyncio.create_task(log.append("q-1", "one", batch(1)))
    await asyncio.sleep(0)
    append.cancel()
    with pytest.raises(asyncio.CancelledError):
        await append
    await log.append("q-1", "one", batch(2))
    assert await log.events("q-1") == [event(1), event(2)]


async def test_a_failure_undoes_what_shares_its_transaction_and_later_writes_succeed(storage: SqliteStorage) -> None:
    def put(tables: Tables) -> None:
        tables.put(RETRIES, {"one": fields_of(Retry("q-1", "s", 1.0))})

    def fail(tables: Tables) -> None:
        put(tables)
        raise sqlite3.ProgrammingError("a fault of ours")

    outcomes = await asyncio.gather(storage.write(fail), storage.write(put), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [sqlite3.ProgrammingError] * 2
    assert await storage.read(lambda tables: tables.get(RETRIES, "one")) is None
    await storage.write(put)
    assert await storage.read(lambda tables: tables.get(RETRIES, "one")) is not None
