"""The statements that write sessions, turns and texts; each function is part of a transaction."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from gateway.store.sessions import Addition, StoredSession, StoredTurn

DIGEST_BYTES: Final = 16
"""Size of a text's digest; the table of turns holds those of a turn in one value."""


def insert_addition(connection: sqlite3.Connection, addition: Addition) -> bool:
    """Store new turns; return False, with nothing written, if the session is not the one that was read."""
    session = addition.session
    key = _create(connection, session) if not session.key else _continue(connection, addition)
    if key is None:
        return False
    connection.executemany(
        "INSERT INTO turns (session, position, turn_id, created, digests, content) VALUES (?, ?, ?, ?, ?, ?)",
        [_turn_row(key, turn) for turn in addition.turns],
    )
    _use_texts(connection, addition.turns, addition.texts)
    return True


def delete_turns(connection: sqlite3.Connection, session_id: str, limit: int) -> bool:
    """Delete up to `limit` turns of a hidden session and the texts that only they named; return whether all are gone.

    The session itself goes with its last turn.
    """
    row = connection.execute(
        "SELECT key, owner FROM sessions WHERE session_id = ? AND hidden", (session_id,)
    ).fetchone()
    if row is None:
        return True
    key, owner = row
    deleted_rows = connection.execute(
        "DELETE FROM turns WHERE rowid IN (SELECT rowid FROM turns WHERE session = ? LIMIT ?) RETURNING digests",
        (key, limit),
    ).fetchall()
    _release_texts(connection, chain.from_iterable(split_digests(digests) for (digests,) in deleted_rows))
    if len(deleted_rows) == limit:
        return False
    connection.execute("DELETE FROM sessions WHERE key = ?", (key,))
    connection.execute(
        "DELETE FROM owners WHERE owner = ?1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE owner = ?1)", (owner,)
    )
    return True


def split_digests(joined: bytes) -> tuple[bytes, ...]:
    """Return the digests of a turn's row."""
    return tuple(joined[start : start + DIGEST_BYTES] for start in range(0, len(joined), DIGEST_BYTES))


def _create(connection: sqlite3.Connection, session: StoredSession) -> int | None:
    """Insert a new session; return its key, or None if the id is taken."""
    values = (
        session.session_id,
        _owner(connection, session.principals),
        session.version,
        session.first_question,
        session.created.timestamp(),
        session.updated.timestamp(),
        session.view,
        session.title,
    )
    row = connection.execute(
        "INSERT INTO sessions (session_id, owner, version, first_question, created, updated, view, title) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session_id) DO NOTHING RETURNING key",
        values,
    ).fetchone()
    return None if row is None else int(row[0])


def _continue(connection: sqlite3.Connection, addition: Addition) -> int | None:
    """Update a session; return its key, or None if another turn came first or it is gone."""
    session = addition.session
    changed = connection.execute(
        "UPDATE sessions SET version = ?, owner = ?, updated = ?, view = ? "
        "WHERE key = ? AND version = ? AND NOT hidden",
        (
            session.version,
            _owner(connection, session.principals),
            session.updated.timestamp(),
            session.view,
            int(session.key),
            session.version - len(addition.turns),
        ),
    ).rowcount
    return int(session.key) if changed else None


def _owner(connection: sqlite3.Connection, principals: Sequence[str]) -> int:
    """Return the number of a set of principals."""
    names = sorted(set(principals))
    text = json.dumps(names)
    row = connection.execute("SELECT owner FROM owners WHERE principals = ?", (text,)).fetchone()
    if row is not None:
        return int(row[0])
    cursor = connection.execute("INSERT INTO owners (principals, size) VALUES (?, ?)", (text, len(names)))
    owner = int(cursor.lastrowid or 0)
    connection.executemany("INSERT INTO owner_principals VALUES (?, ?)", [(name, owner) for name in names])
    return owner


def _turn_row(key: int, turn: StoredTurn) -> tuple[object, ...]:
    return key, turn.position, turn.turn_id, turn.created.timestamp(), b"".join(turn.digests), turn.content


def _use_texts(connection: sqlite3.Connection, turns: Iterable[StoredTurn], texts: Mapping[bytes, bytes]) -> None:
    uses = Counter(chain.from_iterable(turn.digests for turn in turns))
    connection.executemany(
        "INSERT INTO texts VALUES (?1, ?2, ?3) ON CONFLICT (digest) DO UPDATE SET uses = uses + ?2",
        [(digest, count, texts[digest]) for digest, count in uses.items()],
    )


def _release_texts(connection: sqlite3.Connection, digests: Iterable[bytes]) -> None:
    uses = Counter(digests)
    connection.executemany(
        "UPDATE texts SET uses = uses - ? WHERE digest = ?", [(count, digest) for digest, count in uses.items()]
    )
    connection.executemany("DELETE FROM texts WHERE digest = ? AND uses <= 0", [(digest,) for digest in uses])
