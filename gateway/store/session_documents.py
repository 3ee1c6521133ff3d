"""The documents of sessions, their turns, and the texts that these name."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from gateway.store.sessions import DIGEST_BYTES, StoredSession, StoredTurn
from gateway.store.tables import Fields, Table, Type

_TURN: Final = {
    "session_id": Type.TEXT,
    "session_key": Type.TEXT,
    "turn_id": Type.TEXT,
    "position": Type.COUNT,
    "turn_created": Type.NUMBER,
    "digests": Type.BYTES,
    "turn_content": Type.BYTES,
}
_LISTED: Final = {
    "version": Type.COUNT,
    "principals": Type.NAMES,
    "title": Type.TEXT,
    "first_question": Type.TEXT,
    "created": Type.NUMBER,
    "updated": Type.NUMBER,
    "hidden": Type.FLAG,
}
TURN: Final = tuple(_TURN)
"""The fields of a turn, which a session has of its newest one."""
LISTED: Final = ("session_id", "session_key", *_LISTED)
"""The fields of a session without its view."""
SESSIONS: Final = Table(
    "sessions",
    {**_LISTED, **_TURN, "view": Type.BYTES},
    (("principals", "updated", "session_id"), ("hidden", "updated"), ("turn_id",)),
)
TURNS: Final = Table("turns", _TURN, (("session_key",), ("turn_id",)))
TEXTS: Final = Table("texts", {"session_key": Type.TEXT, "content": Type.BYTES}, (("session_key",),))


def session_fields(session: StoredSession, newest: StoredTurn) -> Fields:
    """Return the document of a session with its newest turn."""
    return {
        **_turn_fields(session, newest),
        "version": session.version,
        "principals": tuple(sorted(set(session.principals))),
        "title": session.title,
        "first_question": session.first_question,
        "created": session.created.timestamp(),
        "updated": session.updated.timestamp(),
        "hidden": False,
        "view": session.view,
    }


def session_of(fields: Fields) -> StoredSession:
    """Return the session of its document; a view that was not read is empty."""
    return StoredSession(
        fields["session_id"],
        fields["principals"],
        fields["version"],
        fields["first_question"],
        datetime.fromtimestamp(fields["created"], UTC),
        datetime.fromtimestamp(fields["updated"], UTC),
        fields.get("view", b""),
        fields["session_key"],
        fields["title"],
    )


def is_as_read(fields: Fields, session: StoredSession) -> bool:
    """Whether a document still is the session that was read, with the same turns."""
    same = fields["session_key"] == session.key and not fields["hidden"]
    return same and bool(fields["version"] == session.version)


def turn_documents(session: StoredSession, turns: Sequence[StoredTurn]) -> dict[str, Fields]:
    """Return the documents of turns by id."""
    return {turn_key(session.key, turn.position): _turn_fields(session, turn) for turn in turns}


def turn_of(fields: Fields) -> StoredTurn:
    """Return the turn of its document, or the newest turn of a session's document."""
    digests = fields["digests"]
    return StoredTurn(
        fields["turn_id"],
        fields["position"],
        datetime.fromtimestamp(fields["turn_created"], UTC),
        fields["turn_content"],
        tuple(digests[start : start + DIGEST_BYTES] for start in range(0, len(digests), DIGEST_BYTES)),
    )


def turn_key(session_key: str, position: int) -> str:
    """Return the id of a turn's document."""
    return f"{session_key}/{position}"


def text_documents(session: StoredSession, texts: Mapping[bytes, bytes]) -> dict[str, Fields]:
    """Return the documents of texts by id."""
    return {
        text_key(session.key, digest): {"session_key": session.key, "content": content}
        for digest, content in texts.items()
    }


def text_key(session_key: str, digest: bytes) -> str:
    """Return the id of a text's document."""
    return f"{session_key}/{digest.hex()}"


def _turn_fields(session: StoredSession, turn: StoredTurn) -> Fields:
    return {
        "session_id": session.session_id,
        "session_key": session.key,
        "turn_id": turn.turn_id,
        "position": turn.position,
        "turn_created": turn.created.timestamp(),
        "digests": b"".join(turn.digests),
        "turn_content": turn.content,
    }
