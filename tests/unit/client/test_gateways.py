"""Several gateways of one suite, and turns that outlast a restart."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import grpc
import pytest

from parley.client.asking import ask
from parley.client.gateways import open_channel, target_of
from parley.context.v1 import answer_pb2, query_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.fakes import scripted_server

CONDENSED = event_pb2.Event(condensed=query_pb2.DecisionRecord())
TEXT = event_pb2.Event(text=answer_pb2.TextDelta(delta="It landed."))
COMPLETED = event_pb2.Event(completed=event_pb2.CompletedEvent())
RESTARTING = (("grpc-retry-pushback-ms", "10"),)


@dataclass
class Restarting(gateway_pb2_grpc.GatewayServiceServicer):
    """Fails the first turns after some events, then answers."""

    failures: list[list[event_pb2.Event]]
    """The events before each failure."""
    status: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE
    trailers: tuple[tuple[str, str], ...] = RESTARTING
    request_ids: list[str] = field(default_factory=list)

    def Ask(self, request: gateway_pb2.AskRequest, context: Any) -> Iterator[gateway_pb2.AskResponse]:
        self.request_ids.append(request.request_id)
        is_failing = bool(self.failures)
        for event in self.failures.pop(0) if is_failing else (CONDENSED, TEXT, COMPLETED):
            yield gateway_pb2.AskResponse(event=event)
        if is_failing:
            context.set_trailing_metadata(self.trailers)
            context.abort(self.status, "The intent stage cannot be reached.")


def restarting(*arguments: Any, **more: Any) -> Restarting:
    return Restarting(*arguments, **more)  # type: ignore[abstract]  # the rest is UNIMPLEMENTED


@contextmanager
def serving(servicer: Restarting) -> Iterator[str]:
    with scripted_server.serving(partial(gateway_pb2_grpc.add_GatewayServiceServicer_to_server, servicer)) as port:
        yield f"127.0.0.1:{port}"


def kinds_of(addresses: str, patience: float = 5.0) -> list[str | None]:
    request = gateway_pb2.AskRequest(question="When?")
    with open_channel(addresses) as channel:
        responses = ask(gateway_pb2_grpc.GatewayServiceStub(channel), request, patience=patience)
        return [response.event.WhichOneof("event") for response in responses]


@pytest.mark.parametrize(
    ("addresses", "target"),
    [
        ("127.0.0.1:50051", "127.0.0.1:50051"),
        ("gateway.example", "gateway.example:50051"),
        ("[::1]:7000", "[::1]:7000"),
        ("127.0.0.1:50051, 127.0.0.1:50057", "ipv4:127.0.0.1:50051,127.0.0.1:50057"),
        ("[::1]:50051,[::1]", "ipv6:[::1]:50051,[::1]:50051"),
    ],
)
def test_several_addresses_are_one_target(addresses: str, target: str) -> None:
    assert target_of(addresses) == target


@pytest.mark.parametrize("addresses", ["127.0.0.1,[::1]", "127.0.0.1,nobody.invalid"])
def test_addresses_that_cannot_be_one_target_are_refused(addresses: str) -> None:
    with pytest.raises(ValueError, match="address"):
        target_of(addresses)


@pytest.mark.parametrize(
    ("failures", "status", "trailers"),
    [
        ([[], [CONDENSED]], grpc.StatusCode.UNAVAILABLE, RESTARTING),
        ([[], []], grpc.StatusCode.RESOURCE_EXHAUSTED, RESTARTING),
        ([[]], grpc.StatusCode.CANCELLED, ()),
    ],
    ids=["a stage restarts", "a busy suite names a time", "a stopping gateway dropped it"],
)
def test_a_turn_is_asked_again_by_the_same_id(
    failures: list[list[event_pb2.Event]], status: grpc.StatusCode, trailers: tuple[tuple[str, str], ...]
) -> None:
    attempts, kinds = len(failures) + 1, [each.WhichOneof("event") for events in failures for each in events]
    gateway = restarting(failures, status, trailers)
    with serving(gateway) as address:
        assert kinds_of(address) == [*kinds, "condensed", "text", "completed"]
    assert len(gateway.request_ids) == attempts
    assert len(set(gateway.request_ids)) == 1
    assert gateway.request_ids[0]


@pytest.mark.parametrize(
    ("failure", "status", "trailers"),
    [
        ([], grpc.StatusCode.RESOURCE_EXHAUSTED, ()),
        ([], grpc.StatusCode.RESOURCE_EXHAUSTED, (("grpc-retry-pushback-ms", "-1"),)),
        ([CONDENSED, TEXT], grpc.StatusCode.UNAVAILABLE, RESTARTING),
        ([], grpc.StatusCode.INVALID_ARGUMENT, RESTARTING),
        ([], grpc.StatusCode.INTERNAL, ()),
    ],
    ids=["busy", "busy and not again", "its answer has begun", "bad input", "internal"],
)
def test_another_failure_reaches_the_caller(
    failure: list[event_pb2.Event], status: grpc.StatusCode, trailers: tuple[tuple[str, str], ...]
) -> None:
    gateway = restarting([failure], status, trailers)
    with serving(gateway) as address, pytest.raises(grpc.RpcError) as error:
        kinds_of(address)
    assert error.value.code() is status
    assert len(gateway.request_ids) == 1


def test_patience_ends() -> None:
    gateway = restarting([[CONDENSED] for _ in range(1000)])
    with serving(gateway) as address, pytest.raises(grpc.RpcError):
        kinds_of(address, patience=0.2)
    assert 1 < len(gateway.request_ids) < 1000


def test_a_gateway_that_is_away_is_not_missed_where_another_one_serves() -> None:
    gateway = restarting([])
    with serving(gateway) as address:
        assert kinds_of(f"127.0.0.1:1,{address}")[-1] == "completed"


def test_a_suite_that_nobody_has_started_fails_soon() -> None:
    with pytest.raises(grpc.RpcError) as failure:
        kinds_of("127.0.0.1:1", patience=600.0)
    assert isinstance(failure.value, grpc.Call)
    assert failure.value.code() is grpc.StatusCode.UNAVAILABLE
