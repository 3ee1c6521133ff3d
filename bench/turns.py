"""A turn asked of a gateway, blocking until it ends (grpc.RpcError: it failed), and what its events cite."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import grpc

from parley.context.v1 import evidence_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc

Stub = gateway_pb2_grpc.GatewayServiceStub
SECONDS = 60.0
"""Timeout of a turn (taste)."""


@contextmanager
def gateway_at(address: str) -> Iterator[Stub]:
    """A gateway's stub, on a channel of its own."""
    with grpc.insecure_channel(address) as channel:
        yield Stub(channel)


def ask(stub: Stub, question: str, session: str = "", **options: Any) -> list[event_pb2.Event]:
    """All events of a turn with these RequestOptions."""
    request = gateway_pb2.AskRequest(
        question=question, session_id=session, options=gateway_pb2.RequestOptions(**options)
    )
    return [response.event for response in stub.Ask(request, timeout=SECONDS)]


def outcome_of(completed: event_pb2.CompletedEvent) -> str:
    """`ANSWERED` of a turn that was answered."""
    return session_pb2.Outcome.Name(completed.outcome).removeprefix("OUTCOME_")


def passages_by_id(events: Sequence[event_pb2.Event]) -> dict[str, evidence_pb2.Passage]:
    """The passages that an answer may cite."""
    return {
        reference.evidence.passage.passage_id: reference.evidence.passage
        for event in events
        for reference in event.references.references
    }


def document_name(passage: evidence_pb2.Passage) -> str:
    """`phoenix` of `corpus/phoenix.md`."""
    return passage.document_id.rpartition("/")[2].removesuffix(".md")
