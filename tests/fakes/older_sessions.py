"""Writes `sessions.db` as the suite did when a session was one value: its tables, and the bytes in them."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from libs.contracts.answers import Answer
from libs.contracts.evidence import Evidence, NearDuplicate, Passage, Reference
from libs.contracts.session import Outcome, SessionContext, Turn
from libs.contracts.wire.codec import to_message
from parley.context.v1 import session_pb2

TABLES: Final = """
CREATE TABLE IF NOT EXISTS sessions (
    session_id TEXT PRIMARY KEY, version INTEGER NOT NULL, content BLOB NOT NULL, updated REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS questions (
    question_id TEXT PRIMARY KEY, retry_key TEXT NOT NULL, fingerprint TEXT NOT NULL, content BLOB NOT NULL,
    created REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS questions_by_retry ON questions (retry_key) WHERE retry_key != '';
CREATE TABLE IF NOT EXISTS answers (
    retry_key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, created REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    retry_key TEXT NOT NULL REFERENCES answers ON DELETE CASCADE, seq INTEGER NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (retry_key, seq)
) WITHOUT ROWID;
"""
ASKED: Final = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
UPDATED: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)


def older_session(session_id: str, turns: int, *principals: str) -> SessionContext:
    """A conversation whose turns share a passage and have one of their own, with a near duplicate."""
    return SessionContext(
        session_id, tuple(_turn(session_id, number) for number in range(turns)), (), principals, version=turns
    )


def older_content(context: SessionContext) -> bytes:
    """The value of a session, as it was appended to turn by turn."""
    first = SessionContext(context.session_id, context.turns[:1], context.prior, context.principals, version=1)
    later = [SessionContext(turns=(turn,), version=version) for version, turn in enumerate(context.turns[1:], start=2)]
    return b"".join(to_message(part, session_pb2.SessionContext).SerializeToString() for part in (first, *later))


def write_older_sessions(file: Path, contexts: Iterable[SessionContext]) -> None:
    """Write the file, with an answer for a retry that still counts."""
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(TABLES)
    with connection:
        for context in contexts:
            values = (context.session_id, len(context.turns), older_content(context), UPDATED.timestamp())
            connection.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", values)
        connection.execute("INSERT INTO answers VALUES ('r-1', 'mark', ?)", (datetime.now(UTC).timestamp(),))
        connection.execute("INSERT INTO events VALUES ('r-1', 1, ?)", (b"event",))
    connection.close()


def take_titles_away(file: Path) -> None:
    """Make a file of version 3 one of version 2, in which a session could not be given a title."""
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (3,)
        connection.execute("ALTER TABLE sessions DROP COLUMN given_title")
        connection.execute("PRAGMA user_version = 2")
    connection.close()


def _turn(session_id: str, number: int) -> Turn:
    own = Passage(f"{session_id}-{number}", "doc", f"Only turn {number} of {session_id} cites this.", title="Own")
    shared = Passage("shared", "doc", "All turns cite this.")
    return Turn(
        f"q-{session_id}-{number}",
        f"Question {number}?",
        references=(
            Reference(1, Evidence(own, near_duplicates=(NearDuplicate(shared, 0.9),))),
            Reference(2, Evidence(shared)),
        ),
        answer=Answer(f"Answer {number}."),
        outcome=Outcome.ANSWERED,
        asked_at=ASKED + timedelta(minutes=number),
    )
