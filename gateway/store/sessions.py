"""Sessions as they are stored. They hold bytes; encoding is the codec's responsibility.

The texts of a turn's passages are stored apart from it, each once in a session by its digest. What the next turn reads
is stored with the session, so a turn of a long session reads and writes as much as one of a short session.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol

DIGEST_BYTES: Final = 16
NEVER: Final = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session without its turns."""

    session_id: str
    principals: tuple[str, ...] = ()
    """Its owners: whoever has all of them may use it."""
    version: int = 0
    """Number of its turns."""
    first_question: str = ""
    """On one line, for listings; see `gateway.session.conversation`."""
    created: datetime = NEVER
    updated: datetime = NEVER
    """When its latest turn was stored."""
    view: bytes = b""
    """What its next turn reads of it; not part of listings."""
    key: str = ""
    """Given by the store: distinguishes the session from a later one of the same id. Empty until it is stored."""
    title: str = ""
    """What an owner named it; empty if nobody did."""


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn without the texts of its passages."""

    turn_id: str
    position: int
    """From 1."""
    asked_at: datetime
    content: bytes
    joined_digests: bytes = b""
    """Those of the texts that it names, of `DIGEST_BYTES` each."""

    @property
    def digests(self) -> tuple[bytes, ...]:
        """The texts that it names."""
        joined = self.joined_digests
        return tuple(joined[start : start + DIGEST_BYTES] for start in range(0, len(joined), DIGEST_BYTES))


@dataclass(frozen=True, slots=True)
class Addition:
    """One new turn of a session, or all turns of a new one, with the session as it is after them."""

    session: StoredSession
    turns: tuple[StoredTurn, ...]
    """The last `len(turns)` of the session's `version` turns."""
    texts: Mapping[bytes, bytes] = field(default_factory=dict)
    """All texts that the turns name, by digest."""


class SessionData(Protocol):
    """Whatever else is stored for sessions: it goes with them, and has limits of its own in age or size."""

    async def forget(self, session_ids: Sequence[str]) -> None:
        """Delete all that belongs to these sessions; it is durable when this returns."""
        ...

    async def expire(self) -> None:
        """Delete what is beyond the limits, which is not returned in any case."""
        ...


def owns(principals: Collection[str], owners: Collection[str]) -> bool:
    """Whether a caller with these principals may use a session of these owners.

    The caller must have all of the owners. A session without owners belongs to callers without principals.
    """
    return set(owners) <= set(principals) and bool(owners) == bool(principals)
