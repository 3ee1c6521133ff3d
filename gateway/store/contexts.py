"""The Protocols of what is kept, over bytes: how they are made is the codec's matter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StoredContext:
    """A conversation as bytes; `version` counts its stored turns from 1."""

    content: bytes
    version: int


class ContextStore(Protocol):
    """Keeps conversations by session. Two writers never lose a turn: the one with the older version loses."""

    async def load(self, session_id: str) -> StoredContext | None:
        """The conversation as it is now, or None when the session is new."""
        ...

    async def save(self, session_id: str, content: bytes, version: int) -> None:
        """Keep `version` of the conversation; durable when this returns.

        Raises:
            Conflict: the stored version is not `version - 1` (reason SESSION_CONFLICT).
        """
        ...


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A question between its two phases."""

    question_id: str
    retry_key: str
    """The caller's request_id with who asks; empty for none."""
    fingerprint: str
    """Tells two questions of one retry key apart."""
    content: bytes


class TurnStore(Protocol):
    """Keeps questions of phase 1 for phase 2, and the events of answers for retries."""

    async def put_question(self, question: StoredQuestion) -> None:
        """Keep it; durable when this returns."""
        ...

    async def question(self, question_id: str) -> StoredQuestion | None:
        """The question of that id, unless it is too old."""
        ...

    async def question_by_retry(self, retry_key: str) -> StoredQuestion | None:
        """The question of an earlier call with this retry key."""
        ...

    async def put_answer(self, retry_key: str, fingerprint: str, events: Sequence[bytes]) -> None:
        """Keep a whole answer."""
        ...

    async def answer(self, retry_key: str) -> tuple[str, Sequence[bytes]] | None:
        """The fingerprint and the events of an earlier answer with this retry key."""
        ...
