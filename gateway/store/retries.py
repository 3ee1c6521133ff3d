"""Questions between understanding (phase 1) and answering (2), and which retry key finds what an earlier call began."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gateway.store.kept_bytes import KeptBytes, delete_gone
from gateway.store.tables import (
    Below,
    OneOf,
    Storage,
    Table,
    Tables,
    Type,
    delete_matching,
    fields_of,
    record_of,
    types_of,
)

KIND: Final = "question"
KEEP_SECONDS: Final = 3600.0
"""How long a question is kept between phase 1 and phase 2, and an answer for a retry with its request_id: taste."""


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A question between its two phases."""

    question_id: str
    retry_key: str
    """The request_id with the caller's principals; empty without a request_id."""
    fingerprint: str
    """Distinguishes two questions with the same retry key."""
    content: bytes
    session_id: str = ""
    """The session that it is deleted with; empty if it belongs to none."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Which question or turn has a retry key."""

    target: str
    """The id of the question or turn."""
    session_id: str
    expires: float
    """In seconds of time.time."""


QUESTIONS: Final = Table(
    "questions", types_of(StoredQuestion) | {"expires": Type.NUMBER}, (("session_id",), ("expires",))
)
RETRIES: Final = Table("retries", types_of(Retry), (("session_id",), ("expires",)))


class RetryStore:
    """Stores questions of phase 1 for phase 2, and for its retries. Calls may raise Unavailable or Overloaded."""

    def __init__(self, storage: Storage, keep_seconds: float, kept: KeptBytes) -> None:
        self._storage = storage
        self._kept = kept
        self._keep_seconds = keep_seconds

    async def put_question(self, question: StoredQuestion) -> None:
        """Store a question; it is durable when this returns."""
        expires = time.time() + self._keep_seconds
        retry = Retry(question.question_id, question.session_id, expires)
        gone = self._kept.keep(QUESTIONS, question.question_id, len(question.content), expires)

        def put(tables: Tables) -> None:
            tables.put(QUESTIONS, {question.question_id: {**fields_of(question), "expires": expires}})
            if question.retry_key:
                tables.put(RETRIES, {retry_id(KIND, question.retry_key): fields_of(retry)})
            delete_gone(gone, tables)

        await self._storage.write(put)

    async def question(self, question_id: str) -> StoredQuestion | None:
        """Return the question with that id, or None if it is unknown or too old."""
        return await self._storage.read(lambda tables: _question(question_id, tables))

    async def question_by_retry(self, retry_key: str) -> StoredQuestion | None:
        """Return the question of the latest call with this retry key, or None."""

        def find(tables: Tables) -> StoredQuestion | None:
            pointer = tables.get(RETRIES, retry_id(KIND, retry_key))
            return None if pointer is None else _question(pointer.fields["target"], tables)

        return await self._storage.read(find)

    async def forget(self, session_ids: Sequence[str]) -> None:
        """Delete the questions of sessions; the event log forgets the retries."""
        await delete_matching(self._storage, QUESTIONS, OneOf("session_id", [*filter(None, session_ids)]))

    async def expire(self) -> None:
        """Delete the questions whose time is over; the event log expires the retries."""
        await delete_matching(self._storage, QUESTIONS, Below("expires", time.time()))


def retry_id(kind: str, retry_key: str) -> str:
    """Return the id of a retry: a hash, since a key may be too long for an id and contains principals."""
    return f"{kind}-{hashlib.sha256(retry_key.encode()).hexdigest()}"


def _question(question_id: str, tables: Tables) -> StoredQuestion | None:
    document = tables.get(QUESTIONS, question_id)
    if document is None or document.fields["expires"] <= time.time():
        return None
    return record_of(StoredQuestion, document.fields)
