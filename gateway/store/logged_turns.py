"""A turn of the event log, and how it is stored: a document that holds its events, too.

So each change of a turn and the check before it are one: a lease is taken over once, and a gateway that lost it cannot
append.
"""

import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from gateway.store.tables import ENTRIES, TYPES, Fields, Table, Type, fields_of, record_of, types_of

LONG: Final = 256
"""Shorter contents, in bytes, gain nothing (taste)."""
LEVEL: Final = 1
"""zlib's fastest level: references shrink to less than half in .2 ms."""
_PLAIN: Final = b"\x00"
_COMPRESSED: Final = b"\x01"


@dataclass(frozen=True, slots=True)
class Lease:
    """Which gateway runs a turn, and until when."""

    owner: str
    until: float
    """In seconds of time.time."""


@dataclass(frozen=True, slots=True)
class TurnStart:
    """A turn as it begins."""

    turn_id: str
    request: bytes
    """What the turn is run from."""
    session_id: str = ""
    """Empty if the client stores the conversation."""
    principals: tuple[str, ...] = ()
    retry_key: str = ""
    """The request_id with the caller's principals; empty without a request_id."""
    fingerprint: str = ""
    """Distinguishes two questions with the same retry key."""
    begun: float = 0.0
    """In seconds of time.time."""
    keep_seconds: float = 3600.0
    """How long the log is kept after the turn's end (taste)."""


class TurnState(StrEnum):
    """Whether a turn has ended, and how."""

    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"

    @property
    def may_be_repeated(self) -> bool:
        """Whether a retry runs the turn again instead of getting its events."""
        return self in (TurnState.FAILED, TurnState.CANCELLED)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a turn ended."""

    state: TurnState
    error: bytes = b""
    """The encoded error of a turn that failed."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a gateway that follows or runs a turn has to watch."""

    lease: Lease
    last_seq: int = 0
    """The last logged event; 0 for none."""
    state: TurnState = TurnState.RUNNING
    is_cancel_requested: bool = False
    followed_until: float = 0.0
    """Until when a client of another gateway follows the turn, in seconds of time.time."""
    is_whole: bool = True
    """False if its events were larger than the log keeps; then none are kept."""


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """A turn of the log."""

    start: TurnStart
    """Without the request once the turn has ended."""
    progress: Progress
    error: bytes = b""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is appended at once."""

    events: Sequence[bytes] = ()
    """The next events of the turn, encoded."""
    ending: Ending | None = None


class Appended(StrEnum):
    """What became of a batch."""

    LOGGED = "LOGGED"
    LOST = "LOST"
    """The turn belongs to another gateway, has ended, or was deleted; nothing was logged."""
    TOO_LARGE = "TOO_LARGE"
    """The turn's events exceed the limit; the log keeps its progress, and no events from now on."""


NEW: Final[Fields] = {
    "last_seq": 0,
    "state": TurnState.RUNNING.value,
    "is_cancel_requested": False,
    "followed_until": 0.0,
    "is_whole": True,
    "size": 0,
    "error": b"",
}
"""What changes of a turn, as it begins; its size is in bytes, before events are compressed."""
TURNS: Final = Table(
    "events",
    types_of(TurnStart)
    | types_of(Lease)
    | {name: TYPES[type(value)] for name, value in NEW.items()}
    | {"expires": Type.NUMBER},
    (("session_id",), ("expires",)),
    has_entries=True,
)
"""A turn and, as its entries, its events: the one with the number n is at the place n."""


def fields_of_start(start: TurnStart, lease: Lease) -> Fields:
    """Return the document of a turn that begins."""
    expires = lease.until + start.keep_seconds
    return {**fields_of(start), **fields_of(lease), **NEW, "request": pack(start.request), "expires": expires}


def changes_of(fields: Fields, batch: Batch, max_bytes: int) -> Fields:
    """Return how a batch changes the document of its turn."""
    size, last_seq = fields["size"] + sum(map(len, batch.events)), fields["last_seq"] + len(batch.events)
    is_whole = fields["is_whole"] and size <= max_bytes
    changes: dict[str, Any] = {"size": size, "is_whole": is_whole, "last_seq": last_seq}
    changes[ENTRIES] = [*map(pack, batch.events)] if is_whole else None
    if batch.ending is not None:
        state, error, expires = batch.ending.state.value, batch.ending.error, time.time() + fields["keep_seconds"]
        changes |= {"state": state, "error": error, "request": pack(b""), "expires": expires}
    return changes


def runs_at(fields: Fields, owner: str) -> bool:
    """Whether a turn is running, and belongs to this gateway."""
    return bool(fields["owner"] == owner and fields["state"] == TurnState.RUNNING)


def may_be_replaced(fields: Fields) -> bool:
    """Whether a turn with the same id or retry key may take the place of this one."""
    return TurnState(fields["state"]).may_be_repeated or fields["expires"] <= time.time()


def progress_of(fields: Fields) -> Progress:
    """Return the progress that a document shows."""
    state = {"lease": record_of(Lease, fields), "state": TurnState(fields["state"])}
    return record_of(Progress, {**fields, **state})


def logged_turn(fields: Fields) -> LoggedTurn:
    """Return the turn of a document."""
    start = record_of(TurnStart, {**fields, "request": unpack(fields["request"])})
    return LoggedTurn(start, progress_of(fields), fields["error"])


def pack(content: bytes) -> bytes:
    """Return an event or a request as it is stored: long ones are compressed, mostly the passages of references."""
    if len(content) < LONG:
        return _PLAIN + content
    compressed = zlib.compress(content, LEVEL)
    return _COMPRESSED + compressed if len(compressed) < len(content) else _PLAIN + content


def unpack(stored: bytes) -> bytes:
    """Return what was packed."""
    return zlib.decompress(stored[1:]) if stored[:1] == _COMPRESSED else stored[1:]
