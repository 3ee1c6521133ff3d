"""A turn whose connection breaks is resumed; one that nobody wants is cancelled."""

import asyncio
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import aclosing, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import grpc
import pytest

from parley.client.asking import ask, ask_async
from parley.client.gateways import open_async_channel, open_channel
from parley.context.v1 import answer_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.fakes.scripted_server import serving

Read = Callable[..., list[int]]
LENGTH = 6
DETAILS = (("grpc-status-details-bin", b""),)


def event(seq: int) -> event_pb2.Event:
    """One of a turn's six events; the last one completes it."""
    if seq == LENGTH:
        return event_pb2.Event(turn_id="q-1", seq=seq, completed=event_pb2.CompletedEvent())
    return event_pb2.Event(turn_id="q-1", seq=seq, text=answer_pb2.TextDelta(delta=f"{seq}"))


@dataclass
class Breaking(gateway_pb2_grpc.GatewayServiceServicer):
    """A gateway whose connections break after so many events each; then they hold."""

    breaks: list[int]
    code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE
    trailers: tuple[tuple[str, bytes], ...] = ()
    repeats: int = 0
    """How many events a resumed stream sends that were sent before."""
    asked: list[gateway_pb2.AskRequest] = field(default_factory=list)
    resumed: list[int] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    waits: bool = False
    """Whether the turn stands still after its first event."""

    def Ask(self, request: gateway_pb2.AskRequest, context: Any) -> Iterator[gateway_pb2.AskResponse]:
        self.asked.append(request)
        for each in self._events(1, context):
            yield gateway_pb2.AskResponse(event=each)

    def Resume(self, request: gateway_pb2.ResumeRequest, context: Any) -> Iterator[gateway_pb2.ResumeResponse]:
        assert request.turn_id == "q-1"
        self.resumed.append(request.after_seq)
        for each in self._events(request.after_seq + 1 - self.repeats, context):
            yield gateway_pb2.ResumeResponse(event=each)

    def Cancel(self, request: gateway_pb2.CancelRequest, context: Any) -> gateway_pb2.CancelResponse:
        self.cancelled.append(request.turn_id)
        return gateway_pb2.CancelResponse(state=gateway_pb2.TURN_STATE_CANCELLED)

    def _events(self, first: int, context: Any) -> Iterator[event_pb2.Event]:
        last = first + self.breaks.pop(0) - 1 if self.breaks else LENGTH
        for seq in range(first, last + 1):
            yield event(seq)
            if self.waits:
                time.sleep(2.0)
        if last < LENGTH:
            context.set_trailing_metadata(self.trailers)
            context.abort(self.code, "broken")


def breaking(*arguments: Any, **more: Any) -> Breaking:
    return Breaking(*arguments, **more)  # type: ignore[abstract]  # the rest is UNIMPLEMENTED


@contextmanager
def asking(gateway: Breaking, patience: float = 5.0) -> Iterator[Generator[gateway_pb2.AskResponse, None, None]]:
    with (
        serving(partial(gateway_pb2_grpc.add_GatewayServiceServicer_to_server, gateway)) as port,
        open_channel(f"127.0.0.1:{port}") as channel,
    ):
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        yield ask(stub, gateway_pb2.AskRequest(question="When?"), patience=patience)


def blocking(gateway: Breaking, most: int = LENGTH, patience: float = 5.0) -> list[int]:
    """The events that a reader gets who leaves after so many."""
    with asking(gateway, patience) as responses, closing(responses):
        return [next(responses).event.seq for _ in range(most)]


async def async_numbers(gateway: Breaking, most: int = LENGTH, patience: float = 5.0) -> list[int]:
    with serving(partial(gateway_pb2_grpc.add_GatewayServiceServicer_to_server, gateway)) as port:
        async with open_async_channel(f"127.0.0.1:{port}") as channel:
            stub = gateway_pb2_grpc.GatewayServiceStub(channel)
            responses = ask_async(stub, gateway_pb2.AskRequest(question="When?"), patience=patience)
            async with aclosing(responses):
                return [(await anext(responses)).event.seq for _ in range(most)]


def on_an_event_loop(gateway: Breaking, most: int = LENGTH, patience: float = 5.0) -> list[int]:
    return asyncio.run(async_numbers(gateway, most, patience))


either_way = pytest.mark.parametrize("read", [blocking, on_an_event_loop])


@either_way
@pytest.mark.parametrize("repeats", [0, 1])
@pytest.mark.parametrize("code", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.INTERNAL])
def test_a_broken_turn_is_resumed_after_its_last_event(read: Read, code: grpc.StatusCode, repeats: int) -> None:
    gateway = breaking([2, 1 + repeats, 2 + repeats], code, repeats=repeats)
    assert read(gateway) == [1, 2, 3, 4, 5, 6]
    assert gateway.resumed == [2, 3, 5]
    (request,) = gateway.asked
    assert request.options.resumable
    assert gateway.cancelled == []


@either_way
def test_a_turn_that_failed_is_not_resumed(read: Read) -> None:
    gateway = breaking([2], grpc.StatusCode.INTERNAL, DETAILS)
    with pytest.raises(grpc.RpcError):
        read(gateway)
    assert gateway.resumed == []


@either_way
def test_resuming_ends(read: Read) -> None:
    gateway = breaking([2] + [0] * 1000)
    with pytest.raises(grpc.RpcError):
        read(gateway, patience=0.5)
    assert 1 < len(gateway.resumed) < 10


@either_way
def test_a_turn_whose_reader_leaves_is_cancelled(read: Read) -> None:
    gateway = breaking([])
    assert read(gateway, most=1) == [1]
    assert gateway.cancelled == ["q-1"]


def test_a_turn_that_its_user_interrupts_is_cancelled() -> None:
    gateway = breaking([])
    with asking(gateway) as responses:
        next(responses)
        with pytest.raises(KeyboardInterrupt):
            responses.throw(KeyboardInterrupt)
    assert gateway.cancelled == ["q-1"]


def test_a_turn_whose_task_is_cancelled_is_cancelled() -> None:
    gateway = breaking([], waits=True)

    async def leave() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await async_numbers(gateway)

    asyncio.run(leave())
    assert gateway.cancelled == ["q-1"]
