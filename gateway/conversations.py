"""The three ways a conversation comes in, and how it is kept: a stored session, a carried context, plain history."""

import secrets
from dataclasses import dataclass, field, replace
from typing import Protocol

from gateway.recent import RecentConversations
from gateway.request import TurnRequest
from gateway.store.contexts import ContextStore
from libs.contracts.session import SessionContext, Turn
from libs.runtime.errors import Conflict, InvalidInput, NotFound, PermissionDenied


class ContextCodec(Protocol):
    """Conversations to bytes and to the text that clients carry, and back."""

    def to_bytes(self, context: SessionContext) -> bytes:
        """For a store."""
        ...

    def with_turn(self, content: bytes, context: SessionContext) -> bytes:
        """For a store that holds all but the newest turn as `content`."""
        ...

    def from_bytes(self, content: bytes) -> SessionContext:
        """From a store."""
        ...

    def encode(self, context: SessionContext) -> str:
        """For a client."""
        ...

    def decode(self, text: str) -> SessionContext:
        """From a client.

        Raises:
            InvalidInput: the text is cut, changed or of an unknown version (reason CONTEXT_BROKEN).
        """
        ...


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation before the turn. With a session id it is kept here, without one the client carries it."""

    context: SessionContext
    content: bytes = b""
    """How the store holds just this; empty where it holds nothing, or other principals."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the conversation is after the turn: in a session, or in the encoded context."""

    session_id: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class Conversations:
    """Opens a turn's conversation and adds the turn to it."""

    store: ContextStore
    codec: ContextCodec
    recent: RecentConversations = field(default_factory=RecentConversations)

    async def open(self, request: TurnRequest) -> Conversation:
        """The conversation that the request names, carries or tells.

        Raises:
            InvalidInput: more than one of session, context and history came, or the context cannot be read.
            PermissionDenied: the session holds what other principals may see (reason SESSION_FOREIGN).
        """
        _refuse_ambiguity(request)
        if request.context:
            return Conversation(replace(self.codec.decode(request.context), session_id="", principals=()))
        if request.history:
            return Conversation(SessionContext(prior=request.history))
        return await self._session(request)

    async def _session(self, request: TurnRequest) -> Conversation:
        session_id = request.session_id or f"s-{secrets.token_hex(8)}"
        stored = await self.store.load(session_id) if request.session_id else None
        if stored is None:
            return Conversation(SessionContext(session_id, principals=request.principals))
        read = self.recent.of(session_id, stored.content) or self.codec.from_bytes(stored.content)
        context = replace(read, version=stored.version)
        if not set(context.principals) <= set(request.principals):
            raise PermissionDenied("SESSION_FOREIGN", "The session belongs to other principals.")
        principals = tuple(dict.fromkeys((*context.principals, *request.principals)))
        content = stored.content if principals == context.principals else b""
        return Conversation(replace(context, principals=principals), content)

    async def answered(self, session_id: str, principals: tuple[str, ...]) -> Turn | None:
        """The latest turn of a session whose answer has references; None where none has.

        Raises:
            NotFound: there is no such session (reason SESSION_NOT_FOUND).
            PermissionDenied: the session holds what other principals may see (reason SESSION_FOREIGN).
        """
        conversation = await self.open(TurnRequest("", session_id=session_id, principals=principals))
        turns = conversation.context.turns
        if not turns:
            raise NotFound("session", session_id)
        return next((turn for turn in reversed(turns) if turn.references), None)

    async def reopen(self, request: TurnRequest, session_id: str, version: int) -> Conversation:
        """The conversation of a question of phase 1, for phase 2.

        Raises:
            Conflict: the session got another turn meanwhile (reason SESSION_CONFLICT).
        """
        if not session_id:
            return await self.open(request)
        conversation = await self.open(replace(request, session_id=session_id))
        if conversation.context.version != version:
            raise Conflict("SESSION_CONFLICT", "Another turn of this session was stored first.")
        return conversation

    async def add(self, conversation: Conversation, turn: Turn) -> Kept:
        """Keep the conversation with its new turn.

        Raises:
            Conflict: another turn of the session was stored meanwhile (reason SESSION_CONFLICT).
        """
        before = conversation.context
        after = replace(before, turns=(*before.turns, turn), version=before.version + 1)
        if not after.session_id:
            return Kept(context=self.codec.encode(after))
        stored = conversation.content
        content = self.codec.with_turn(stored, after) if stored else self.codec.to_bytes(after)
        await self.store.save(after.session_id, content, after.version)
        self.recent.keep(content, after)
        return Kept(session_id=after.session_id)


def _refuse_ambiguity(request: TurnRequest) -> None:
    given = [name for name in ("session_id", "context", "history") if getattr(request, name)]
    if len(given) > 1:
        description = f"Give at most one of session_id, context and history; here are {given[0]} and {given[1]}."
        raise InvalidInput(given[1], description, reason="CONVERSATION_AMBIGUOUS")
