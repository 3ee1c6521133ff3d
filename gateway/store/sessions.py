"""The Protocols of the stores of sessions. They hold bytes; encoding is the codec's responsibility.

A turn is a row that is written once. The texts of its passages are stored apart from it, each once by its digest, and
a text goes with the last turn that names it. What the next turn reads is stored with the session, so a turn of a long
session reads and writes as much as one of a short session.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol

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
    created: datetime
    content: bytes
    digests: tuple[bytes, ...] = ()
    """The texts that it names."""


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


class SessionStore(Protocol):
    """Stores sessions and their turns."""

    async def session(self, session_id: str) -> StoredSession | None:
        """Return the session, or None if there is none or it is hidden."""
        ...

    async def add(self, addition: Addition) -> None:
        """Store new turns; they are durable when this returns, all or none.

        Of two writers that read the same version one succeeds. A session that is stored keeps the title that it has by
        now, whatever it was when the session was read.

        Raises:
            Conflict: the stored session is not the one that was read (reason SESSION_CONFLICT).
        """
        ...

    async def sessions(
        self, principals: Sequence[str], limit: int, after: tuple[datetime, str] | None = None
    ) -> Sequence[StoredSession]:
        """Return sessions of the caller with these principals, the latest updated first, without their views.

        Args:
            principals: all principals of the caller; see `owns`.
            limit: maximum number of sessions.
            after: `updated` and id of the last session before; None for the newest.
        """
        ...

    async def turns(self, session: StoredSession, first: int, limit: int) -> Sequence[StoredTurn]:
        """Return up to `limit` turns from the position `first` on, oldest first."""
        ...

    async def turn(self, turn_id: str) -> tuple[StoredSession, StoredTurn] | None:
        """Return a turn and its session, or None if there is none or its session is hidden."""
        ...

    async def texts(self, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return texts by digest; those that are not stored are left out."""
        ...

    async def rename(self, session: StoredSession, title: str) -> bool:
        """Set the title of a session, unless it has changed since it was read; return whether.

        Neither its version nor the time of its latest update changes, so a turn that runs meanwhile is stored after it.
        """
        ...

    async def hide(self, session_id: str, version: int) -> bool:
        """Hide the session from all readers and writers for ever, if it still has this version; return whether."""
        ...

    async def hidden(self, limit: int) -> Sequence[str]:
        """Return ids of hidden sessions: those whose removal was interrupted."""
        ...

    async def remove(self, session_id: str) -> None:
        """Remove a hidden session, its turns, and the texts that no other turn names. The id is free afterwards."""
        ...

    async def outdated(self, before: datetime, limit: int) -> Sequence[StoredSession]:
        """Return sessions whose latest turn was stored before a moment, the oldest first, without their views."""
        ...

    async def surplus(self, keep: int, limit: int) -> Sequence[StoredSession]:
        """Return sessions beyond the `keep` latest updated ones, the oldest first, without their views."""
        ...

    async def shrink(self) -> None:
        """Return the space of what was removed to the operating system, as far as the store does not do so itself."""
        ...


def owns(principals: Collection[str], owners: Collection[str]) -> bool:
    """Whether a caller with these principals may use a session of these owners.

    The caller must have all of the owners. A session without owners belongs to callers without principals.
    """
    return set(owners) <= set(principals) and bool(owners) == bool(principals)
