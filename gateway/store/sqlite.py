"""Both stores in one SQLite file, `sessions.db`: write-ahead log, one writer thread.

A committed transaction survives `kill -9` of the process (synchronous=NORMAL in WAL mode: only a power failure can lose
the newest transactions, and it never corrupts the file).
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from gateway.store.contexts import StoredContext, StoredQuestion
from libs.runtime.errors import Conflict

T = TypeVar("T")

SCHEMA: Final = """
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


class SqliteStore:
    """A ContextStore and a TurnStore, created by `sqlite_store`."""

    def __init__(self, connection: sqlite3.Connection, thread: ThreadPoolExecutor, keep_seconds: float) -> None:
        self._connection = connection
        self._thread = thread
        self._keep_seconds = keep_seconds

    async def load(self, session_id: str) -> StoredContext | None:
        """See ContextStore."""
        row = await self._row("SELECT content, version FROM sessions WHERE session_id = ?", session_id)
        return None if row is None else StoredContext(row[0], row[1])

    async def save(self, session_id: str, content: bytes, version: int) -> None:
        """See ContextStore."""
        changed = await self._run(lambda: self._save(session_id, content, version))
        if not changed:
            raise Conflict(
                "SESSION_CONFLICT", "Another turn of this session was stored first.", {"session_id": session_id}
            )

    def _save(self, session_id: str, content: bytes, version: int) -> int:
        with self._connection:
            if version == 1:
                statement = "INSERT OR IGNORE INTO sessions VALUES (?, 1, ?, ?)"
                return self._connection.execute(statement, (session_id, content, time.time())).rowcount
            statement = "UPDATE sessions SET version = ?, content = ?, updated = ? WHERE session_id = ? AND version = ?"
            values = (version, content, time.time(), session_id, version - 1)
            return self._connection.execute(statement, values).rowcount

    async def put_question(self, question: StoredQuestion) -> None:
        """See TurnStore."""
        row = (question.question_id, question.retry_key, question.fingerprint, question.content, time.time())
        await self._run(lambda: self._put_question(row))

    def _put_question(self, row: tuple[str, str, str, bytes, float]) -> None:
        with self._connection:
            self._forget_old()
            self._connection.execute("INSERT INTO questions VALUES (?, ?, ?, ?, ?)", row)

    async def question(self, question_id: str) -> StoredQuestion | None:
        """See TurnStore."""
        return await self._question("question_id = ?", question_id)

    async def question_by_retry(self, retry_key: str) -> StoredQuestion | None:
        """See TurnStore."""
        return await self._question("retry_key = ?", retry_key)

    async def _question(self, condition: str, value: str) -> StoredQuestion | None:
        columns = "question_id, retry_key, fingerprint, content"
        statement = f"SELECT {columns} FROM questions WHERE {condition} AND created > ?"
        row = await self._row(statement, value, self._oldest())
        return None if row is None else StoredQuestion(*row)

    async def put_answer(self, retry_key: str, fingerprint: str, events: Sequence[bytes]) -> None:
        """See TurnStore."""
        await self._run(lambda: self._put_answer(retry_key, fingerprint, events))

    def _put_answer(self, retry_key: str, fingerprint: str, events: Sequence[bytes]) -> None:
        rows = [(retry_key, seq, content) for seq, content in enumerate(events, start=1)]
        with self._connection:
            self._forget_old()
            self._connection.execute("DELETE FROM answers WHERE retry_key = ?", (retry_key,))
            self._connection.execute("INSERT INTO answers VALUES (?, ?, ?)", (retry_key, fingerprint, time.time()))
            self._connection.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)

    async def answer(self, retry_key: str) -> tuple[str, Sequence[bytes]] | None:
        """See TurnStore."""
        statement = "SELECT fingerprint FROM answers WHERE retry_key = ? AND created > ?"
        row = await self._row(statement, retry_key, self._oldest())
        if row is None:
            return None
        rows = await self._run(
            lambda: self._connection.execute(
                "SELECT content FROM events WHERE retry_key = ? ORDER BY seq", (retry_key,)
            ).fetchall()
        )
        return row[0], [content for (content,) in rows]

    def _forget_old(self) -> None:
        for table in ("questions", "answers"):
            self._connection.execute(f"DELETE FROM {table} WHERE created <= ?", (self._oldest(),))

    def _oldest(self) -> float:
        return time.time() - self._keep_seconds

    async def _row(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        return await self._run(lambda: self._connection.execute(statement, values).fetchone())

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


@asynccontextmanager
async def sqlite_store(file: Path, keep_seconds: float) -> AsyncIterator[SqliteStore]:
    """Open the store, creating file and folder if they are missing; close it at the end."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="sessions") as thread:
        loop = asyncio.get_running_loop()
        connection = await loop.run_in_executor(thread, _connect, file)
        try:
            yield SqliteStore(connection, thread, keep_seconds)
        finally:
            await loop.run_in_executor(thread, connection.close)


def _connect(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(file, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.executescript(SCHEMA)
    return connection
