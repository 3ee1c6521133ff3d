"""The Protocol of the store of questions between the two phases."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


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


class RetryStore(Protocol):
    """Stores questions of phase 1 for phase 2, and for retries of phase 1."""

    async def put_question(self, question: StoredQuestion) -> None:
        """Store a question; it is durable when this returns."""
        ...

    async def question(self, question_id: str) -> StoredQuestion | None:
        """Return the question with that id, or None if it is unknown or too old."""
        ...

    async def question_by_retry(self, retry_key: str) -> StoredQuestion | None:
        """Return the question of an earlier call with this retry key, or None."""
        ...

    async def expire(self) -> None:
        """Delete questions that are too old; those are not returned in any case."""
        ...

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See SessionData."""
        ...
