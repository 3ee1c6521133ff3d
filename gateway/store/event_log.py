"""The Protocol of the event log: what a running turn has sent, and the request with which another gateway restarts it.

A turn belongs to the gateway that holds its lease; only that gateway may append to it. The lease of a gateway that went
down runs out, and exactly one other gateway takes it over. An ended turn keeps its events until it expires; its request
goes when it ends.
"""

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from gateway.store.sessions import SessionData

EVENT_LOG_BYTES: Final = 16 * 1024 * 1024
"""Limit of a turn's logged events: twice the largest event, a `completed` whose context the client carries."""


LONG: Final = 256
"""Shorter contents, in bytes, gain nothing."""
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
    """How long the log is kept after the turn's end."""


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
class LoggedEvent:
    """An encoded event."""

    seq: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """What is appended at once."""

    events: Sequence[LoggedEvent] = ()
    ending: Ending | None = None

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(len(event.content) for event in self.events)


class Appended(StrEnum):
    """What became of a batch."""

    LOGGED = "LOGGED"
    LOST = "LOST"
    """The turn belongs to another gateway, has ended, or was deleted; nothing was logged."""
    TOO_LARGE = "TOO_LARGE"
    """The turn's events exceed the limit; the log keeps its progress, and no events from now on."""


class EventLog(SessionData, Protocol):
    """Logs the events of turns. Every call may raise Unavailable."""

    async def begin(self, start: TurnStart, lease: Lease) -> str | None:
        """Log a new turn; it is durable when this returns.

        Returns:
            None. If an earlier turn has the same id or the same retry key: the id of that turn, which stays; but a turn
            that may be repeated is replaced.
        """
        ...

    async def append(self, turn_id: str, owner: str, batch: Batch) -> Appended:
        """Log a batch at once; it is durable when this returns. An ending drops the request."""
        ...

    async def turn(self, turn_id: str) -> LoggedTurn | None:
        """Return a turn, or None if it is unknown or expired."""
        ...

    async def turn_by_retry(self, retry_key: str) -> LoggedTurn | None:
        """Return the turn with that retry key, or None."""
        ...

    async def events(self, turn_id: str, after_seq: int = 0) -> Sequence[LoggedEvent]:
        """Return the logged events after `after_seq`, in order."""
        ...

    async def progress(self, turn_ids: Collection[str]) -> Mapping[str, Progress]:
        """Return the progress of those turns that exist."""
        ...

    async def renew(self, turn_ids: Collection[str], lease: Lease) -> None:
        """Extend the leases of those running turns that belong to the lease's owner."""
        ...

    async def take_over(self, turn_id: str, lease: Lease, now: float) -> bool:
        """Take over a running turn whose lease ran out before `now`; of several that try, one gets True."""
        ...

    async def request_cancel(self, turn_id: str) -> None:
        """Ask the gateway that runs the turn to cancel it."""
        ...

    async def follow(self, turn_id: str, until: float) -> None:
        """Tell the gateway that runs the turn that a client of another gateway follows it."""
        ...


def pack(content: bytes) -> bytes:
    """Return an event or a request as it is stored: long ones are compressed, mostly the passages of references."""
    if len(content) < LONG:
        return _PLAIN + content
    compressed = zlib.compress(content, LEVEL)
    return _COMPRESSED + compressed if len(compressed) < len(content) else _PLAIN + content


def unpack(stored: bytes) -> bytes:
    """Return what was packed."""
    return zlib.decompress(stored[1:]) if stored[:1] == _COMPRESSED else stored[1:]
