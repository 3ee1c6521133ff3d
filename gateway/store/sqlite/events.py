"""The event log in a SQLite file of its own, `events.db`: several gateways on one machine may share it.

It stands apart from the conversations because its rows are short-lived: neither waits for the other's writes, and the
file gives back the space of expired turns. A committed transaction survives `kill -9` of the process.
"""

import json
import sqlite3
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from gateway.store.event_log import (
    Appended,
    Batch,
    Ending,
    Lease,
    LoggedEvent,
    LoggedTurn,
    Progress,
    TurnStart,
    TurnState,
    pack,
    unpack,
)
from gateway.store.sqlite.file import SqliteFile, sqlite_file
from gateway.store.sqlite.group_commit import GroupCommit, Work
from libs.runtime.errors import engine_unavailable

T = TypeVar("T")

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS turns (
    turn_id TEXT PRIMARY KEY, session_id TEXT NOT NULL, principals TEXT NOT NULL, request BLOB NOT NULL,
    retry_key TEXT NOT NULL, fingerprint TEXT NOT NULL, begun REAL NOT NULL, keep_seconds REAL NOT NULL,
    owner TEXT NOT NULL, lease_until REAL NOT NULL, last_seq INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'RUNNING', cancel INTEGER NOT NULL DEFAULT 0, followed_until REAL NOT NULL DEFAULT 0,
    error BLOB NOT NULL DEFAULT x'', size INTEGER NOT NULL DEFAULT 0, whole INTEGER NOT NULL DEFAULT 1,
    expires REAL NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS turns_by_retry ON turns (retry_key) WHERE retry_key != '';
CREATE INDEX IF NOT EXISTS turns_by_session ON turns (session_id) WHERE session_id != '';
CREATE INDEX IF NOT EXISTS turns_by_expiry ON turns (expires);
CREATE TABLE IF NOT EXISTS events (
    turn_id TEXT NOT NULL, seq INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (turn_id, seq)
) WITHOUT ROWID;
"""
_START: Final = "turn_id, request, session_id, principals, retry_key, fingerprint, begun, keep_seconds"
_PROGRESS: Final = "owner, lease_until, last_seq, state, cancel, followed_until, whole"


class SqliteEventLog:
    """An EventLog, created by `sqlite_event_log`."""

    def __init__(self, file: SqliteFile, commits: GroupCommit, max_bytes: int) -> None:
        self._file = file
        self._commits = commits
        self._max_bytes = max_bytes

    async def begin(self, start: TurnStart, lease: Lease) -> str | None:
        """See EventLog."""
        return await self._write(partial(_begin, start, lease))

    async def append(self, turn_id: str, owner: str, batch: Batch) -> Appended:
        """See EventLog."""
        return await self._write(partial(_append, turn_id, owner, batch, self._max_bytes))

    async def turn(self, turn_id: str) -> LoggedTurn | None:
        """See EventLog."""
        return await self._turn("turn_id = ?", turn_id)

    async def turn_by_retry(self, retry_key: str) -> LoggedTurn | None:
        """See EventLog."""
        return await self._turn("retry_key = ? AND retry_key != ''", retry_key)

    async def _turn(self, condition: str, value: str) -> LoggedTurn | None:
        statement = f"SELECT {_START}, {_PROGRESS}, error FROM turns WHERE {condition} AND expires > ?"
        rows = await self._rows(statement, value, time.time())
        return _logged_turn(rows[0]) if rows else None

    async def events(self, turn_id: str, after_seq: int = 0) -> Sequence[LoggedEvent]:
        """See EventLog."""
        statement = "SELECT seq, content FROM events WHERE turn_id = ? AND seq > ? ORDER BY seq"
        return [LoggedEvent(seq, unpack(content)) for seq, content in await self._rows(statement, turn_id, after_seq)]

    async def progress(self, turn_ids: Collection[str]) -> Mapping[str, Progress]:
        """See EventLog."""
        statement = f"SELECT turn_id, {_PROGRESS} FROM turns WHERE turn_id IN ({_marks(turn_ids)})"
        return {row[0]: _progress(row[1:]) for row in await self._rows(statement, *turn_ids)}

    async def renew(self, turn_ids: Collection[str], lease: Lease) -> None:
        """See EventLog."""
        condition = f"owner = ? AND state = 'RUNNING' AND turn_id IN ({_marks(turn_ids)})"
        statement = f"UPDATE turns SET lease_until = ?, expires = max(expires, ? + keep_seconds) WHERE {condition}"
        await self._change(statement, lease.until, lease.until, lease.owner, *turn_ids)

    async def take_over(self, turn_id: str, lease: Lease, now: float) -> bool:
        """See EventLog."""
        statement = (
            "UPDATE turns SET owner = ?, lease_until = ? WHERE turn_id = ? AND state = 'RUNNING' AND lease_until < ?"
        )
        return await self._change(statement, lease.owner, lease.until, turn_id, now) == 1

    async def request_cancel(self, turn_id: str) -> None:
        """See EventLog."""
        await self._change("UPDATE turns SET cancel = 1 WHERE turn_id = ?", turn_id)

    async def follow(self, turn_id: str, until: float) -> None:
        """See EventLog."""
        statement = "UPDATE turns SET followed_until = max(followed_until, ?) WHERE turn_id = ?"
        await self._change(statement, until, turn_id)

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See EventLog."""
        for session_id in filter(None, session_ids):
            await self._write(partial(_delete, condition="session_id = ?", value=session_id))

    async def expire(self) -> None:
        """See EventLog."""
        await self._write(lambda connection: _delete(connection, "expires <= ?", time.time()))
        with _typed_errors():
            await self._file.shrink()

    async def _rows(self, statement: str, *values: object) -> list[Any]:
        with _typed_errors():
            return await self._file.read(statement, *values)

    async def _change(self, statement: str, *values: object) -> int:
        """Return the number of changed rows."""
        return await self._write(lambda connection: connection.execute(statement, values).rowcount)

    async def _write(self, work: Work[T]) -> T:
        with _typed_errors():
            return await self._commits.write(work)


class _typed_errors:  # noqa: N801 - used like a function; a generator costs more on this path
    """Convert SQLite's errors to Unavailable."""

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.Error):
            raise engine_unavailable("The event log cannot be used: the gateway's log says why.") from error


