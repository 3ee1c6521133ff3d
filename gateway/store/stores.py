"""The stores of a gateway: Protocols of those of questions and recordings, and all of them as one value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from gateway.store.event_log import EventLog
from gateway.store.sessions import SessionData, SessionStore

WEEK: Final = 7 * 24 * 3600.0
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


class RetryStore(SessionData, Protocol):
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


@dataclass(frozen=True, slots=True)
class RecordingBounds:
    """Limits of the stored recordings."""

    seconds: float = WEEK
    """Age at which a recording is deleted."""
    max_bytes: int = 256 * 1024 * 1024
    """Size of all recordings together; beyond it the oldest are deleted."""


@dataclass(frozen=True, slots=True)
class RecordingPart:
    """A recording as it is stored: encoded, with what the store searches by."""

    turn_id: str
    phase: int
    """1 for the question, 2 for the answer; both phases of one stream are stored as 1."""
    session_id: str
    started: float
    """When the phase began, in seconds since the epoch."""
    content: bytes


class RecordingStore(SessionData, Protocol):
    """Stores recordings, bounded in age and bytes; beyond the bounds the oldest are deleted first.

    Turns that still run when their session is forgotten store no recording.
    """

    async def put(self, part: RecordingPart) -> None:
        """Store a part, unless its session was deleted after the part began. It replaces one of the same phase."""
        ...

    async def parts(self, turn_id: str) -> Sequence[bytes]:
        """Return the contents of a turn's parts in the order of their phases; empty if there are none."""
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
        """Whatever is stored beside sessions and their turns."""
        return (self.retries, self.recordings, self.events)
