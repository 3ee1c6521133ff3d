"""The three sources of a conversation (stored session, carried context, plain history), and how it is stored."""

import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from gateway.request import TurnRequest
from gateway.session.codecs import ContextCodec, TurnRowCodec
from gateway.session.conversation import listed_question, view_after, view_of
from gateway.store.session_store import SessionStore
from gateway.store.sessions import Addition, StoredSession, owns
from libs.contracts.conversation import ConversationView
from libs.contracts.session import SessionContext, Turn
from libs.runtime.errors import Conflict, InvalidInput, NotFound

TURNS_PER_READ: Final = 10
"""Turns read at once in search of the latest one with references."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation before the turn: a session that is stored here, or a context that the client carries."""

    view: ConversationView
    session: StoredSession | None = None
    """As it was read, with the principals of this turn's caller; version 0 if it is new."""
    context: SessionContext | None = None

    @property
    def session_id(self) -> str:
        """The session; empty if the client carries the conversation."""
        return self.session.session_id if self.session else ""

    @property
    def version(self) -> int:
        """Number of the session's turns."""
        return self.session.version if self.session else 0


@dataclass(frozen=True, slots=True)
class ConversationHandle:
    """Where the conversation is stored after the turn: in a session, or in the encoded context."""

    session_id: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class Conversations:
    """Opens a turn's conversation and adds the turn to it."""

    store: SessionStore
    codec: ContextCodec
    rows: TurnRowCodec

    async def open(self, request: TurnRequest) -> Conversation:
        """Return the conversation from the request's session, context or history.

        Raises:
            InvalidInput: more than one of session, context and history is given, or the context cannot be read.
            NotFound: the session belongs to others (reason SESSION_NOT_FOUND).
        """
        _refuse_ambiguity(request)
        if request.context:
            return _carried(replace(self.codec.decode(request.context), session_id="", principals=()))
        if request.history:
            return _carried(SessionContext(prior=request.history))
        return await self._session(request)

    async def _session(self, request: TurnRequest) -> Conversation:
        session_id = request.session_id or f"s-{secrets.token_hex(16)}"
        stored_session = await self.store.session(session_id) if request.session_id else None
        if stored_session is None:
            return Conversation(ConversationView(), StoredSession(session_id, request.principals))
        if not owns(request.principals, stored_session.principals):
            raise NotFound("session", session_id)
        principals = tuple(dict.fromkeys((*stored_session.principals, *request.principals)))
        view = self.rows.unpack_view(stored_session.view)
        return Conversation(view, replace(stored_session, principals=principals))

    async def latest_answered_turn(self, session_id: str, principals: tuple[str, ...]) -> Turn | None:
        """Return the latest turn of a session whose answer has references, without their texts, or None.

        Raises:
            NotFound: there is no such session, or it belongs to others (reason SESSION_NOT_FOUND).
        """
        stored_session = await self.store.session(session_id)
        if stored_session is None or not owns(principals, stored_session.principals):
            raise NotFound("session", session_id)
        for end in range(stored_session.version, 0, -TURNS_PER_READ):
            first = max(1, end - TURNS_PER_READ + 1)
            rows = await self.store.turns(stored_session, first, end - first + 1)
            turns = (self.rows.unpack(row, {}) for row in reversed(rows) if row.digests)
            if (turn := next(turns, None)) is not None:
                return turn
        return None

    async def stored_turn(self, turn_id: str) -> Turn | None:
        """Return a turn of any session, without the texts of its references, or None if it is not stored."""
        stored = await self.store.turn(turn_id)
        return None if stored is None else self.rows.unpack(stored[1], {})

    async def reopen(self, request: TurnRequest, session_id: str, version: int) -> Conversation:
        """Return the conversation of a phase 1 question, for phase 2.

        Raises:
            Conflict: another turn was added to the session in between (reason SESSION_CONFLICT).
        """
        if not session_id:
            return await self.open(request)
        conversation = await self.open(replace(request, session_id=session_id))
        if conversation.version != version:
            raise Conflict("SESSION_CONFLICT", "Another turn of this session was stored first.")
        return conversation

    async def add(self, conversation: Conversation, turn: Turn) -> ConversationHandle:
        """Store the conversation with its new turn.

        Raises:
            Conflict: another turn of the session was stored in between (reason SESSION_CONFLICT).
        """
        if conversation.session is None:
            before = conversation.context or SessionContext()
            after = replace(before, turns=(*before.turns, turn), version=before.version + 1)
            return ConversationHandle(context=self.codec.encode(after))
        await self.store.add(self._addition(conversation.session, conversation.view, turn))
        return ConversationHandle(session_id=conversation.session_id)

    def _addition(self, before: StoredSession, view: ConversationView, turn: Turn) -> Addition:
        now = datetime.now(UTC)
        row, texts = self.rows.pack(turn, before.version + 1, turn.asked_at or now)
        after = replace(
            before,
            version=row.position,
            first_question=before.first_question or listed_question(turn.question),
            created=before.created if before.key else row.created,
            updated=now,
            view=self.rows.pack_view(view_after(view, turn)),
        )
        return Addition(after, (row,), texts)


def _carried(context: SessionContext) -> Conversation:
    return Conversation(view_of(context), context=context)


def _refuse_ambiguity(request: TurnRequest) -> None:
    sources = [name for name in ("session_id", "context", "history") if getattr(request, name)]
    if len(sources) > 1:
        description = f"Give at most one of session_id, context and history; here are {sources[0]} and {sources[1]}."
        raise InvalidInput(sources[1], description, reason="CONVERSATION_AMBIGUOUS")
