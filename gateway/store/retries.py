"""Questions between the two phases, and by which retry key a call finds what an earlier one has begun."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gateway.store.tables import Below, Fields, OneOf, Storage, Table, Tables, Type, delete_matching

QUESTIONS: Final = Table(
    "questions",
    {
        "session_id": Type.TEXT,
        "retry_key": Type.TEXT,
        "fingerprint": Type.TEXT,
        "expires": Type.NUMBER,
        "content": Type.BYTES,
    },
    (("session_id",), ("expires",)),
)
RETRIES: Final = Table(
    "retries",
    {"target": Type.TEXT, "session_id": Type.TEXT, "expires": Type.NUMBER},
    (("session_id",), ("expires",)),
)
"""Questions and turns by their retry keys: the target is the id of one."""
KIND: Final = "question"


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


class RetryStore:
    """Stores questions of phase 1 for phase 2, and for retries of phase 1."""

    def __init__(self, storage: Storage, keep_seconds: float) -> None:
        self._storage = storage
        self._keep_seconds = keep_seconds

    async def put_question(self, question: StoredQuestion) -> None:
        """Store a question; it is durable when this returns."""
        expires = time.time() + self._keep_seconds
        fields = {
            "session_id": question.session_id,
            "retry_key": question.retry_key,
            "fingerprint": question.fingerprint,
            "expires": expires,
            "content": question.content,
        }
        pointer = retry_fields(question.question_id, question.session_id, expires)

        def put(tables: Tables) -> None:
            tables.put(QUESTIONS, {question.question_id: fields})
            if question.retry_key:
                tables.put(RETRIES, {retry_id(KIND, question.retry_key): pointer})

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
        """See SessionData; the event log forgets the retries."""
        await delete_matching(self._storage, QUESTIONS, OneOf("session_id", [*filter(None, session_ids)]))

    async def expire(self) -> None:
        """See SessionData; the event log expires the retries."""
        await delete_matching(self._storage, QUESTIONS, Below("expires", time.time()))


def retry_id(kind: str, retry_key: str) -> str:
    """Return the id of a retry: a hash, since a key may be too long for an id and contains principals."""
    return f"{kind}-{hashlib.sha256(retry_key.encode()).hexdigest()}"


def retry_fields(target: str, session_id: str, expires: float) -> Fields:
    """Return the document of a retry."""
    return {"target": target, "session_id": session_id, "expires": expires}


def _question(question_id: str, tables: Tables) -> StoredQuestion | None:
    document = tables.get(QUESTIONS, question_id)
    if document is None or document.fields["expires"] <= time.time():
        return None
    fields = document.fields
    return StoredQuestion(
        question_id, fields["retry_key"], fields["fingerprint"], fields["content"], fields["session_id"]
    )
