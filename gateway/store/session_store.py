"""Stores sessions and their turns.

The document of a session holds its newest turn, so that one write stores both, on condition that nobody has changed the
session since it was read: if two gateways answer the same session, one of them gets a conflict. The next turn moves it
to a document of its own: whoever does so writes the same, so it may be done twice. The texts that a turn names are
written before it; those of a turn that lost go with the session.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from gateway.store.sessions import (
    LISTED,
    SESSIONS,
    TEXTS,
    TURNS,
    Addition,
    StoredSession,
    StoredTurn,
    is_as_read,
    session_fields,
    session_of,
    text_documents,
    text_key,
    turn_documents,
    turn_key,
    turn_of,
)
from gateway.store.tables import (
    Below,
    Condition,
    Fields,
    OneOf,
    Order,
    Storage,
    Tables,
    Within,
    delete_matching,
)
from libs.runtime.errors import Conflict

SHOWN: Final = OneOf("hidden", (False,))
NEWEST_FIRST: Final = ("updated", "session_id")
OLDEST_FIRST: Final = Order(("updated",))


class SessionStore:
    """Stores sessions and their turns. Every call may raise Unavailable or Overloaded."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def session(self, session_id: str) -> StoredSession | None:
        """Return the session, or None if there is none or it is hidden."""
        document = await self._storage.read(lambda tables: tables.get(SESSIONS, session_id, (*LISTED, "view")))
        return None if document is None or document.fields["hidden"] else session_of(document)

    async def add(self, addition: Addition) -> None:
        """Store new turns; they are durable when this returns, all or none.

        Of two writers that read the same version one succeeds. A session that is stored keeps the title that it has by
        now, whatever it was when the session was read.

        Raises:
            Conflict: the stored session is not the one that was read (reason SESSION_CONFLICT).
        """
        if not await self._storage.write(partial(_continue if addition.session.key else _create, addition)):
            session_id = addition.session.session_id
            raise Conflict(
                "SESSION_CONFLICT",
                "Another turn of this session was stored first: ask again.",
                {"session_id": session_id},
            )

    async def sessions(
        self, principals: Sequence[str], limit: int, after: tuple[datetime, str] | None = None
    ) -> Sequence[StoredSession]:
        """Return sessions of the caller with these principals, the latest updated first, without their views.

        Args:
            principals: all principals of the caller; see `owns`.
            limit: maximum number of sessions.
            after: `updated` and id of the last session before; None for the newest.
        """
        order = Order(NEWEST_FIRST, descending=True, after=after and (after[0].timestamp(), after[1]))
        return await self._find((Within("principals", set(principals)), SHOWN), limit, order)

    async def turns(self, session: StoredSession, first: int, limit: int) -> Sequence[StoredTurn]:
        """Return up to `limit` turns from the position `first` on, oldest first."""
        return await self._storage.read(lambda tables: _turns(tables, session, first, limit))

    async def turn(self, turn_id: str) -> tuple[StoredSession, StoredTurn] | None:
        """Return a turn and its session, or None if there is none or its session is hidden."""
        return await self._storage.read(partial(_place_of, turn_id))

    async def texts(self, session: StoredSession, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return texts of a session by digest; those that are not stored are left out."""
        keys = {text_key(session.key, digest): digest for digest in digests}
        if not keys:
            return {}
        documents = await self._storage.read(lambda tables: tables.get_all(TEXTS, keys, ("content",)))
        return {keys[document.key]: document.fields["content"] for document in documents}

    async def rename(self, session: StoredSession, title: str) -> bool:
        """Set the title of a session, unless it has changed since it was read; return whether.

        Neither its version nor the time of its latest update changes, so a turn that runs meanwhile is stored after it.
        """

        def rename(fields: Fields) -> Fields | None:
            return {"title": title} if is_as_read(fields, session) else None

        return await self._storage.write(lambda tables: tables.change(SESSIONS, session.session_id, rename)) is not None

    async def hide(self, session_id: str, version: int) -> bool:
        """Hide the session from all readers and writers for ever, if it still has this version; return whether."""

        def hide(fields: Fields) -> Fields | None:
            return {"hidden": True} if fields["version"] == version and not fields["hidden"] else None

        return await self._storage.write(lambda tables: tables.change(SESSIONS, session_id, hide)) is not None

    async def hidden(self, limit: int) -> Sequence[str]:
        """Return ids of hidden sessions: those whose removal was interrupted."""
        return [session.session_id for session in await self._find((OneOf("hidden", (True,)),), limit)]

    async def remove(self, session_id: str) -> None:
        """Remove a hidden session, its turns and their texts. The id is free afterwards.

        The session's document goes last: what an interrupted removal leaves is removed by the next one.
        """
        document = await self._storage.read(lambda tables: tables.get(SESSIONS, session_id, LISTED))
        if document is None or not document.fields["hidden"]:
            return
        for table in (TURNS, TEXTS):
            await delete_matching(self._storage, table, OneOf("key", (document.fields["key"],)))
        # Another gateway may have removed it first, and its id may be another session's by now.
        await self._storage.write(lambda tables: tables.delete_read(SESSIONS, document))

    async def outdated(self, before: datetime, limit: int) -> Sequence[StoredSession]:
        """Return sessions whose latest turn was stored before a moment, the oldest first, without their views."""
        return await self._find((SHOWN, Below("updated", before.timestamp())), limit, OLDEST_FIRST)

    async def surplus(self, keep: int, limit: int) -> Sequence[StoredSession]:
        """Return sessions beyond the `keep` latest updated ones, the oldest first, without their views."""
        excess = await self._storage.read(lambda tables: tables.total(SESSIONS, (SHOWN,))) - keep
        return await self._find((SHOWN,), min(limit, excess), OLDEST_FIRST) if excess > 0 else []

    async def shrink(self) -> None:
        """Return the space of what was removed to the operating system, as far as the store does not do so itself."""
        await self._storage.shrink()

    async def _find(
        self, conditions: Sequence[Condition], limit: int, order: Order | None = None
    ) -> Sequence[StoredSession]:
        documents = await self._storage.read(lambda tables: tables.find(SESSIONS, conditions, limit, order, LISTED))
        return [session_of(document) for document in documents]


def _create(addition: Addition, tables: Tables) -> bool:
    """Write a new session with all its turns under a new key; nothing is left of it if the id is taken."""
    session = replace(addition.session, key=secrets.token_urlsafe(8))  # 64 bits (taste)
    rows = turn_documents(session, addition.turns[:-1])
    texts = text_documents(session, addition.texts)
    tables.put(TEXTS, texts)
    tables.put(TURNS, rows)
    if not tables.replace(SESSIONS, session.session_id, None, session_fields(session, addition.turns[-1])):
        _delete_written(tables, texts, rows)
        return False
    return True


def _continue(addition: Addition, tables: Tables) -> bool:
    """Write the next turn of a session; False if the session is not the one that was read."""
    session = addition.session
    as_read = replace(session, version=session.version - len(addition.turns))
    texts, moved = text_documents(session, addition.texts), dict[str, Fields]()
    while (before := tables.get(SESSIONS, session.session_id)) is not None and is_as_read(before.fields, as_read):
        moved = turn_documents(session, [turn_of(before)])
        tables.put(TEXTS, texts)
        tables.put(TURNS, moved)
        after = replace(session, title=before.fields["title"])
        if tables.replace(SESSIONS, session.session_id, before, session_fields(after, addition.turns[-1])):
            return True
        # Another turn came first, as the next look shows; or the session was renamed, which must not cost the turn.
    if before is None or before.fields["key"] != session.key or before.fields["hidden"]:
        _delete_written(tables, texts, moved)  # its removal may not have seen them
    return False


def _delete_written(tables: Tables, texts: Mapping[str, Fields], turns: Mapping[str, Fields]) -> None:
    tables.delete(TEXTS, texts.keys())
    tables.delete(TURNS, turns.keys())


def _turns(tables: Tables, session: StoredSession, first: int, limit: int) -> list[StoredTurn]:
    current = tables.get(SESSIONS, session.session_id)
    if current is None or current.fields["key"] != session.key:
        return []
    positions = range(first, min(first + limit, session.version + 1))
    keys = [turn_key(session.key, position) for position in positions if position != current.fields["position"]]
    turns = [turn_of(document) for document in tables.get_all(TURNS, keys)]
    return [*turns, turn_of(current)] if current.fields["position"] in positions else turns


def _place_of(turn_id: str, tables: Tables) -> tuple[StoredSession, StoredTurn] | None:
    """Return a turn and its session; the newest turn of a session moves from the sessions to the turns."""
    for is_fresh in (False, True):
        for table in (SESSIONS, TURNS):
            for found in tables.find(table, (OneOf("turn_id", (turn_id,)),), 1, is_fresh=is_fresh):
                session = tables.get(SESSIONS, found.fields["session_id"], LISTED)
                is_of_it = session is not None and session.fields["key"] == found.fields["key"]
                if session is not None and is_of_it and not session.fields["hidden"]:
                    return session_of(session), turn_of(found)
    return None
