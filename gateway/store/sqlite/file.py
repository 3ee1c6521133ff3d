"""The file `sessions.db`, which all SQLite stores of the gateway share: write-ahead log, one thread.

A committed transaction survives `kill -9` of the process (synchronous=NORMAL in WAL mode: only a power failure can lose
the newest transactions, and it never corrupts the file). Deleted content is overwritten, and the file shrinks again.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from libs.runtime.storage import unusable_file

T = TypeVar("T")

BUSY_SECONDS: Final = 10.0
"""How long a transaction waits for one of another process."""
PAGES_PER_STEP: Final = 2000
"""Pages that are returned to the operating system in one step, 8 MB; other calls run between two steps."""


class SqliteFile:
    """An opened file; created by `sqlite_file`."""

    def __init__(self, connection: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self._connection = connection
        self._thread = thread

    async def read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        return await self.run(lambda connection: connection.execute(statement, values).fetchall())

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in a transaction of its own; an exception undoes it."""
        return await self.run(lambda connection: in_transaction(connection, work))

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in the file's thread, without a transaction."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._connection)

    async def shrink(self) -> None:
        """Return free pages to the operating system and empty the log."""
        before, free = -1, await self._free_pages()
        while free and free != before:
            # A script, since a single statement returns one page only.
            await self.run(lambda connection: connection.executescript(f"PRAGMA incremental_vacuum({PAGES_PER_STEP});"))
            before, free = free, await self._free_pages()
        await self.read("PRAGMA wal_checkpoint(TRUNCATE)")

    async def _free_pages(self) -> int:
        return int((await self.read("PRAGMA freelist_count"))[0][0])


def in_transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Run `work` in a transaction that has the right to write from its start."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(connection)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    return result


@asynccontextmanager
async def sqlite_file(file: Path, prepare: Callable[[sqlite3.Connection], None]) -> AsyncIterator[SqliteFile]:
    """Open a file, creating it and its folder if they are missing; close it at the end.

    Args:
        file: its path.
        prepare: creates the tables, or brings them up to date; a ValueError of it says why it cannot.

    Raises:
        UnusableFile: it is damaged, of a newer version, or cannot be opened.
    """
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="sessions") as thread:
        loop = asyncio.get_running_loop()
        connection = await loop.run_in_executor(thread, _connect, file, prepare)
        try:
            yield SqliteFile(connection, thread)
        finally:
            await loop.run_in_executor(thread, connection.close)


def _connect(file: Path, prepare: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
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
        prepare(connection)
    except BaseException as error:
        connection.close()
        if isinstance(error, sqlite3.DatabaseError | ValueError):
            raise unusable_file(file, error) from None
        raise
    return connection
