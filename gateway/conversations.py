"""The three sources of a conversation (stored session, carried context, plain history), and how it is stored."""

import secrets
from dataclasses import dataclass, field, replace
from typing import Protocol

from gateway.recent import RecentConversations
from gateway.request import TurnRequest
from gateway.store.contexts import ContextStore
from libs.contracts.session import SessionContext, Turn
from libs.runtime.errors import Conflict, InvalidInput, NotFound, PermissionDenied


class ContextCodec(Protocol):
    """Encodes conversations as bytes for a store and as text for clients, and decodes them."""

    def to_bytes(self, context: SessionContext) -> bytes:
        """Encode for a store."""
        ...

    def with_turn(self, content: bytes, context: SessionContext) -> bytes:
        """Encode for a store, given the stored `content` without the newest turn."""
        ...

    def from_bytes(self, content: bytes) -> SessionContext:
        """Decode from a store."""
        ...

    def encode(self, context: SessionContext) -> str:
        """Encode for a client."""
        ...

    def decode(self, text: str) -> SessionContext:
        """Decode from a client.

        Raises:
            InvalidInput: the text is truncated, modified or of an unknown version (reason CONTEXT_BROKEN).
        """
        ...


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation before the turn. With a session id it is stored here; without one the client carries it."""

    context: SessionContext
    content: bytes = b""
    """The stored bytes of exactly this conversation; empty if none are stored, or if the principals differ."""


@dataclass(frozen=True, slots=True)
class ConversationHandle:
    """Where the conversation is stored after the turn: in a session, or in the encoded context."""

    session_id: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class Conversations:
    """Opens a turn's conversation and adds the turn to it."""

    store: ContextStore
    codec: ContextCodec
    recent: RecentConversations = field(default_factory=RecentConversations)

    async def open(self, request: TurnRequest) -> Conversation:
        """Return the conversation from the request's session, context or history.

        Raises:
            InvalidInput: more than one of session, context and history is given, or the context cannot be read.
            PermissionDenied: the session holds content of other principals (reason SESSION_FOREIGN).
        """
        _refuse_ambiguity(request)
        if request.context:
            return Conversation(replace(self.codec.decode(request.context), session_id="", principals=()))
        if request.history:
            return Conversation(SessionContext(prior=request.history))
        return await self._session(request)

    async def _session(self, request: TurnRequest) -> Conversation:
        session_id = request.session_id or f"s-{secrets.token_hex(8)}"
        stored_context = await self.store.load(session_id) if request.session_id else None
        if stored_context is None:
            return Conversation(SessionContext(session_id, principals=request.principals))
        previous = self.recent.of(session_id, stored_context.content) or self.codec.from_bytes(stored_context.content)
        context = replace(previous, version=stored_context.version)
        if not set(context.principals) <= set(request.principals):
            raise PermissionDenied("SESSION_FOREIGN", "The session belongs to other principals.")
        principals = tuple(dict.fromkeys((*context.principals, *request.principals)))
        content = stored_context.content if principals == context.principals else b""
        return Conversation(replace(context, principals=principals), content)

    async def latest_answered_turn(self, session_id: str, principals: tuple[str, ...]) -> Turn | None:
        """Return the latest turn of a session whose answer has references, or None.

        Raises:
            NotFound: there is no such session (reason SESSION_NOT_FOUND).
            PermissionDenied: the session holds content of other principals (reason SESSION_FOREIGN).
        """
        conversation = await self.open(TurnRequest("", session_id=session_id, principals=principals))
        turns = conversation.context.turns
        if not turns:
            raise NotFound("session", session_id)
        return next((turn for turn in reversed(turns) if turn.references), None)

    async def latest_turn(self, session_id: str, principals: tuple[str, ...]) -> Turn | None:
        """Return the latest turn of a session, or None if it has none.

        Raises:
            PermissionDenied: the session holds content of other principals (reason SESSION_FOREIGN).
        """
        conversation = await self.open(TurnRequest("", session_id=session_id, principals=principals))
        return conversation.context.turns[-1] if conversation.context.turns else None

    async def reopen(self, request: TurnRequest, session_id: str, version: int) -> Conversation:
        """Return the conversation of a phase 1 question, for phase 2.

        Raises:
            Conflict: another turn was added to the session in between (reason SESSION_CONFLICT).
        """
        if not session_id:
            return await self.open(request)
        conversation = await self.open(replace(request, session_id=session_id))
        if conversation.context.version != version:
            raise Conflict("SESSION_CONFLICT", "Another turn of this session was stored first.")
        return conversation

    async def add(self, conversation: Conversation, turn: Turn) -> ConversationHandle:
        """Store the conversation with its new turn.

        Raises:
            Conflict: another turn of the session was stored in between (reason SESSION_CONFLICT).
        """
        before = conversation.context
        after = replace(before, turns=(*before.turns, turn), version=before.version + 1)
        if not after.session_id:
            return ConversationHandle(context=self.codec.encode(after))
        previous = conversation.content
        content = self.codec.with_turn(previous, after) if previous else self.codec.to_bytes(after)
        await self.store.save(after.session_id, content, after.version)
        self.recent.keep(content, after)
        return ConversationHandle(session_id=after.session_id)


def _refuse_ambiguity(request: TurnRequest) -> None:
    sources = [name for name in ("session_id", "context", "history") if getattr(request, name)]
    if len(sources) > 1:
        description = f"Give at most one of session_id, context and history; here are {sources[0]} and {sources[1]}."
        raise InvalidInput(sources[1], description, reason="CONVERSATION_AMBIGUOUS")
