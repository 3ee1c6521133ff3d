"""Sessions and turns as documents of Elasticsearch.

The document of a session holds its newest turn, so that one conditional write stores both. The next turn moves it to a
document of its own: whoever does so writes the same, so it may be done twice.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from gateway.store.elastic.indices import bytes_of, milliseconds, moment, text_of
from gateway.store.sessions import StoredSession, StoredTurn

Source: TypeAlias = Mapping[str, Any]
TURN_FIELDS = ("session_id", "key", "turn_id", "position", "turn_created", "digests", "turn_content")


def turn_document(session: StoredSession, turn: StoredTurn) -> Source:
    """Return the document of a turn."""
    return {
        "session_id": session.session_id,
        "key": session.key,
        "turn_id": turn.turn_id,
        "position": turn.position,
        "turn_created": milliseconds(turn.created),
        "digests": [digest.hex() for digest in turn.digests],
        "turn_content": text_of(turn.content),
    }


def session_document(session: StoredSession, newest: StoredTurn) -> Source:
    """Return the document of a session with its newest turn."""
    return {
        **turn_document(session, newest),
        "version": session.version,
        "principals": list(session.principals),
        "principal_count": len(set(session.principals)),
        "first_question": session.first_question,
        "created": milliseconds(session.created),
        "updated": milliseconds(session.updated),
        "hidden": False,
        "view": text_of(session.view),
        "title": session.title,
    }


def session_of(document: Source) -> StoredSession:
    """Return the session of its document; a view that was not fetched is empty."""
    return StoredSession(
        document["session_id"],
        tuple(document["principals"]),
        document["version"],
        document["first_question"],
        moment(document["created"]),
        moment(document["updated"]),
        bytes_of(document.get("view", "")),
        document["key"],
        document["title"],
    )


def turn_of(document: Source) -> StoredTurn:
    """Return the turn of its document, or the newest turn of a session's document."""
    return StoredTurn(
        document["turn_id"],
        document["position"],
        moment(document["turn_created"]),
        bytes_of(document["turn_content"]),
        tuple(bytes.fromhex(digest) for digest in document["digests"]),
    )


def turn_key(key: str, position: int) -> str:
    """Return the id of a turn's document."""
    return f"{key}/{position}"


def newest_as_row(document: Source) -> dict[str, Source]:
    """Return the document, by id, to which the newest turn of a session's document moves."""
    row = {field: document[field] for field in TURN_FIELDS}
    return {turn_key(document["key"], document["position"]): row}
