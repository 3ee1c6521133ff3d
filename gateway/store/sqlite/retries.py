"""Questions between the two phases, in SQLite."""

import sqlite3
import time
from collections.abc import Sequence

from gateway.store.sqlite.file import SqliteFile
from gateway.store.stores import StoredQuestion


class SqliteRetries:
    """A RetryStore."""

    def __init__(self, file: SqliteFile, keep_seconds: float) -> None:
        self._file = file
        self._keep_seconds = keep_seconds

    async def put_question(self, question: StoredQuestion) -> None:
        """See RetryStore."""
        row = (
            question.question_id,
            question.retry_key,
            question.fingerprint,
            question.content,
            time.time(),
            question.session_id,
        )

        def put(connection: sqlite3.Connection) -> None:
            self._forget_old(connection)
            connection.execute(
                "INSERT INTO questions (question_id, retry_key, fingerprint, content, created, session_id) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )

        await self._file.write(put)

    async def question(self, question_id: str) -> StoredQuestion | None:
        """See RetryStore."""
        return await self._question("question_id = ?", question_id)

    async def question_by_retry(self, retry_key: str) -> StoredQuestion | None:
        """See RetryStore."""
        return await self._question("retry_key = ?", retry_key)

    async def _question(self, condition: str, value: str) -> StoredQuestion | None:
        columns = "question_id, retry_key, fingerprint, content, session_id"
        rows = await self._file.read(
            f"SELECT {columns} FROM questions WHERE {condition} AND created > ?", value, self._oldest()
        )
        return StoredQuestion(*rows[0]) if rows else None

    async def expire(self) -> None:
        """See RetryStore."""
        await self._file.write(self._forget_old)

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See SessionData."""
        values = [(session_id,) for session_id in session_ids]

        def delete(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM questions WHERE session_id = ? AND session_id != ''", values)

        await self._file.write(delete)

    def _forget_old(self, connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM questions WHERE created <= ?", (self._oldest(),))

    def _oldest(self) -> float:
        return time.time() - self._keep_seconds
