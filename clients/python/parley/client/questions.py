"""The request of a turn, made of plain arguments, for both clients. Nothing is sent."""

from collections.abc import Iterable

from parley.context.v1 import conversation_pb2
from parley.gateway.v1 import gateway_pb2

Options = gateway_pb2.RequestOptions
Message = tuple[str, str]
"""Who wrote it, `user` or `agent`, and its text."""


def question_request(
    question: str,
    *,
    options: Options | None = None,
    collection: str = "",
    session_id: str = "",
    context: str = "",
    history: Iterable[Message] = (),
    request_id: str = "",
) -> gateway_pb2.AskRequest:
    """The request of a question.

    Args:
        question: the question.
        options: how the turn is processed; not changed.
        collection: the collection to search, in place of that of the options.
        session_id: a session stored by the suite. At most one of it, `context` and `history`.
        context: the encoded conversation of the answer before.
        history: the conversation as plain messages, oldest first; ValueError for an unknown speaker.
        request_id: makes a retry safe; chosen at random if empty.
    """
    request = gateway_pb2.AskRequest(
        question=question, session_id=session_id, context=context, request_id=request_id, options=options
    )
    request.history.extend(_history_message(speaker, text) for speaker, text in history)
    if collection:
        request.options.collection = collection
    return request


def _history_message(speaker: str, text: str) -> conversation_pb2.HistoryMessage:
    return conversation_pb2.HistoryMessage(
        speaker=conversation_pb2.Speaker.Value(f"SPEAKER_{speaker.upper()}"), text=text
    )
