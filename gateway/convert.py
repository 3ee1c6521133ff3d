"""Converts between the contract's messages and the gateway's values."""

from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from google.protobuf.message import Message

from gateway.events import events
from gateway.request import AskedTurn, PendingQuestion, SuppliedQuestion, TurnOptions, TurnRequest
from gateway.store.logged_turns import TurnState
from libs.contracts.answers import Citation, PlacedImage, TextDelta
from libs.contracts.conversation import HistoryMessage
from libs.contracts.query import DecisionRecord
from libs.contracts.session import Turn
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded
from libs.contracts.wire.codec import fill, fill_field, from_message, to_message
from libs.contracts.wire.framing import join, split
from libs.runtime.errors import InvalidInput, ParleyError
from libs.runtime.status import error_from_status, status_of
from libs.servicing.requests import from_request
from parley.context.v1 import session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2

KINDS: Final[dict[type, str]] = {
    events.State: "state",
    Understanding: "understanding",
    DecisionRecord: "condensed",
    events.Plan: "plan",
    events.SubQuery: "sub_query",
    events.References: "references",
    TextDelta: "text",
    Citation: "citation",
    PlacedImage: "image",
    Timeline: "timeline",
    events.TextEnd: "text_end",
    events.Recommendation: "recommendation",
    Degraded: "degraded",
    events.UsageReport: "usage",
    events.Completed: "completed",
    events.Restarted: "restarted",
}
"""The field in the event's oneof for each type of event."""
EVENT_TYPES: Final = {kind: content for content, kind in KINDS.items()}


def turn_request(
    message: gateway_pb2.SupplyQuestionRequest | gateway_pb2.AskRequest, principals: tuple[str, ...]
) -> TurnRequest:
    """Return the request for a turn.

    Raises:
        InvalidInput: the time zone is unknown.
    """
    options = from_request(message.options, TurnOptions, "options")
    _refuse_unknown_zone(options.time_zone)
    return TurnRequest(
        question=message.question,
        session_id=message.session_id,
        context=message.context,
        history=tuple(
            from_request(item, HistoryMessage, f"history[{place}]") for place, item in enumerate(message.history)
        ),
        options=options,
        request_id=message.request_id,
        principals=principals,
    )


def _refuse_unknown_zone(name: str) -> None:
    if not name:
        return
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        message = "The time zone is unknown: give an IANA name, such as Europe/Berlin."
        raise InvalidInput("options.time_zone", message) from error


def event_message(event: events.Event) -> event_pb2.Event:
    """Convert an event to its message."""
    message = event_pb2.Event()
    fill_event(event, message)
    return message


def fill_event(event: events.Event, message: event_pb2.Event) -> None:
    """Write an event into an empty message, which may be part of another one."""
    if event.encoded:
        message.MergeFromString(event.encoded)
        return
    message.turn_id, message.seq = event.turn_id, event.seq
    fill_field(message, KINDS[type(event.content)], event.content)
    if isinstance(event.content, events.UsageReport):
        message.usage.input_tokens = event.content.input_tokens
        message.usage.output_tokens = event.content.output_tokens
        message.usage.cost_usd = event.content.cost_usd
        fill(event.content.rewriting, message.usage.rewriting)
        fill(event.content.answering, message.usage.answering)


def event_value(message: event_pb2.Event) -> events.Event:
    """Convert a message back to its event."""
    kind = message.WhichOneof("event")
    if kind is None:
        raise ValueError("the event is empty")
    content: events.TurnEvent = from_message(getattr(message, kind), EVENT_TYPES[kind])
    return events.Event(message.turn_id, message.seq, content)


def supplied_question_message(question: SuppliedQuestion) -> gateway_pb2.SupplyQuestionResponse:
    """Return the response of phase 1."""
    return to_message(question, gateway_pb2.SupplyQuestionResponse)


def turn_state(state: TurnState) -> gateway_pb2.TurnState.ValueType:
    """Return the contract's name of a turn's state."""
    return gateway_pb2.TurnState.Value(f"TURN_STATE_{state.value}")


def references_message(turn: session_pb2.Turn | None) -> gateway_pb2.GetReferencesResponse:
    """Return the passages behind the citation numbers of a turn's answer."""
    response = gateway_pb2.GetReferencesResponse()
    if turn is not None:
        response.question, response.turn_id = turn.question, turn.question_id
    for reference in sorted(turn.references if turn else (), key=lambda reference: reference.number):
        passage = reference.evidence.passage
        response.passages.add(number=reference.number, passage_id=passage.passage_id, collection=passage.collection)
    return response


class GatewayTurnCodec:
    """The TurnCodec over the contract's own messages."""

    def asked_to_bytes(self, asked: AskedTurn) -> bytes:
        """See TurnCodec."""
        pending, caller = asked.pending, session_pb2.SessionContext(principals=asked.request.principals)
        parts: list[Message] = [_request_message(asked.request), caller]
        if pending is not None:
            caller.version = pending.version
            parts += [supplied_question_message(pending.supplied), to_message(pending.turn, session_pb2.Turn)]
        return join([part.SerializeToString() for part in parts])

    def asked_from_bytes(self, turn_id: str, content: bytes) -> AskedTurn:
        """See TurnCodec."""
        request_bytes, caller_bytes, *phase_one = split(content)
        caller = session_pb2.SessionContext.FromString(caller_bytes)
        message = gateway_pb2.SupplyQuestionRequest.FromString(request_bytes)
        request = turn_request(message, tuple(caller.principals))
        if not phase_one:
            return AskedTurn(turn_id, request)
        supplied_bytes, turn_bytes = phase_one
        supplied = from_message(gateway_pb2.SupplyQuestionResponse.FromString(supplied_bytes), SuppliedQuestion)
        turn = from_message(session_pb2.Turn.FromString(turn_bytes), Turn)
        return AskedTurn(turn_id, request, PendingQuestion(request, supplied, turn, caller.version))

    def event_to_bytes(self, event: events.Event) -> bytes:
        """Encode an event."""
        return event_message(event).SerializeToString()

    def event_from_bytes(self, content: bytes) -> events.Event:
        """Decode an event."""
        return replace(event_value(event_pb2.Event.FromString(content)), encoded=content)

    def error_to_bytes(self, error: ParleyError) -> bytes:
        """Encode an error as the status that a client gets."""
        return bytes(status_of(error).SerializeToString())

    def error_from_bytes(self, content: bytes) -> ParleyError:
        """Decode an error."""
        return error_from_status(content)


def _request_message(request: TurnRequest) -> gateway_pb2.SupplyQuestionRequest:
    message = gateway_pb2.SupplyQuestionRequest(
        question=request.question,
        session_id=request.session_id,
        context=request.context,
        request_id=request.request_id,
    )
    for item in request.history:
        fill(item, message.history.add())
    fill(request.options, message.options)
    return message
