"""The gateway's stores in SQLite: `sessions.db`, and beside it `events.db` for what is short-lived."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gateway.store.event_log import EVENT_LOG_BYTES
from gateway.store.recordings import RecordingBounds
from gateway.store.sqlite.events import sqlite_event_log
from gateway.store.sqlite.file import sqlite_file
from gateway.store.sqlite.recordings import SqliteRecordings, create_recordings
from gateway.store.sqlite.retries import SqliteRetries
from gateway.store.sqlite.schema import prepare
from gateway.store.sqlite.sessions import SqliteSessions
from gateway.store.stores import Stores


@asynccontextmanager
async def sqlite_stores(
    file: Path,
    keep_seconds: float,
    bounds: RecordingBounds | None = None,
    event_log_bytes: int = EVENT_LOG_BYTES,
) -> AsyncIterator[Stores]:
    """Open the stores, creating file and folder if they are missing; close them at the end.

    Args:
        file: its path.
        keep_seconds: how long questions are kept.
        bounds: of the recordings; None for the defaults.
        event_log_bytes: how large the logged events of a turn may be.

    Raises:
        UnusableFile: another version of the suite wrote the file, it is damaged, or it cannot be opened.
    """

    def tables(connection: sqlite3.Connection) -> None:
        prepare(connection)
        create_recordings(connection)

    async with (
        sqlite_file(file, tables) as opened,
        sqlite_event_log(file.with_name("events.db"), event_log_bytes) as log,
    ):
        recordings = SqliteRecordings(opened, bounds or RecordingBounds())
        yield Stores(SqliteSessions(opened), SqliteRetries(opened, keep_seconds), recordings, log)
