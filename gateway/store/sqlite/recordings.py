"""Recordings of turns, in SQLite.

A deleted session leaves a mark, so that a turn that still runs stores nothing: a row of the phase 0, without content.
"""

import sqlite3
import time
from collections.abc import Callable, Sequence
from typing import Final

from gateway.store.sqlite.file import SqliteFile
from gateway.store.stores import RecordingBounds, RecordingPart

TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS recordings (
        turn_id TEXT NOT NULL, phase INTEGER NOT NULL, session_id TEXT NOT NULL, started REAL NOT NULL,
        bytes INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (turn_id, phase)
    )""",
    """CREATE INDEX IF NOT EXISTS recordings_by_session ON recordings (session_id) WHERE session_id != ''""",
    """CREATE INDEX IF NOT EXISTS recordings_by_age ON recordings (started, bytes)""",
)
PUT: Final = """
INSERT OR REPLACE INTO recordings SELECT ?, ?, ?, ?, ?, ?
WHERE NOT EXISTS (
    SELECT 1 FROM recordings WHERE session_id != '' AND session_id = ? AND phase = 0 AND started >= ?
)
"""


def create_recordings(connection: sqlite3.Connection) -> None:
    """Create the tables that are missing."""
    for statement in TABLES:
        connection.execute(statement)


class SqliteRecordings:
    """A RecordingStore."""

    def __init__(self, file: SqliteFile, bounds: RecordingBounds) -> None:
        self._file = file
        self._bounds = bounds

    async def put(self, part: RecordingPart) -> None:
        """See RecordingStore."""
        row = part.turn_id, part.phase, part.session_id, part.started, len(part.content), part.content
        await self._write(lambda connection: connection.execute(PUT, (*row, part.session_id, part.started)))

    async def parts(self, turn_id: str) -> Sequence[bytes]:
        """See RecordingStore."""
        statement = "SELECT content FROM recordings WHERE turn_id = ? AND started > ? ORDER BY phase"
        return [content for (content,) in await self._file.read(statement, turn_id, self._oldest())]

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See RecordingStore."""
        ids, now = [session_id for session_id in session_ids if session_id], time.time()

        def delete(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM recordings WHERE session_id = ?", [(item,) for item in ids])
            marks = [(f"deleted:{item}", item, now) for item in ids]
            connection.executemany("INSERT OR REPLACE INTO recordings VALUES (?, 0, ?, ?, 0, x'')", marks)

        await self._write(delete)

    async def expire(self) -> None:
        """See RecordingStore."""
        await self._write(lambda _: None)

    async def _write(self, change: Callable[[sqlite3.Connection], object]) -> None:
        """Make a change and delete what is beyond the bounds, in one transaction."""

        def write(connection: sqlite3.Connection) -> None:
            change(connection)
            self._delete_old(connection)
            self._delete_excess(connection)

        await self._file.write(write)

    def _delete_old(self, connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM recordings WHERE started <= ?", (self._oldest(),))

    def _delete_excess(self, connection: sqlite3.Connection) -> None:
        (size,) = connection.execute("SELECT coalesce(sum(bytes), 0) FROM recordings").fetchone()
        excess = size - self._bounds.max_bytes
        while excess > 0:
            row_id, row_bytes = connection.execute(
                "SELECT rowid, bytes FROM recordings WHERE bytes > 0 ORDER BY started LIMIT 1"
            ).fetchone()
            connection.execute("DELETE FROM recordings WHERE rowid = ?", (row_id,))
            excess -= row_bytes

    def _oldest(self) -> float:
        return time.time() - self._bounds.seconds
