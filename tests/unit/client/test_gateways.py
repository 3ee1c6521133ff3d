"""Several gateways of one suite, and turns that outlast a restart."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest

from parley.client.asking import ask
from parley.client.gateways import open_channel, target_of
from parley.context.v1 import answer_pb2, query_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc

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
    server = grpc.server(ThreadPoolExecutor(2))
    gateway_pb2_grpc.add_GatewayServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None)


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


def test_a_turn_is_asked_again_by_the_same_id_while_a_stage_restarts() -> None:
    gateway = restarting([[], [CONDENSED]])
    with serving(gateway) as address:
        assert kinds_of(address) == ["condensed", "condensed", "text", "completed"]
    assert len(gateway.request_ids) == 3


def test_a_turn_is_asked_again_when_a_busy_suite_names_a_time() -> None:
    gateway = restarting([[], []], status=grpc.StatusCode.RESOURCE_EXHAUSTED)
    with serving(gateway) as address:
        assert kinds_of(address) == ["condensed", "text", "completed"]
    assert len(gateway.request_ids) == 3


@pytest.mark.parametrize("trailers", [(), (("grpc-retry-pushback-ms", "-1"),)])
def test_a_turn_is_not_asked_again_when_a_busy_suite_names_none(trailers: tuple[tuple[str, str], ...]) -> None:
    gateway = restarting([[]], status=grpc.StatusCode.RESOURCE_EXHAUSTED, trailers=trailers)
    with serving(gateway) as address, pytest.raises(grpc.RpcError) as failure:
        kinds_of(address)
    assert failure.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert len(gateway.request_ids) == 1
    assert len(set(gateway.request_ids)) == 1
    assert gateway.request_ids[0]


def test_a_turn_that_a_stopping_gateway_dropped_is_asked_again() -> None:
    gateway = restarting([[]], grpc.StatusCode.CANCELLED, trailers=())
    with serving(gateway) as address:
        assert kinds_of(address)[-1] == "completed"


def test_a_turn_that_has_begun_to_answer_is_not_asked_again() -> None:
    gateway = restarting([[CONDENSED, TEXT]])
    with serving(gateway) as address, pytest.raises(grpc.RpcError):
        kinds_of(address)
    assert len(gateway.request_ids) == 1


@pytest.mark.parametrize(
    ("status", "trailers"),
    [(grpc.StatusCode.INVALID_ARGUMENT, RESTARTING), (grpc.StatusCode.INTERNAL, ())],
)
def test_another_failure_reaches_the_caller(status: grpc.StatusCode, trailers: tuple[tuple[str, str], ...]) -> None:
    gateway = restarting([[]], status, trailers)
    with serving(gateway) as address, pytest.raises(grpc.RpcError):
        kinds_of(address)
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
