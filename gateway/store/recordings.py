"""The Protocol of the store of recordings. It holds bytes; encoding is done by `gateway.recording.encoding`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

WEEK: Final = 7 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class RecordingBounds:
    """Bounds of the stored recordings."""

    seconds: float = WEEK
    """Age at which a recording is deleted."""
    most_bytes: int = 256 * 1024 * 1024
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


class RecordingStore(Protocol):
    """Stores recordings, bounded in age and bytes; beyond the bounds the oldest are deleted first."""

    async def put(self, part: RecordingPart) -> None:
        """Store a part, unless its session was deleted after the part began. It replaces one of the same phase."""
        ...

    async def parts(self, turn_id: str) -> Sequence[bytes]:
        """Return the contents of a turn's parts in the order of their phases; empty if there are none."""
        ...

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See SessionData; turns of these sessions that still run store no recording."""
        ...

    async def expire(self) -> None:
        """Delete what is beyond the bounds."""
        ...
