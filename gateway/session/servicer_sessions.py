"""The gRPC service of stored sessions: listed, read, renamed, deleted, exported and imported by their owners.

A session of others is reported as not found. Any RPC may raise Unavailable, as the store does, and InvalidInput for a
page token. Decoding is done in threads. Numbers that name no source are chosen by hand.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any, Final

from gateway.access.principals import caller_of, is_stranger
from gateway.session.conversation import on_one_line
from gateway.session.conversations import owned_session
from gateway.session.reference_access import PassageLookups, cited_passages, withhold
from gateway.session.retention import SessionRemoval
from gateway.session.row_codec import unpack_turn
from gateway.session.session_transfer import exported_context, imported_session
from gateway.store.session_store import SessionStore
from gateway.store.sessions import StoredSession, StoredTurn, owns
from libs.runtime.errors import AlreadyExists, Conflict, NotFound
from libs.servicing.page_tokens import decode_token, encode_token
from parley.context.v1 import session_pb2 as context_pb2
from parley.gateway.v1 import session_pb2 as pb
from parley.gateway.v1 import session_pb2_grpc

DEFAULT_PAGE: Final = 50  # sessions or turns, if a request names no size (taste)
TURNS_AT_ONCE: Final = 50
"""Turns that an export reads at once."""
ATTEMPTS: Final = 20
"""How often a session is read again that gets turns while it is being renamed or deleted."""


@dataclass(frozen=True, slots=True)
class SessionServicer(session_pb2_grpc.SessionServiceServicer):
    """The service of stored sessions."""

    store: SessionStore
    lookups: PassageLookups
    removal: SessionRemoval

    async def GetSession(self, request: pb.GetSessionRequest, context: Any) -> pb.GetSessionResponse:
        """Return a session without its turns."""
        session = await owned_session(self.store, request.session_id, caller_of(context))
        return pb.GetSessionResponse(session=_session(session))

    async def ListSessions(self, request: pb.ListSessionsRequest, context: Any) -> pb.ListSessionsResponse:
        """Return a page of the caller's sessions."""
        if is_stranger(context):
            return pb.ListSessionsResponse()
        size = request.page_size or DEFAULT_PAGE
        sessions = await self.store.sessions(
            caller_of(context), size + 1, decode_token(request.page_token, _session_position)
        )
        page, is_last = sessions[:size], len(sessions) <= size
        token = "" if is_last else encode_token(f"{page[-1].updated.isoformat()} {page[-1].session_id}")
        return pb.ListSessionsResponse(sessions=map(_session, page), next_page_token=token)

    async def ListTurns(self, request: pb.ListTurnsRequest, context: Any) -> pb.ListTurnsResponse:
        """Return a page of a session's turns."""
        before = decode_token(request.page_token, _turn_position)
        session = await owned_session(self.store, request.session_id, caller_of(context))
        rows = await self.store.turns(session, before + 1, request.page_size or DEFAULT_PAGE)
        turns = await asyncio.to_thread(lambda: [*map(_summary, rows)])
        last = before + len(rows)
        token = encode_token(str(last)) if rows and last < session.version else ""
        return pb.ListTurnsResponse(turns=turns, next_page_token=token)

    async def GetTurn(self, request: pb.GetTurnRequest, context: Any) -> pb.GetTurnResponse:
        """Return a turn with the texts of its passages, as far as the caller may see their documents."""
        principals, place = caller_of(context), await self.store.turn(request.turn_id)
        if place is None or not owns(principals, place[0].principals):
            raise NotFound("turn", request.turn_id)
        session, row = place
        (turn,) = await self._readable(session, (row,), principals, new_content=request.need_new_content)
        return pb.GetTurnResponse(session_id=session.session_id, position=row.position, turn=turn)

    async def RenameSession(self, request: pb.RenameSessionRequest, context: Any) -> pb.RenameSessionResponse:
        """Give a session a title, which is put on one line."""
        title = on_one_line(request.title)
        for _ in range(ATTEMPTS):
            session = await owned_session(self.store, request.session_id, caller_of(context))
            if await self.store.rename(session, title):
                return pb.RenameSessionResponse(session=_session(replace(session, title=title)))
        raise _overtaken("renamed")

    async def DeleteSession(self, request: pb.DeleteSessionRequest, context: Any) -> pb.DeleteSessionResponse:
        """Delete a session for ever."""
        for _ in range(ATTEMPTS):
            session = await owned_session(self.store, request.session_id, caller_of(context))
            if await self.removal.remove(session):
                await self.store.shrink()
                return pb.DeleteSessionResponse()
        raise _overtaken("deleted")

    async def ExportSession(self, request: pb.ExportSessionRequest, context: Any) -> pb.ExportSessionResponse:
        """Return a session as an encoded context, with what the caller may see of its passages."""
        principals, turns = caller_of(context), list[context_pb2.Turn]()
        session = await owned_session(self.store, request.session_id, principals)
        for first in range(1, session.version + 1, TURNS_AT_ONCE):
            rows = await self.store.turns(session, first, TURNS_AT_ONCE)
            turns += await self._readable(session, rows, principals, texts=not request.without_texts)
        exported = await asyncio.to_thread(exported_context, turns)
        return pb.ExportSessionResponse(context=exported, turns=len(turns))

    async def ImportSession(self, request: pb.ImportSessionRequest, context: Any) -> pb.ImportSessionResponse:
        """Create a session of the caller from an encoded context."""
        owners = caller_of(context)
        addition = await asyncio.to_thread(imported_session, request.context, request.session_id, owners)
        try:
            await self.store.add(addition)
        except Conflict:
            raise AlreadyExists("session", addition.session.session_id) from None
        return pb.ImportSessionResponse(session=_session(addition.session))

    async def _readable(
        self,
        session: StoredSession,
        rows: Sequence[StoredTurn],
        principals: Sequence[str],
        *,
        new_content: bool = False,
        texts: bool = True,
    ) -> list[context_pb2.Turn]:
        """Return turns of a session, as far as the caller may see the documents that they cite.

        Args:
            session: the session.
            rows: rows of it.
            principals: all principals of the caller.
            new_content: whether passages come with their present content.
            texts: whether passages come with the text that was found then.
        """
        digests = [digest for row in rows for digest in row.digests] if texts else []
        stored_texts = await self.store.texts(session, digests)
        turns = await asyncio.to_thread(lambda: [unpack_turn(row, stored_texts) for row in rows])
        keys = list(dict.fromkeys(chain.from_iterable(map(cited_passages, turns))))
        lookups = await self.lookups.look_up(keys, principals, content=new_content)
        for turn in turns:
            withhold(turn, lookups, new_content=new_content)
        return turns


