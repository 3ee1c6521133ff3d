"""The three sources of a conversation (stored session, carried context, plain history), and how it is stored.

Turns and short contexts are decoded on the event loop, longer contexts in threads.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from gateway.request import TurnRequest
from gateway.session.context_codec import check_view, context_decode, context_encode
from gateway.session.conversation import listed_question, view_after, view_of
from gateway.session.row_codec import pack_turn, pack_view, unpack_turn, unpack_view
from gateway.store.session_store import SessionStore
from gateway.store.sessions import Addition, StoredSession, owns
from libs.contracts.conversation import ConversationView
from libs.contracts.session import SessionContext, Turn
from libs.contracts.wire.codec import from_message, to_message
from libs.runtime.errors import Conflict, InvalidInput, NotFound
from libs.runtime.serving.validation import Validation
from libs.runtime.threads import in_thread_unless
from parley.context.v1 import session_pb2

TURNS_PER_READ: Final = 10
"""Turns read at once in search of the latest one with references (taste)."""
SHORT_CONTEXT: Final = 4096
"""Characters of one that has few turns (taste)."""


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
class Conversations:
    """Opens a turn's conversation and adds the turn to it. Every call may raise Unavailable, as the store does."""

    store: SessionStore
    rules: Validation = field(default_factory=Validation)

    async def open(self, request: TurnRequest) -> Conversation:
        """Return the conversation from the request's session, context or history.

        Raises:
            InvalidInput: more than one of session, context and history is given, or the context cannot be read.
            NotFound: the session belongs to others (reason SESSION_NOT_FOUND).
        """
        sources = [name for name in ("session_id", "context", "history") if getattr(request, name)]
        if len(sources) > 1:
            description = f"Give either {sources[0]} or {sources[1]}, as each of them names a conversation."
            raise InvalidInput(sources[1], description, reason="CONVERSATION_AMBIGUOUS")
        if request.context:
            context = await in_thread_unless(len(request.context) < SHORT_CONTEXT, context_decode, request.context)
            carried = _carried(replace(context, session_id="", principals=()))
            check_view(carried.view, self.rules)
            return carried
        if request.history:
            return _carried(SessionContext(prior=request.history))
        return await self._session(request)

    async def _session(self, request: TurnRequest) -> Conversation:
        session_id = request.session_id or new_session_id()
        stored_session = await self.store.session(session_id) if request.session_id else None
        if stored_session is None:
            return Conversation(ConversationView(), StoredSession(session_id, request.principals))
        if not owns(request.principals, stored_session.principals):
            raise NotFound("session", session_id)
        principals = tuple(dict.fromkeys((*stored_session.principals, *request.principals)))
        return Conversation(unpack_view(stored_session.view), replace(stored_session, principals=principals))

    async def reopen(self, request: TurnRequest, session_id: str, version: int) -> Conversation:
        """Return the conversation of a question in phase 2.

        Args:
            request: the request for phase 1.
            session_id: the session that phase 1 used; empty if the client carries the conversation.
            version: the session's version then.

        Raises:
            Conflict: another turn was added to the session in between (reason SESSION_CONFLICT).
        """
        if not session_id:
            return await self.open(request)
        conversation = await self.open(replace(request, session_id=session_id))
        if conversation.version != version:
            raise Conflict("SESSION_CONFLICT", "Another turn of this session was stored first: ask again.")
        return conversation

    async def latest_answered_turn(self, session_id: str, principals: Sequence[str]) -> session_pb2.Turn:
        """Return the latest turn of a session whose answer has references, without their texts; empty if none has.

        Raises:
            NotFound: there is no such session, or it belongs to others (reason SESSION_NOT_FOUND).
        """
        session = await owned_session(self.store, session_id, principals)
        for end in range(session.version, 0, -TURNS_PER_READ):
            first = max(1, end - TURNS_PER_READ + 1)
            rows = await self.store.turns(session, first, end - first + 1)
            if (row := next((row for row in reversed(rows) if row.digests), None)) is not None:
                return unpack_turn(row)
        return session_pb2.Turn()

    async def stored_turn(self, turn_id: str) -> Turn | None:
        """Return a turn of any session, without the texts of its references, or None if it is not stored."""
        stored = await self.store.turn(turn_id)
        return None if stored is None else from_message(unpack_turn(stored[1]), Turn)

    async def add(self, conversation: Conversation, turn: Turn) -> str:
        """Store the conversation with its new turn; return the encoded context if the client carries it, else "".

        Raises:
            Conflict: another turn of the session was stored in between (reason SESSION_CONFLICT).
        """
        if conversation.session is None:
            before = conversation.context or SessionContext()
            after = replace(before, turns=(*before.turns, turn), version=before.version + 1)
            return context_encode(to_message(after, session_pb2.SessionContext))
        await self.store.add(addition_of(conversation.session, conversation.view, (turn,)))
        return ""


async def owned_session(store: SessionStore, session_id: str, principals: Sequence[str]) -> StoredSession:
    """Return a session of the caller.

    Raises:
        NotFound: there is no such session, or it belongs to others (reason SESSION_NOT_FOUND).
    """
    session = await store.session(session_id)
    if session is None or not owns(principals, session.principals):
        raise NotFound("session", session_id)
    return session


def new_session_id() -> str:
    """Return an id that nobody guesses: 128 random bits (taste)."""
    return f"s-{secrets.token_hex(16)}"


def new_turn_id() -> str:
    """Return an id that nobody guesses, and no two of which are alike: 96 random bits (taste)."""
    return f"q-{secrets.token_hex(12)}"


def addition_of(before: StoredSession, view: ConversationView, turns: Sequence[Turn]) -> Addition:
    """Return what is stored when a session gets new turns.

    Args:
        before: the session before them; version 0 if it is new.
        view: what its next turn would have read.
        turns: at least one.
    """
    now = datetime.now(UTC)
    rows, texts = [], dict[bytes, bytes]()
    for position, turn in enumerate(turns, start=before.version + 1):
        row, named = pack_turn(turn, position, turn.asked_at or now)
        rows.append(row)
        texts |= named
        view = view_after(view, turn)
    after = replace(
        before,
        version=rows[-1].position,
        first_question=before.first_question or listed_question(turns[0].question),
        created=before.created if before.key else rows[0].asked_at,
        updated=now,
        view=pack_view(view),
    )
    return Addition(after, tuple(rows), texts)


def _carried(context: SessionContext) -> Conversation:
    return Conversation(view_of(context), context=context)
