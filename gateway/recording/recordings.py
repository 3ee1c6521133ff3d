"""A recorded turn as plain values, and the Protocol of its store."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from libs.contracts.usage import Stage


class CallEnd(StrEnum):
    """How a call of a stage ended."""

    RESULT = "RESULT"
    ERROR = "ERROR"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call of a stage; `number` counts from 1 in the order in which the calls began."""

    number: int
    stage: Stage
    method: str
    """Name of the RPC, such as `Write`."""
    started_at: datetime
    milliseconds: float
    end: CallEnd
    reason: str = ""
    """The error's reason, if it ended with one."""
    request_hash: str = ""
    response_hash: str = ""
    """SHA-256 of request and responses in hexadecimal; of responses without the fields that change by chance."""


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A call with its serialized request and responses."""

    call: RecordedCall
    request: bytes
    responses: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Recording:
    """The calls of a turn, or of one of its phases."""

    turn_id: str
    question: str
    started_at: datetime
    session_id: str = ""
    """Empty if the client stores the conversation."""
    principals: tuple[str, ...] = ()
    calls: tuple[StoredCall, ...] = ()
    omitted: int = 0
    """Number of calls left out because the recording would have become too large."""


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


class RecordingStore(Protocol):
    """Stores recordings, bounded in age and bytes; beyond the bounds the oldest are deleted first."""

    async def put(self, part: RecordingPart) -> None:
        """Store a part, unless its session was deleted after the part began. It replaces one of the same phase."""
        ...

    async def parts(self, turn_id: str) -> tuple[bytes, ...]:
        """Return the contents of a turn's parts in the order of their phases; empty if there are none."""
        ...

    async def delete_session(self, session_id: str) -> None:
        """Delete all recordings of a session; turns of it that still run store none."""
        ...

    async def expire(self) -> None:
        """Delete what is beyond the bounds."""
        ...
