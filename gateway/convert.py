"""Converts between the contract's messages and the gateway's values; looks up a time zone on the disk, else pure.

Phase 1 of a turn understands its question, phase 2 answers it. Damaged stored bytes raise DecodeError or ValueError.
"""

from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from google.protobuf.proto import parse_length_prefixed, serialize_length_prefixed

from gateway.events import events
from gateway.request import AskedTurn, PendingQuestion, SuppliedQuestion, TurnRequest
from libs.contracts.answers import Citation, PlacedImage, TextDelta
from libs.contracts.query import DecisionRecord
from libs.contracts.session import Turn
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded
from libs.contracts.wire.codec import fill, fill_field, from_message, to_message
from libs.runtime.errors import InvalidInput
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
        InvalidInput: the time zone is unknown, the time is not in its calendar, or a field that is needed is missing.
    """
    request = from_request(message, TurnRequest)
    try:
        now, time_zone = request.options.now or datetime.now(UTC), request.options.time_zone or "UTC"
        now.astimezone(ZoneInfo(time_zone))
    except OverflowError as error:
        raise InvalidInput("options.now", "The time is not between the years 1 and 9999 in its zone.") from error
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        told = "The time zone is unknown: give an IANA name, such as Europe/Berlin."
        raise InvalidInput("options.time_zone", told) from error
    return replace(request, principals=principals)


def encoded_event(event: events.Event) -> events.Event:
    """Return an event with its message's bytes."""
    message = event_pb2.Event(turn_id=event.turn_id, seq=event.seq)
    fill_field(message, KINDS[type(event.content)], event.content)
    return replace(event, encoded=message.SerializeToString())


def decoded_event(content: bytes) -> events.Event:
    """Return the event of its message's bytes; ValueError if there is none in it."""
    message = event_pb2.Event.FromString(content)
    kind = message.WhichOneof("event")
    if kind is None:
        raise ValueError("the event is empty")
    event_content: events.TurnEvent = from_message(getattr(message, kind), EVENT_TYPES[kind])
    return events.Event(message.turn_id, message.seq, event_content, content)


def asked_to_bytes(asked: AskedTurn) -> bytes:
    """Encode what a turn is run from, with the result of phase 1 if there is one."""
    pending, stream = asked.pending, BytesIO()
    context = session_pb2.SessionContext(principals=asked.request.principals)
    serialize_length_prefixed(to_message(asked.request, gateway_pb2.SupplyQuestionRequest), stream)
    if pending is not None:
        context.version = pending.version
        fill(pending.turn, context.turns.add())
    serialize_length_prefixed(context, stream)
    if pending is not None:
        serialize_length_prefixed(to_message(pending.supplied, gateway_pb2.SupplyQuestionResponse), stream)
    return stream.getvalue()


def asked_from_bytes(turn_id: str, content: bytes) -> AskedTurn:
    """Decode what a turn is run from."""
    stream = BytesIO(content)
    message = parse_length_prefixed(gateway_pb2.SupplyQuestionRequest, stream)
    context = parse_length_prefixed(session_pb2.SessionContext, stream)
    supplied = parse_length_prefixed(gateway_pb2.SupplyQuestionResponse, stream)
    request = turn_request(message, tuple(context.principals))
    if supplied is None:
        return AskedTurn(turn_id, request)
    turn = from_message(context.turns[0], Turn)
    return AskedTurn(turn_id, request, PendingQuestion(from_message(supplied, SuppliedQuestion), turn, context.version))
