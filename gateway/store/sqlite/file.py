"""A SQLite file with tables of documents: write-ahead log, one thread.

A committed transaction survives `kill -9` of the process (synchronous=NORMAL in WAL mode: only a power failure can lose
the newest transactions, and it never corrupts the file). Deleted content is overwritten, and the file shrinks again.
Writes that wait for the thread share a transaction, which costs far more than the statements in it.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from gateway.store.sqlite.tables import SqliteTables, create_tables
from gateway.store.tables import Table, Tables
from libs.runtime.storage import DamagedContent, check_whole, storage_error, unusable_file

T = TypeVar("T")

VERSION: Final = 2
"""Of the tables, stored as `PRAGMA user_version`; raised when they change."""
BUSY_SECONDS: Final = 10.0
"""How long a transaction waits for one of another process (taste)."""
PAGES_PER_STEP: Final = 2000
"""Pages that are returned to the operating system in one step, 8 MB; other calls run between two steps (taste)."""


_Waiting = tuple[Callable[[Tables], Any], asyncio.Future[Any]]
"""Work that waits for the thread, and who waits for its result."""


class SqliteStorage:
    """The Storage of an open file; created by `sqlite_storage`."""

    def __init__(self, file: Path, connection: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self._file = file
        self._connection = connection
        self._tables = SqliteTables(connection)
        self._thread = thread
        self._waiting: list[_Waiting] = []
        self._commits: asyncio.Task[None] | None = None

    async def read(self, work: Callable[[Tables], T]) -> T:
        """Run work that writes nothing, in the thread."""
        return await self._run(lambda: work(self._tables))

    async def write(self, work: Callable[[Tables], T]) -> T:
        """Run work in the thread; what it wrote is durable when this returns.

        Writes are carried out in the order in which they are called, even those whose caller is cancelled. An error of
        one rolls back those of the same transaction, and all their callers get it.
        """
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((work, future))
        if self._commits is None:
            self._commits = asyncio.create_task(self._commit_all())
        result: T = await future
        return result

    async def drain(self) -> None:
        """Wait for the writes that are still waiting."""
        if self._commits is not None:
            await self._commits

    async def shrink(self) -> None:
        """Return the space of what was deleted to the operating system."""
        before, free = -1, await self._free_pages()
        while free and free != before:
            # A script, since a single statement returns one page only.
            step = f"PRAGMA incremental_vacuum({PAGES_PER_STEP});"
            await self._run(partial(self._connection.executescript, step))
            before, free = free, await self._free_pages()
        await self._run(lambda: self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    async def _free_pages(self) -> int:
        return int(await self._run(lambda: self._connection.execute("PRAGMA freelist_count").fetchone()[0]))

    async def _run(self, work: Callable[[], T]) -> T:
        """Run work in the file's thread.

        Raises:
            Unavailable, Overloaded, DataLoss: the file cannot be used.
        """
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except sqlite3.Error as error:
            if (typed := storage_error(error, self._file)) is not None:
                raise typed from typed.__cause__
            raise

    async def _commit_all(self) -> None:
        try:
            while self._waiting:
                group, self._waiting = self._waiting, []
                try:
                    results = await self._run(partial(self._commit, group))
                except Exception as error:
                    for _, future in group:
                        if not future.done():
                            future.set_exception(error)
                else:
                    for (_, future), result in zip(group, results, strict=True):
                        if not future.done():
                            future.set_result(result)
        finally:
            self._commits = None

    def _commit(self, group: Sequence[_Waiting]) -> list[Any]:
        """Run the works in one transaction, which has the right to write from its start."""
        return in_transaction(self._connection, lambda: [work(self._tables) for work, _ in group])


def in_transaction(connection: sqlite3.Connection, work: Callable[[], T]) -> T:
    """Run `work` in a transaction that has the right to write from its start; an exception undoes it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work()
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    return result


@asynccontextmanager
async def sqlite_storage(file: Path, tables: Sequence[Table]) -> AsyncIterator[SqliteStorage]:
    """Open a file with these tables, creating it and its folder if they are missing; close it at the end.

    Raises:
        UnusableFile: it is damaged, its tables have another version, or it cannot be opened.
    """
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix=file.stem) as thread:
        loop = asyncio.get_running_loop()
        connection = await loop.run_in_executor(thread, _connect, file, tables)
        storage = SqliteStorage(file, connection, thread)
        try:
            yield storage
        finally:
            await storage.drain()
            await loop.run_in_executor(thread, connection.close)


def _connect(file: Path, tables: Sequence[Table]) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    check_whole(file)
    try:
        connection = sqlite3.connect(file, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None)
    except sqlite3.Error as error:
        raise unusable_file(file, error) from None
    try:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        in_transaction(connection, lambda: _prepare(connection, tables))
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.DatabaseError | ValueError | DamagedContent):
            raise unusable_file(file, error) from None
        raise
    return connection


def _prepare(connection: sqlite3.Connection, tables: Sequence[Table]) -> None:
    """Create the tables of a new file.

    Raises:
        ValueError: another version of the suite wrote the file.
        DamagedContent: one of them is gone.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        create_tables(connection, tables)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    elif version != VERSION:
        raise ValueError(
            f"its tables have version {version}, this program knows {VERSION}: use the release that wrote it, or move"
            " it away to begin with an empty one"
        )
    present = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in tables:
        if table.name not in present:
            raise DamagedContent(f"without its table {table.name}")
