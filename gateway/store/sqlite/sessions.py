"""Sessions in SQLite: one row a session, one a turn, one a text."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from gateway.store.sessions import Addition, StoredSession, StoredTurn
from gateway.store.sqlite.file import SqliteFile
from gateway.store.sqlite.rows import delete_turns, insert_addition, split_digests
from libs.runtime.errors import Conflict

TURNS_PER_STEP: Final = 100
"""Turns that one transaction of a removal deletes; other calls run between two transactions."""
TEXTS_PER_QUERY: Final = 500
"""SQLite allows at least 999 values a statement."""

LISTED: Final = "s.session_id, o.principals, s.version, s.first_question, s.created, s.updated, s.key, s.title"
FROM: Final = "FROM sessions s JOIN owners o USING (owner)"
OWN: Final = """SELECT owner FROM owner_principals JOIN owners USING (owner)
    WHERE principal IN (SELECT value FROM json_each(?)) GROUP BY owner HAVING count(*) = max(size)"""
"""The owners whose principals the caller has, all of them."""
ANONYMOUS: Final = "SELECT owner FROM owners WHERE size = 0 AND json_array_length(?) = 0"
TURN: Final = "t.turn_id, t.position, t.created, t.content, t.digests"


class SqliteSessions:
    """A SessionStore."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def session(self, session_id: str) -> StoredSession | None:
        """See SessionStore."""
        rows = await self._file.read(
            f"SELECT {LISTED}, s.view {FROM} WHERE s.session_id = ? AND NOT s.hidden", session_id
        )
        return _session(rows[0]) if rows else None

    async def add(self, addition: Addition) -> None:
        """See SessionStore."""
        if not await self._file.write(lambda connection: insert_addition(connection, addition)):
            raise Conflict(
                "SESSION_CONFLICT",
                "Another turn of this session was stored first: ask again.",
                {"session_id": addition.session.session_id},
            )

    async def sessions(
        self, principals: Sequence[str], limit: int, after: tuple[datetime, str] | None = None
    ) -> Sequence[StoredSession]:
        """See SessionStore."""
        caller = json.dumps(list(dict.fromkeys(principals)))
        updated, session_id = (after[0].timestamp(), after[1]) if after else (float("inf"), "")
        rows = await self._file.read(
            f"SELECT {LISTED} {FROM} WHERE s.owner IN ({OWN if principals else ANONYMOUS}) AND NOT s.hidden "
            "AND (s.updated, s.session_id) < (?, ?) ORDER BY s.updated DESC, s.session_id DESC LIMIT ?",
            caller,
            updated,
            session_id,
            limit,
        )
        return [_session(row) for row in rows]

    async def turns(self, session: StoredSession, first: int, limit: int) -> Sequence[StoredTurn]:
        """See SessionStore."""
        rows = await self._file.read(
            f"SELECT {TURN} FROM turns t WHERE t.session = ? AND t.position BETWEEN ? AND ? ORDER BY t.position",
            int(session.key),
            first,
            first + limit - 1,
        )
        return [_turn(row) for row in rows]

    async def turn(self, turn_id: str) -> tuple[StoredSession, StoredTurn] | None:
        """See SessionStore."""
        rows = await self._file.read(
            f"SELECT {TURN}, {LISTED} {FROM} JOIN turns t ON t.session = s.key WHERE t.turn_id = ? AND NOT s.hidden "
            "ORDER BY t.rowid DESC LIMIT 1",
            turn_id,
        )
        return (_session(rows[0][5:]), _turn(rows[0][:5])) if rows else None

    async def texts(self, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """See SessionStore."""
        return await self._file.run(lambda connection: dict(_texts(connection, list(dict.fromkeys(digests)))))

    async def rename(self, session: StoredSession, title: str) -> bool:
        """See SessionStore."""
        statement = "UPDATE sessions SET title = ? WHERE key = ? AND version = ? AND NOT hidden"
        values = title, int(session.key), session.version
        return await self._file.write(lambda connection: connection.execute(statement, values).rowcount > 0)

    async def hide(self, session_id: str, version: int) -> bool:
        """See SessionStore."""
        statement = "UPDATE sessions SET hidden = 1 WHERE session_id = ? AND version = ? AND NOT hidden"
        return await self._file.write(
            lambda connection: connection.execute(statement, (session_id, version)).rowcount > 0
        )

    async def hidden(self, limit: int) -> Sequence[str]:
        """See SessionStore."""
        rows = await self._file.read("SELECT session_id FROM sessions WHERE hidden LIMIT ?", limit)
        return [session_id for (session_id,) in rows]

    async def remove(self, session_id: str) -> None:
        """See SessionStore."""
        while not await self._file.write(lambda connection: delete_turns(connection, session_id, TURNS_PER_STEP)):
            pass

    async def outdated(self, before: datetime, limit: int) -> Sequence[StoredSession]:
        """See SessionStore."""
        rows = await self._file.read(
            f"SELECT {LISTED} {FROM} WHERE NOT s.hidden AND s.updated < ? ORDER BY s.updated LIMIT ?",
            before.timestamp(),
            limit,
        )
        return [_session(row) for row in rows]

    async def surplus(self, keep: int, limit: int) -> Sequence[StoredSession]:
        """See SessionStore."""
        ((count,),) = await self._file.read("SELECT count(*) FROM sessions WHERE NOT hidden")
        rows = await self._file.read(
            f"SELECT {LISTED} {FROM} WHERE NOT s.hidden ORDER BY s.updated LIMIT ?", max(0, min(limit, count - keep))
        )
        return [_session(row) for row in rows]

    async def shrink(self) -> None:
        """See SessionStore."""
        await self._file.shrink()


def _session(row: Sequence[Any]) -> StoredSession:
    """From a row of `LISTED`, with or without the view."""
    session_id, principals, version, first_question, created, updated, key, title, *view = row
    return StoredSession(
        session_id,
        tuple(json.loads(principals)),
        version,
        first_question,
        datetime.fromtimestamp(created, UTC),
        datetime.fromtimestamp(updated, UTC),
        view[0] if view else b"",
        str(key),
        title,
    )


def _turn(row: Sequence[Any]) -> StoredTurn:
    """From a row of `TURN`."""
    turn_id, position, created, content, digests = row
    return StoredTurn(turn_id, position, datetime.fromtimestamp(created, UTC), content, split_digests(digests))


def _texts(connection: sqlite3.Connection, digests: Sequence[bytes]) -> Iterable[tuple[bytes, bytes]]:
    for start in range(0, len(digests), TEXTS_PER_QUERY):
        some = digests[start : start + TEXTS_PER_QUERY]
        marks = ", ".join("?" * len(some))
        yield from connection.execute(f"SELECT digest, content FROM texts WHERE digest IN ({marks})", some)
