"""The stored sessions as their owners see them: listed, read, renamed, deleted."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Final

from gateway.session.codecs import TurnRowCodec, TurnSummary
from gateway.session.conversation import on_one_line
from gateway.session.reference_access import PassageLookups, cited_passages, readable_turn
from gateway.session.retention import SessionRemoval
from gateway.store.session_store import SessionStore
from gateway.store.sessions import StoredSession, StoredTurn, owns
from libs.contracts.session import Turn
from libs.runtime.errors import Conflict, NotFound
from libs.servicing.page_tokens import decode_token, encode_token, unknown_token

Principals = Sequence[str]

ATTEMPTS: Final = 20
"""How often a session is read again that gets turns while it is being renamed or deleted."""


@dataclass(frozen=True, slots=True)
class SessionPage:
    """Sessions, the latest updated first."""

    sessions: tuple[StoredSession, ...]
    next_page_token: str = ""
    """Empty on the last page."""


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Turns of a session, the oldest first."""

    turns: tuple[TurnSummary, ...]
    next_page_token: str = ""
    """Empty on the last page."""


@dataclass(frozen=True, slots=True)
class PlacedTurn:
    """A turn with its place."""

    session_id: str
    position: int
    """From 1."""
    turn: Turn


@dataclass(frozen=True, slots=True)
class Sessions:
    """Reads, renames and deletes stored sessions. A session of others is reported as not found."""

    store: SessionStore
    rows: TurnRowCodec
    lookups: PassageLookups
    removal: SessionRemoval

    async def session(self, session_id: str, principals: Principals) -> StoredSession:
        """Return a session of the caller.

        Raises:
            NotFound: the caller has no such session (reason SESSION_NOT_FOUND).
        """
        session = await self.store.session(session_id)
        if session is None or not owns(principals, session.principals):
            raise NotFound("session", session_id)
        return session

    async def page(self, principals: Principals, size: int, token: str) -> SessionPage:
        """Return a page of the caller's sessions.

        Raises:
            InvalidInput: the token does not come from an earlier page.
        """
        sessions = await self.store.sessions(principals, size + 1, _session_position(token))
        more = len(sessions) > size
        return SessionPage(tuple(sessions[:size]), _session_token(sessions[size - 1]) if more else "")

    async def turns(self, session_id: str, principals: Principals, size: int, token: str) -> TurnPage:
        """Return a page of a session's turns.

        Raises:
            NotFound: see `session`.
            InvalidInput: the token does not come from an earlier page.
        """
        first = _turn_position(token) + 1
        session = await self.session(session_id, principals)
        rows = await self.store.turns(session, first, size)
        summaries = await asyncio.to_thread(lambda: tuple(map(self.rows.summary, rows)))
        last = first + len(rows) - 1
        return TurnPage(summaries, _turn_token(last) if rows and last < session.version else "")

    async def turn(self, turn_id: str, principals: Principals, *, new_content: bool) -> PlacedTurn:
        """Return a turn with the texts of its passages, as far as the caller may see their documents.

        Args:
            turn_id: the turn.
            principals: all principals of the caller.
            new_content: whether passages come with their present content.

        Raises:
            NotFound: the caller has no such turn (reason TURN_NOT_FOUND).
            Unavailable: the corpus cannot be asked.
        """
        place = await self.store.turn(turn_id)
        if place is None or not owns(principals, place[0].principals):
            raise NotFound("turn", turn_id)
        session, row = place
        (turn,) = await self.readable(session, (row,), principals, new_content=new_content)
        return PlacedTurn(session.session_id, row.position, turn)

    async def readable(
        self,
        session: StoredSession,
        rows: Sequence[StoredTurn],
        principals: Principals,
        *,
        new_content: bool = False,
        texts: bool = True,
    ) -> list[Turn]:
        """Return the turns of a session's rows, as far as the caller may see the documents that they cite.

        Args:
            session: the session.
            rows: rows of it.
            principals: all principals of the caller.
            new_content: whether passages come with their present content.
            texts: whether passages come with the text that was found then.
        """
        digests = list(dict.fromkeys(digest for row in rows for digest in row.digests))
        stored_texts: Mapping[bytes, bytes] = await self.store.texts(session, digests) if texts and digests else {}
        turns = await asyncio.to_thread(lambda: [self.rows.unpack(row, stored_texts) for row in rows])
        keys = list(dict.fromkeys(chain.from_iterable(map(cited_passages, turns))))
        lookups = await self.lookups.look_up(keys, principals, content=new_content) if keys else {}
        return [readable_turn(turn, lookups, new_content=new_content) for turn in turns]

    async def rename(self, session_id: str, principals: Principals, title: str) -> StoredSession:
        """Give a session a title, and return the session with it.

        Args:
            session_id: the session.
            principals: all principals of the caller.
            title: what to call it, which is put on one line; empty: nothing.

        Raises:
            NotFound: see `session`.
            Conflict: turns were added as fast as it was tried (reason SESSION_CONFLICT).
        """
        line = on_one_line(title)
        for _ in range(ATTEMPTS):
            session = await self.session(session_id, principals)
            if await self.store.rename(session, line):
                return replace(session, title=line)
        raise Conflict("SESSION_CONFLICT", "The session was not renamed: it got new turns all the time. Try again.")

    async def delete(self, session_id: str, principals: Principals) -> None:
        """Delete a session for ever.

        Raises:
            NotFound: see `session`.
            Conflict: turns were added as fast as it was tried (reason SESSION_CONFLICT).
        """
        for _ in range(ATTEMPTS):
            if await self.removal.remove(await self.session(session_id, principals)):
                await self.store.shrink()
                return
        raise Conflict("SESSION_CONFLICT", "The session was not deleted: it got new turns all the time. Try again.")


def _session_token(last: StoredSession) -> str:
    """Return the token for the page after a session."""
    return encode_token(f"{last.updated.isoformat()} {last.session_id}")


def _session_position(token: str) -> tuple[datetime, str] | None:
    """Return `updated` and id of the session before the page, or None for the first page.

    Raises:
        InvalidInput: the token does not come from an earlier page.
    """
    if not token:
        return None
    updated, _, session_id = decode_token(token).partition(" ")
    try:
        moment = datetime.fromisoformat(updated)
    except ValueError:
        raise unknown_token() from None
    if moment.tzinfo is None or not session_id:
        raise unknown_token()
    return moment, session_id


def _turn_token(position: int) -> str:
    """Return the token for the page after the turn at a position."""
    return encode_token(str(position))


def _turn_position(token: str) -> int:
    """Return the position of the turn before the page, 0 for the first page.

    Raises:
        InvalidInput: the token does not come from an earlier page.
    """
    content = decode_token(token) if token else "0"
    if not (content.isascii() and content.isdigit() and len(content) < 10):
        raise unknown_token()
    return int(content)
