"""The tables of `sessions.db`, and how a file of an older version is brought up to date.

`PRAGMA user_version` is the version of the tables: 0 for a new file and for the oldest one, in which a session was a
single value. The column `title` has had the first question since before sessions could be given a title; it keeps its
name, as a gateway of the release before may still have the file open.
"""

import sqlite3
from datetime import UTC, datetime
from typing import Final

from gateway.store.sessions import ReadOlder
from gateway.store.sqlite_file import in_transaction
from gateway.store.sqlite_rows import insert_addition

VERSION: Final = 3

TABLES: Final = (
    """CREATE TABLE owners (owner INTEGER PRIMARY KEY, principals TEXT NOT NULL UNIQUE, size INTEGER NOT NULL)""",
    """CREATE TABLE owner_principals (
        principal TEXT NOT NULL, owner INTEGER NOT NULL REFERENCES owners ON DELETE CASCADE,
        PRIMARY KEY (principal, owner)
    ) WITHOUT ROWID""",
    """CREATE INDEX owner_principals_by_owner ON owner_principals (owner)""",
    """CREATE TABLE sessions (
        key INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL UNIQUE,
        owner INTEGER NOT NULL REFERENCES owners, version INTEGER NOT NULL, title TEXT NOT NULL,
        created REAL NOT NULL, updated REAL NOT NULL, hidden INTEGER NOT NULL DEFAULT 0, view BLOB NOT NULL,
        given_title TEXT NOT NULL DEFAULT ''
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
)
RETRY_TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS questions (
        question_id TEXT PRIMARY KEY, retry_key TEXT NOT NULL, fingerprint TEXT NOT NULL, content BLOB NOT NULL,
        created REAL NOT NULL
    ) WITHOUT ROWID""",
    """CREATE INDEX IF NOT EXISTS questions_by_retry ON questions (retry_key) WHERE retry_key != ''""",
    """ALTER TABLE questions ADD COLUMN session_id TEXT NOT NULL DEFAULT ''""",
    """CREATE INDEX questions_by_session ON questions (session_id) WHERE session_id != ''""",
)


def prepare(connection: sqlite3.Connection, read_older: ReadOlder) -> None:
    """Create the tables, or bring those of an older version up to date, in one transaction.

    Raises:
        ValueError: a newer version of the suite wrote the file.
    """
    in_transaction(connection, lambda _: _upgrade(connection, read_older))


def _upgrade(connection: sqlite3.Connection, read_older: ReadOlder) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise ValueError(f"sessions.db has version {version}; this version of the suite reads up to {VERSION}")
    if version == 0:
        _make_rows(connection, read_older)
    if version < 2:  # answers for retries are in the event log
        for table in ("events", "answers"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    if 0 < version < 3:
        connection.execute("ALTER TABLE sessions ADD COLUMN given_title TEXT NOT NULL DEFAULT ''")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _make_rows(connection: sqlite3.Connection, read_older: ReadOlder) -> None:
    """From version 0: each session that was one value becomes rows."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "sessions" in names:
        connection.execute("ALTER TABLE sessions RENAME TO older_sessions")
    for statement in (*TABLES, *RETRY_TABLES):
        connection.execute(statement)
    if "sessions" not in names:
        return
    for (session_id,) in connection.execute("SELECT session_id FROM older_sessions").fetchall():
        content, updated = connection.execute(
            "SELECT content, updated FROM older_sessions WHERE session_id = ?", (session_id,)
        ).fetchone()
        addition = read_older(session_id, content, datetime.fromtimestamp(updated, UTC))
        insert_addition(connection, addition)
    connection.execute("DROP TABLE older_sessions")