def _session(session: StoredSession) -> pb.Session:
    message = pb.Session(
        session_id=session.session_id,
        title=session.title,
        turns=session.version,
        first_question=session.first_question,
    )
    message.created_at.FromDatetime(session.created)
    message.updated_at.FromDatetime(session.updated)
    return message


def _summary(row: StoredTurn) -> pb.TurnSummary:
    turn = unpack_turn(row)
    summary = pb.TurnSummary(
        turn_id=row.turn_id,
        position=row.position,
        question=turn.question,
        answer=turn.answer.text,
        outcome=turn.outcome,
    )
    summary.asked_at.FromDatetime(row.asked_at)
    return summary


def _overtaken(what: str) -> Conflict:
    return Conflict("SESSION_CONFLICT", f"The session was not {what}, as it kept getting new turns: try again.")


def _session_position(text: str) -> tuple[datetime, str] | None:
    """Read `updated` and id of the session before a page; None for the first page.

    Raises:
        ValueError: the text says neither.
    """
    if not text:
        return None
    updated, _, session_id = text.partition(" ")
    moment = datetime.fromisoformat(updated)
    if moment.tzinfo is None or not session_id:
        raise ValueError(text)
    return moment, session_id


def _turn_position(text: str) -> int:
    """Read the position of the turn before a page, 0 for the first page; errors as with `_session_position`."""
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):  # below 2**31
        raise ValueError(text)
    return int(text or 0)
