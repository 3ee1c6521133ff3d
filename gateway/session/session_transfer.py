"""A whole session as an encoded context, and a new session from one; called in threads, as it may have megabytes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gateway.session.context_codec import (
    MAX_IMPORT_BYTES,
    MAX_IMPORT_FIELDS,
    check_view,
    context_decode,
    context_encode,
)
from gateway.session.conversation import exchanges_of
from gateway.session.conversations import addition_of, new_session_id, new_turn_id
from gateway.session.row_codec import unpack_view
from gateway.store.sessions import Addition, StoredSession
from libs.contracts.answers import Answer
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.session import Outcome, Turn
from libs.runtime.errors import FailedPrecondition, InvalidInput
from libs.runtime.serving.validation import Validation
from parley.context.v1 import session_pb2

MAX_CONTEXT_BYTES: Final = 7 * 1024 * 1024
"""Maximum size of an exported context: it fits into a request (taste, below the 8 MB of a request)."""


def exported_context(turns: Sequence[session_pb2.Turn]) -> str:
    """Return turns as an encoded context.

    Raises:
        FailedPrecondition: the context would be too large (reason MESSAGE_TOO_LARGE).
    """
    context = context_encode(session_pb2.SessionContext(turns=turns, version=len(turns)))
    if len(context) > MAX_CONTEXT_BYTES:
        raise FailedPrecondition(
            "MESSAGE_TOO_LARGE",
            f"The context would have {len(context):,} bytes, but a request holds at most {MAX_CONTEXT_BYTES:,}: "
            "export the session without the texts of its passages.",
        )
    return context


def imported_session(context: str, session_id: str, principals: tuple[str, ...]) -> Addition:
    """Return what is stored for a new session from an encoded context.

    Args:
        context: the conversation; the owners and the version in it count for nothing.
        session_id: the new session; empty for an id of its own.
        principals: its owners.

    Raises:
        InvalidInput: the context cannot be read, or is empty.
    """
    whole = context_decode(context, MAX_IMPORT_BYTES, MAX_IMPORT_FIELDS)
    turns = (*_turns_of(whole.prior), *(replace(turn, question_id=new_turn_id()) for turn in whole.turns))
    if not turns:
        raise InvalidInput("context", "The context has no turn, so there is no session to import.")
    addition = addition_of(StoredSession(session_id or new_session_id(), principals), ConversationView(), turns)
    check_view(unpack_view(addition.session.view), Validation())
    return addition


def _turns_of(messages: Sequence[HistoryMessage]) -> Iterator[Turn]:
    """Yield a turn for each exchange of a plain history."""
    for exchange in exchanges_of(messages):
        question = " ".join(message.text for message in exchange if message.speaker is Speaker.USER)
        answers = [message.text for message in exchange if message.speaker is Speaker.AGENT]
        answer = Answer("\n".join(answers)) if answers else None
        yield Turn(new_turn_id(), question, answer=answer, outcome=Outcome.ANSWERED if answers else Outcome.CANCELLED)
