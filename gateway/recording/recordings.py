"""A recorded turn as plain values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

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
