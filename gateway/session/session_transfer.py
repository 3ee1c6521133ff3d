"""Exports a session as an encoded context, and imports one as a new session."""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from gateway.session.codecs import ContextCodec
from gateway.session.conversation import exchanges_of, listed_question, view_of
from gateway.session.sessions import Principals, Sessions
from gateway.store.sessions import Addition, StoredSession, StoredTurn
from libs.contracts.answers import Answer
from libs.contracts.conversation import HistoryMessage, Speaker
from libs.contracts.session import Outcome, SessionContext, Turn
from libs.runtime.errors import AlreadyExists, Conflict, FailedPrecondition, InvalidInput

MAX_CONTEXT_BYTES: Final = 7 * 1024 * 1024
"""Maximum size of an exported context: it fits into a request."""
TURNS_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True)
class ExportedSession:
    """A session outside of the store."""

    context: str
    turns: int


@dataclass(frozen=True, slots=True)
class SessionTransfer:
    """Exports and imports sessions."""

    sessions: Sessions
    codec: ContextCodec

    async def export_session(self, session_id: str, principals: Principals, *, texts: bool) -> ExportedSession:
        """Return a session as an encoded context, with what the caller may see of its passages.

        Args:
            session_id: the session.
            principals: all principals of the caller.
            texts: whether it contains the texts of passages.

        Raises:
            NotFound: the caller has no such session (reason SESSION_NOT_FOUND).
            FailedPrecondition: the context would be too large (reason MESSAGE_TOO_LARGE).
        """
        session = await self.sessions.session(session_id, principals)
        turns: list[Turn] = []
        for first in range(1, session.version + 1, TURNS_AT_ONCE):
            rows = await self.sessions.store.turns(session, first, TURNS_AT_ONCE)
            turns += await self.sessions.readable(session, rows, principals, texts=texts)
        whole = SessionContext(turns=tuple(turns), version=len(turns))
        context = await asyncio.to_thread(self.codec.encode, whole)
        if len(context) > MAX_CONTEXT_BYTES:
            raise FailedPrecondition(
                "MESSAGE_TOO_LARGE",
                f"The context would have {len(context):,} bytes; at most {MAX_CONTEXT_BYTES:,} are sent. "
                "Without the texts of passages it is smaller.",
            )
        return ExportedSession(context, len(turns))

    async def import_session(self, context: str, session_id: str, principals: Principals) -> StoredSession:
        """Create a session of the caller from an encoded context.

        Raises:
            InvalidInput: the context cannot be read, or is empty.
            AlreadyExists: the id is taken (reason SESSION_ALREADY_EXISTS).
        """
        addition = await asyncio.to_thread(self._addition, context, session_id, tuple(dict.fromkeys(principals)))
        try:
            await self.sessions.store.add(addition)
        except Conflict:
            raise AlreadyExists("session", addition.session.session_id) from None
        return addition.session

    def _addition(self, context: str, session_id: str, principals: tuple[str, ...]) -> Addition:
        whole = self.codec.decode_large(context)
        turns = (*_turns_of(whole.prior), *(replace(turn, question_id=_new_id()) for turn in whole.turns))
        if not turns:
            raise InvalidInput("context", "The context has no turn, so there is no session to import.")
        now = datetime.now(UTC)
        rows: list[StoredTurn] = []
        texts: dict[bytes, bytes] = {}
        for position, turn in enumerate(turns, start=1):
            row, own_texts = self.sessions.rows.pack(turn, position, turn.asked_at or now)
            rows.append(row)
            texts |= own_texts
        session = StoredSession(
            session_id or f"s-{secrets.token_hex(16)}",
            principals,
            len(turns),
            listed_question(turns[0].question),
            rows[0].created,
            now,
            self.sessions.rows.pack_view(view_of(SessionContext(turns=turns))),
        )
        return Addition(session, tuple(rows), texts)


def _turns_of(messages: Sequence[HistoryMessage]) -> Iterator[Turn]:
    """Yield a turn for each exchange of a plain history."""
    for exchange in exchanges_of(messages):
        question = " ".join(message.text for message in exchange if message.speaker is Speaker.USER)
        answers = [message.text for message in exchange if message.speaker is Speaker.AGENT]
        answer = Answer("\n".join(answers)) if answers else None
        yield Turn(_new_id(), question, answer=answer, outcome=Outcome.ANSWERED if answers else Outcome.CANCELLED)


def _new_id() -> str:
    return f"q-{secrets.token_hex(12)}"
