"""The Protocols of the stores, which hold bytes; encoding is the codec's responsibility."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StoredContext:
    """A conversation as bytes; `version` counts its stored turns from 1."""

    content: bytes
    version: int


class ContextStore(Protocol):
    """Stores conversations by session. Of two concurrent writers, the one with the older version gets Conflict."""

    async def load(self, session_id: str) -> StoredContext | None:
        """Return the current conversation, or None if the session is new."""
        ...

    async def save(self, session_id: str, content: bytes, version: int) -> None:
        """Store `version` of the conversation; it is durable when this returns.

        Raises:
            Conflict: the stored version is not `version - 1` (reason SESSION_CONFLICT).
        """
        ...


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A question between its two phases."""

    question_id: str
    retry_key: str
    """The request_id with the caller's principals; empty without a request_id."""
    fingerprint: str
    """Distinguishes two questions with the same retry key."""
    content: bytes


class TurnStore(Protocol):
    """Stores questions of phase 1 for phase 2, and the events of answers for retries."""

    async def put_question(self, question: StoredQuestion) -> None:
        """Store a question; it is durable when this returns."""
        ...

    async def question(self, question_id: str) -> StoredQuestion | None:
        """Return the question with that id, or None if it is unknown or too old."""
        ...

    async def question_by_retry(self, retry_key: str) -> StoredQuestion | None:
        """Return the question of an earlier call with this retry key, or None."""
        ...

    async def put_answer(self, retry_key: str, fingerprint: str, events: Sequence[bytes]) -> None:
        """Store the events of a complete answer."""
        ...

    async def answer(self, retry_key: str) -> tuple[str, Sequence[bytes]] | None:
        """Return the fingerprint and the events of an earlier answer with this retry key, or None."""
        ...
