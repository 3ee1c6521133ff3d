"""The gateway's stores in SQLite: `sessions.db` with its tables, and beside it `events.db` for what is short-lived.

`PRAGMA user_version` is the version of the tables.
"""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from gateway.store.event_log import EVENT_LOG_BYTES
from gateway.store.sqlite.events import sqlite_event_log
from gateway.store.sqlite.file import in_transaction, sqlite_file
from gateway.store.sqlite.recordings import SqliteRecordings, create_recordings
from gateway.store.sqlite.retries import SqliteRetries
from gateway.store.sqlite.sessions import SqliteSessions
from gateway.store.stores import KEEP_SECONDS, RecordingBounds, Stores

VERSION: Final = 1

TABLES: Final = (
    """CREATE TABLE owners (owner INTEGER PRIMARY KEY, principals TEXT NOT NULL UNIQUE, size INTEGER NOT NULL)""",
    """CREATE TABLE owner_principals (
        principal TEXT NOT NULL, owner INTEGER NOT NULL REFERENCES owners ON DELETE CASCADE,
        PRIMARY KEY (principal, owner)
    ) WITHOUT ROWID""",
    """CREATE INDEX owner_principals_by_owner ON owner_principals (owner)""",
    """CREATE TABLE sessions (
        key INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL UNIQUE,
        owner INTEGER NOT NULL REFERENCES owners, version INTEGER NOT NULL, first_question TEXT NOT NULL,
        created REAL NOT NULL, updated REAL NOT NULL, hidden INTEGER NOT NULL DEFAULT 0, view BLOB NOT NULL,
        title TEXT NOT NULL
    )""",
    """CREATE INDEX sessions_by_owner ON sessions (owner, updated, session_id) WHERE NOT hidden""",
    """CREATE INDEX sessions_by_update ON sessions (updated) WHERE NOT hidden""",
    """CREATE INDEX sessions_hidden ON sessions (session_id) WHERE hidden""",
    """CREATE TABLE turns (
        session INTEGER NOT NULL REFERENCES sessions, position INTEGER NOT NULL, turn_id TEXT NOT NULL,
        created REAL NOT NULL, digests BLOB NOT NULL, content BLOB NOT NULL,
        UNIQUE (session, position)
    )""",
    """CREATE INDEX turns_by_id ON turns (turn_id)""",
    """CREATE TABLE texts (digest BLOB PRIMARY KEY, uses INTEGER NOT NULL, content BLOB NOT NULL)""",
    """CREATE TABLE questions (
        question_id TEXT PRIMARY KEY, retry_key TEXT NOT NULL, fingerprint TEXT NOT NULL, content BLOB NOT NULL,
        created REAL NOT NULL, session_id TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE INDEX questions_by_retry ON questions (retry_key) WHERE retry_key != ''""",
    """CREATE INDEX questions_by_session ON questions (session_id) WHERE session_id != ''""",
)


@asynccontextmanager
async def sqlite_stores(
    file: Path,
    keep_seconds: float = KEEP_SECONDS,
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


def prepare(connection: sqlite3.Connection) -> None:
    """Create the tables of a new file, in one transaction.

    Raises:
        ValueError: another version of the suite wrote the file.
    """
    in_transaction(connection, _create)


def _create(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        for statement in TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    elif version != VERSION:
        raise ValueError(f"its tables have version {version}; this version of the suite reads version {VERSION}")
