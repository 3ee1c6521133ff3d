"""The recordings in `sessions.db`, on a connection of their own, so that no turn waits for them."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, TypeVar

from gateway.recording.bounds import RecordingBounds
from gateway.recording.recordings import RecordingPart

T = TypeVar("T")

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS recordings (
    turn_id TEXT NOT NULL, phase INTEGER NOT NULL, session_id TEXT NOT NULL, started REAL NOT NULL,
    bytes INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (turn_id, phase)
);
CREATE INDEX IF NOT EXISTS recordings_by_session ON recordings (session_id) WHERE session_id != '';
CREATE INDEX IF NOT EXISTS recordings_by_age ON recordings (started, bytes);
CREATE TABLE IF NOT EXISTS recording_deletions (session_id TEXT PRIMARY KEY, deleted REAL NOT NULL) WITHOUT ROWID;
"""
PUT: Final = """
INSERT OR REPLACE INTO recordings SELECT ?, ?, ?, ?, ?, ?
WHERE NOT EXISTS (SELECT 1 FROM recording_deletions WHERE session_id = ? AND deleted >= ?)
"""
BUSY_SECONDS: Final = 10.0
"""Longest wait for the file's other writers."""


class SqliteRecordings:
    """A RecordingStore, created by `sqlite_recordings`."""

    def __init__(self, connection: sqlite3.Connection, thread: ThreadPoolExecutor, bounds: RecordingBounds) -> None:
        self._connection = connection
        self._thread = thread
        self._bounds = bounds

    async def put(self, part: RecordingPart) -> None:
        """See RecordingStore."""
        row = part.turn_id, part.phase, part.session_id, part.started, len(part.content), part.content
        await self._write(lambda: self._connection.execute(PUT, (*row, part.session_id, part.started)))

    async def parts(self, turn_id: str) -> tuple[bytes, ...]:
        """See RecordingStore."""
        statement = "SELECT content FROM recordings WHERE turn_id = ? AND started > ? ORDER BY phase"
        values = turn_id, self._oldest()
        rows = await self._run(lambda: self._connection.execute(statement, values).fetchall())
        return tuple(content for (content,) in rows)

    async def delete_session(self, session_id: str) -> None:
        """See RecordingStore."""

        def delete() -> None:
            self._connection.execute("DELETE FROM recordings WHERE session_id = ?", (session_id,))
            deletion = session_id, time.time()
            self._connection.execute("INSERT OR REPLACE INTO recording_deletions VALUES (?, ?)", deletion)

        if session_id:
            await self._write(delete)

    async def expire(self) -> None:
        """See RecordingStore."""
        await self._write(lambda: None)

    async def _write(self, change: Callable[[], object]) -> None:
        """Make a change and delete what is beyond the bounds, in one transaction."""

        def write() -> None:
            with self._connection:
                change()
                self._delete_old()
                self._delete_excess()

        await self._run(write)

    def _delete_old(self) -> None:
        for table, column in (("recordings", "started"), ("recording_deletions", "deleted")):
            self._connection.execute(f"DELETE FROM {table} WHERE {column} <= ?", (self._oldest(),))

    def _delete_excess(self) -> None:
        (size,) = self._connection.execute("SELECT coalesce(sum(bytes), 0) FROM recordings").fetchone()
        excess = size - self._bounds.most_bytes
        while excess > 0:
            oldest = "SELECT rowid, bytes FROM recordings ORDER BY started LIMIT 1"
            row_id, row_bytes = self._connection.execute(oldest).fetchone()
            self._connection.execute("DELETE FROM recordings WHERE rowid = ?", (row_id,))
            excess -= row_bytes

    def _oldest(self) -> float:
        return time.time() - self._bounds.seconds

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


@asynccontextmanager
async def sqlite_recordings(file: Path, bounds: RecordingBounds) -> AsyncIterator[SqliteRecordings]:
    """Open the recordings in `sessions.db`, creating file and tables if they are missing; close them at the end."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="recordings") as thread:
        loop = asyncio.get_running_loop()
        connection = await loop.run_in_executor(thread, _connect, file)
        try:
            yield SqliteRecordings(connection, thread, bounds)
        finally:
            await loop.run_in_executor(thread, connection.close)


def _connect(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(file, timeout=BUSY_SECONDS, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.executescript(SCHEMA)
    return connection
