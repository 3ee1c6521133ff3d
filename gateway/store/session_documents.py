"""The documents of sessions, their turns, and the texts that these name."""

from collections.abc import Mapping, Sequence
from typing import Final

from gateway.store.sessions import StoredSession, StoredTurn
from gateway.store.tables import Document, Fields, Table, Type, fields_of, record_of, types_of

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
    return f"{session_key}/{digest.hex()}"


def _turn_fields(session: StoredSession, turn: StoredTurn) -> Fields:
    return {"session_id": session.session_id, "key": session.key, **fields_of(turn)}
