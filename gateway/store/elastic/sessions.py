"""Sessions in Elasticsearch: a document a session, a turn, a text.

A session's document only replaces the copy that was read (checked by sequence number and primary term), so if two
gateways answer the same session, one of them gets a conflict, and nothing of its turn is left. Texts are written after
the turn that names them, which a removal relies on: see `ElasticsearchRemoval`.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from gateway.store.elastic.indices import CREATE, Indices, bytes_of, milliseconds, text_of
from gateway.store.elastic.removal import ElasticsearchRemoval
from gateway.store.elastic.session_documents import (
    Source,
    newest_as_row,
    session_document,
    session_of,
    turn_document,
    turn_key,
    turn_of,
)
from gateway.store.sessions import Addition, StoredSession, StoredTurn
from libs.runtime.errors import Conflict

NEWEST_FIRST: Final = [{"updated": "desc"}, {"session_id": "desc"}]
LISTED: Final = ["session_id", "principals", "version", "first_question", "created", "updated", "key", "title"]


class ElasticsearchSessions:
    """A SessionStore. Every call may raise Unavailable."""

    def __init__(self, indices: Indices) -> None:
        self._indices = indices
        self._removal = ElasticsearchRemoval(indices)

    async def session(self, session_id: str) -> StoredSession | None:
        """See SessionStore."""
        document = await self._indices.run(lambda: self._current(session_id))
        return None if document is None or document["hidden"] else session_of(document)

    async def add(self, addition: Addition) -> None:
        """See SessionStore."""
        if not await self._indices.run(lambda: self._add(addition)):
            raise Conflict(
                "SESSION_CONFLICT",
                "Another turn of this session was stored first: ask again.",
                {"session_id": addition.session.session_id},
            )

    async def sessions(
        self, principals: Sequence[str], limit: int, after: tuple[datetime, str] | None = None
    ) -> Sequence[StoredSession]:
        """See SessionStore."""
        own: list[Mapping[str, Any]] = [{"term": {"principal_count": 0}}]
        if principals:
            terms = {"terms": list(set(principals)), "minimum_should_match_field": "principal_count"}
            own = [{"terms_set": {"principals": terms}}, {"range": {"principal_count": {"gt": 0}}}]
        page: dict[str, Any] = {"search_after": [milliseconds(after[0]), after[1]]} if after else {}
        return await self._search(own, size=limit, sort=NEWEST_FIRST, **page)

    async def turns(self, session: StoredSession, first: int, limit: int) -> Sequence[StoredTurn]:
        """See SessionStore."""
        positions = range(first, min(first + limit, session.version + 1))
        return await self._indices.run(lambda: self._turns(session, positions))

    async def turn(self, turn_id: str) -> tuple[StoredSession, StoredTurn] | None:
        """See SessionStore."""
        return await self._indices.run(lambda: self._turn(turn_id))

    async def texts(self, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """See SessionStore."""
        keys = list(dict.fromkeys(digest.hex() for digest in digests))
        documents = await self._indices.run(lambda: self._indices.get_all("texts", keys))
        return {bytes.fromhex(each.key): bytes_of(each.source["content"]) for each in documents}

    async def rename(self, session: StoredSession, title: str) -> bool:
        """See SessionStore."""
        return await self._indices.run(lambda: self._rename(session, title))

    async def hide(self, session_id: str, version: int) -> bool:
        """See SessionStore."""
        return await self._indices.run(lambda: self._hide(session_id, version))

    async def hidden(self, limit: int) -> Sequence[str]:
        """See SessionStore."""
        sessions = await self._search([], hidden=True, size=limit)
        return [session.session_id for session in sessions]

    async def remove(self, session_id: str) -> None:
        """See SessionStore."""
        await self._indices.run(lambda: self._removal.remove(session_id))

    async def outdated(self, before: datetime, limit: int) -> Sequence[StoredSession]:
        """See SessionStore."""
        old = {"range": {"updated": {"lt": milliseconds(before)}}}
        return await self._search([old], size=limit, sort=[{"updated": "asc"}])

    async def surplus(self, keep: int, limit: int) -> Sequence[StoredSession]:
        """See SessionStore."""
        count = await self._indices.run(self._count)
        if count <= keep:
            return []
        return await self._search([], size=min(limit, count - keep), sort=[{"updated": "asc"}])

    async def shrink(self) -> None:
        """See SessionStore: the server merges its segments by itself."""

    def _current(self, session_id: str) -> Source | None:
        """Return a session's document."""
        document = self._indices.get("sessions", session_id)
        return None if document is None else document.source

    def _add(self, addition: Addition) -> bool:
        if not addition.session.key:
            return self._create(addition)
        return self._continue(addition)

    def _create(self, addition: Addition) -> bool:
        """Write a new session with all its turns under a new key; nothing is left of it if the id is taken."""
        session = replace(addition.session, key=secrets.token_hex(8))
        rows = {turn_key(session.key, turn.position): turn_document(session, turn) for turn in addition.turns[:-1]}
        if rows:
            self._indices.put_all("turns", rows, patiently=True)
        document = session_document(session, addition.turns[-1])
        if not self._indices.put("sessions", session.session_id, document, **CREATE):
            self._indices.delete("turns", rows)
            return False
        self._put_texts(addition)
        return True

    def _continue(self, addition: Addition) -> bool:
        session = addition.session
        as_read = replace(session, version=session.version - len(addition.turns))
        while True:
            before = self._indices.get("sessions", session.session_id)
            if before is None or not _is_as_read(before.source, as_read):
                return False
            self._indices.put_all("turns", newest_as_row(before.source))
            after = replace(session, title=session_of(before.source).title)
            document = session_document(after, addition.turns[-1])
            if self._indices.put("sessions", session.session_id, document, **before.as_read):
                self._put_texts(addition)
                return True
            # Another turn came first, as the next look shows; or the session was renamed, which must not cost the turn.

    def _put_texts(self, addition: Addition) -> None:
        documents = {digest.hex(): {"content": text_of(content)} for digest, content in addition.texts.items()}
        if documents:
            self._indices.put_all("texts", documents)

    def _turns(self, session: StoredSession, positions: range) -> list[StoredTurn]:
        if not positions:
            return []
        current = self._current(session.session_id)
        if current is None or current["key"] != session.key:
            return []
        keys = [turn_key(session.key, position) for position in positions if position != current["position"]]
        turns = [turn_of(document.source) for document in self._indices.get_all("turns", keys)] if keys else []
        return [*turns, turn_of(current)] if current["position"] in positions else turns

    def _turn(self, turn_id: str) -> tuple[StoredSession, StoredTurn] | None:
        query = {"term": {"turn_id": turn_id}}
        for refresh in (False, True):
            for kind in ("sessions", "turns"):
                if refresh:
                    self._indices.refresh(kind)
                for hit in self._indices.search(kind, query=query, size=1)["hits"]["hits"]:
                    session = self._current(hit["_source"]["session_id"])
                    if session is not None and not session["hidden"] and session["key"] == hit["_source"]["key"]:
                        return session_of(session), turn_of(hit["_source"])
        return None

    def _rename(self, session: StoredSession, title: str) -> bool:
        before = self._indices.get("sessions", session.session_id)
        if before is None or not _is_as_read(before.source, session):
            return False
        renamed = {**before.source, "title": title}
        return self._indices.put("sessions", session.session_id, renamed, **before.as_read) is not None

    def _hide(self, session_id: str, version: int) -> bool:
        document = self._indices.get("sessions", session_id)
        if document is None or document.source["hidden"] or document.source["version"] != version:
            return False
        hidden = {**document.source, "hidden": True}
        return self._indices.put("sessions", session_id, hidden, **document.as_read) is not None

    def _count(self) -> int:
        self._indices.refresh("sessions")
        query = {"term": {"hidden": False}}
        response = self._indices.search("sessions", query=query, size=0, track_total_hits=True)
        return int(response["hits"]["total"]["value"]) if response["hits"].get("total") else 0

    async def _search(
        self, conditions: Sequence[Mapping[str, Any]], *, hidden: bool = False, **request: Any
    ) -> list[StoredSession]:
        query = {"bool": {"filter": [*conditions, {"term": {"hidden": hidden}}]}}

        def search() -> list[StoredSession]:
            self._indices.refresh("sessions")
            response = self._indices.search("sessions", query=query, source=LISTED, **request)
            return [session_of(hit["_source"]) for hit in response["hits"]["hits"]]

        return await self._indices.run(search)


def _is_as_read(document: Source, session: StoredSession) -> bool:
    """Whether a document still is the session that was read, with the same turns."""
    same = document["key"] == session.key and not document["hidden"]
    return same and bool(document["version"] == session.version)
