"""Sessions as they are stored, and their documents, by pure functions. They hold bytes, which the codec makes.

The texts of a turn's passages are stored apart from it, each once in a session by its digest. What the next turn reads
is stored with the session, so a turn of a long session reads and writes as much as one of a short session.
"""

from base64 import urlsafe_b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol

from gateway.store.tables import Document, Fields, Table, Type, fields_of, record_of, types_of

DIGEST_BYTES: Final = 16  # 128 bits: two texts in one session do not collide (taste)
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


TURNS: Final = Table(
    "turns", {"session_id": Type.TEXT, "key": Type.TEXT} | types_of(StoredTurn), (("key",), ("turn_id",))
)
SESSIONS: Final = Table(
    "sessions",
    {**types_of(StoredSession), **TURNS.fields, "hidden": Type.FLAG},
    (("principals", "updated", "session_id"), ("hidden", "updated"), ("turn_id",)),
)
LISTED: Final = (*(name for name in types_of(StoredSession) if name != "view"), "hidden")
"""The fields of a session without its view."""
TEXTS: Final = Table("texts", {"key": Type.TEXT, "content": Type.BYTES}, (("key",),))


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


def session_fields(session: StoredSession, newest: StoredTurn) -> Fields:
    """Return the document of a session with its newest turn."""
    return {**fields_of(session), **_turn_fields(session, newest), "hidden": False}


def session_of(document: Document) -> StoredSession:
    """Return the session of its document; a view that was not read is empty."""
    return record_of(StoredSession, document.fields)


def is_as_read(fields: Fields, session: StoredSession) -> bool:
    """Whether a document still is the session that was read, with the same turns."""
    same = fields["key"] == session.key and not fields["hidden"]
    return same and bool(fields["version"] == session.version)


def turn_documents(session: StoredSession, turns: Sequence[StoredTurn]) -> dict[str, Fields]:
    """Return the documents of turns by id."""
    return {turn_key(session.key, turn.position): _turn_fields(session, turn) for turn in turns}


def turn_of(document: Document) -> StoredTurn:
    """Return the turn of its document, or the newest turn of a session's document."""
    return record_of(StoredTurn, document.fields)


def turn_key(session_key: str, position: int) -> str:
    """Return the id of a turn's document."""
    return f"{session_key}/{position}"


def text_documents(session: StoredSession, texts: Mapping[bytes, bytes]) -> dict[str, Fields]:
    """Return the documents of texts by id."""
    fields = {digest: {"key": session.key, "content": content} for digest, content in texts.items()}
    return {text_key(session.key, digest): each for digest, each in fields.items()}


def text_key(session_key: str, digest: bytes) -> str:
    """Return the id of a text's document."""
    return f"{session_key}/{urlsafe_b64encode(digest).decode()}"


def _turn_fields(session: StoredSession, turn: StoredTurn) -> Fields:
    return {"session_id": session.session_id, "key": session.key, **fields_of(turn)}
