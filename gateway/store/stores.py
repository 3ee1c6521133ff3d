"""The stores of a gateway, and the Protocol of the one between the two phases of a turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gateway.store.event_log import EventLog
from gateway.store.recordings import RecordingStore
from gateway.store.sessions import Expiring, SessionData, SessionStore


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


@dataclass(frozen=True, slots=True)
class Stores:
    """All that a gateway stores."""

    sessions: SessionStore
    retries: RetryStore
    recordings: RecordingStore
    events: EventLog

    @property
    def session_data(self) -> tuple[SessionData, ...]:
        """Whatever has to go with a session, apart from its turns."""
        return (self.retries, self.recordings, self.events)

    @property
    def expiring(self) -> tuple[Expiring, ...]:
        """Whatever is deleted by limits of its own."""
        return (self.retries, self.recordings, self.events)
