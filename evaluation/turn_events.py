"""The turns of an evaluation: parts of a request, its events, and how far all of them are."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cli.connection.gateway_connection import CommandError
from parley.context.v1 import conversation_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc

SECONDS: Final = 120.0
"""Timeout of a turn, in seconds (taste)."""


@dataclass(slots=True)
class Progress:
    """Progress of a run; filled while it runs."""

    turns: int = 0
    there: int = 0
    """Turns that the file contained before."""
    asked: int = 0
    problems: list[str] = field(default_factory=list)
    """What failed or was degraded, a line each."""


def recording_options(**options: Any) -> gateway_pb2.RequestOptions:
    """Options with which each question is carried to an answer: decisions are recorded, not acted on."""
    record = gateway_pb2.ACT_RECORD_ONLY
    return gateway_pb2.RequestOptions(ask_back=record, reject=record, abstain=record, **options)


def history_of(messages: Iterable[tuple[bool, str]]) -> list[conversation_pb2.HistoryMessage]:
    """The messages of a history: whether the user wrote it, and its text."""
    speakers = {True: conversation_pb2.SPEAKER_USER, False: conversation_pb2.SPEAKER_AGENT}
    return [conversation_pb2.HistoryMessage(speaker=speakers[by_user], text=text) for by_user, text in messages if text]


def ask(stub: gateway_pb2_grpc.GatewayServiceStub, request: gateway_pb2.AskRequest) -> list[event_pb2.Event]:
    """Return all events of a turn.

    Raises:
        CommandError: the turn ended without its last event.
        grpc.RpcError: the call failed.
    """
    call = stub.Ask(request, timeout=SECONDS)
    try:
        events = [response.event for response in call]
    finally:
        call.cancel()
    if not any(event.HasField("completed") for event in events):
        raise CommandError("A turn ended without its last event: the suite is of another version.")
    return events


def last_events(events: Iterable[event_pb2.Event]) -> Mapping[str, event_pb2.Event]:
    """The last event of each kind; an empty one for a kind that did not occur."""
    return defaultdict(event_pb2.Event, ((event.WhichOneof("event") or "", event) for event in events))