def _begin(start: TurnStart, lease: Lease, connection: sqlite3.Connection) -> str | None:
    statement = "SELECT turn_id, state, expires FROM turns WHERE turn_id = ? OR (retry_key = ? AND retry_key != '')"
    for turn_id, state, expires in connection.execute(statement, (start.turn_id, start.retry_key)).fetchall():
        if not TurnState(state).may_be_repeated and expires > time.time():
            return str(turn_id)
        _delete(connection, "turn_id = ?", turn_id)
    names = f"{_START}, owner, lease_until, expires"
    principals = json.dumps(start.principals)
    values = (
        *(start.turn_id, pack(start.request), start.session_id, principals, start.retry_key, start.fingerprint),
        *(start.begun, start.keep_seconds, lease.owner, lease.until, lease.until + start.keep_seconds),
    )
    connection.execute(f"INSERT INTO turns ({names}) VALUES ({_marks(values)})", values)
    return None


def _append(turn_id: str, owner: str, batch: Batch, max_bytes: int, connection: sqlite3.Connection) -> Appended:
    row = connection.execute(
        "SELECT size + ?, whole FROM turns WHERE turn_id = ? AND owner = ? AND state = 'RUNNING'",
        (batch.size, turn_id, owner),
    ).fetchone()
    if row is None:
        return Appended.LOST
    size, whole = row[0], row[1] and row[0] <= max_bytes
    last_seq = batch.events[-1].seq if batch.events else 0
    connection.execute(
        "UPDATE turns SET size = ?, whole = ?, last_seq = max(last_seq, ?) WHERE turn_id = ?",
        (size, whole, last_seq, turn_id),
    )
    if whole:
        events = [(turn_id, event.seq, pack(event.content)) for event in batch.events]
        connection.executemany("INSERT INTO events VALUES (?, ?, ?)", events)
    else:
        _delete_events(connection, "turn_id = ?", turn_id)
    if batch.ending is not None:
        _end(turn_id, batch.ending, connection)
    return Appended.LOGGED if whole else Appended.TOO_LARGE


def _end(turn_id: str, ending: Ending, connection: sqlite3.Connection) -> None:
    connection.execute(
        "UPDATE turns SET state = ?, error = ?, request = x'', expires = ? + keep_seconds WHERE turn_id = ?",
        (ending.state, ending.error, time.time(), turn_id),
    )


def _delete(connection: sqlite3.Connection, condition: str, value: object) -> None:
    _delete_events(connection, condition, value)
    connection.execute(f"DELETE FROM turns WHERE {condition}", (value,))


def _delete_events(connection: sqlite3.Connection, condition: str, value: object) -> None:
    turn_ids = f"SELECT turn_id FROM turns WHERE {condition}"
    connection.execute(f"DELETE FROM events WHERE turn_id IN ({turn_ids})", (value,))


def _logged_turn(row: Sequence[Any]) -> LoggedTurn:
    turn_id, request, session_id, principals, *others = row[:8]
    start = TurnStart(turn_id, unpack(request), session_id, tuple(json.loads(principals)), *others)
    return LoggedTurn(start, _progress(row[8:-1]), row[-1])


def _progress(row: Sequence[Any]) -> Progress:
    owner, until, last_seq, state, cancel, followed_until, whole = row
    return Progress(Lease(owner, until), last_seq, TurnState(state), bool(cancel), followed_until, bool(whole))


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))


@asynccontextmanager
async def sqlite_event_log(file: Path, max_bytes: int) -> AsyncIterator[SqliteEventLog]:
    """Open the log, creating file and folder if they are missing; close it at the end.

    Args:
        file: the database.
        max_bytes: how large the events of a turn may be, before they are compressed.
    """
    async with sqlite_file(file, _make_tables) as opened:
        commits = GroupCommit(opened)
        try:
            yield SqliteEventLog(opened, commits, max_bytes)
        finally:
            await commits.drain()


def _make_tables(connection: sqlite3.Connection) -> None:
    connection.executescript(SCHEMA)
