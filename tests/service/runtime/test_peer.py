"""A process that goes away and comes back, as those see it that call it."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest

from libs.runtime.calling.channel import ChannelSettings, open_channel, unary
from libs.runtime.calling.peer import Peer, open_peer
from libs.runtime.errors import Overloaded, ParleyError, Unavailable
from libs.runtime.settings import ServerSettings
from tests.fakes.running_server import QUIET, running
from tests.service.runtime.conftest import Echo

PATIENT = ChannelSettings(restart_seconds=10)
IMPATIENT = ChannelSettings(restart_seconds=0.2)


@pytest.fixture
def at_port(unused_tcp_port: int) -> ServerSettings:
    """A server that listens where its predecessor did."""
    return QUIET.model_copy(update={"port": unused_tcp_port})


async def say(request: Any, context: Any, echo: Echo) -> Any:
    return echo.pb2.SayResponse(text=request.text)


async def until_answered(call: Callable[[], Awaitable[Any]]) -> str:
    """Call until there is an answer, and return its text."""
    async with asyncio.timeout(10):
        while True:
            with suppress(Unavailable):
                return str((await call()).text)
            await asyncio.sleep(0.05)


async def test_a_restart_is_waited_out_by_unary_and_streaming_calls(
    servicer: Any, at_port: ServerSettings, echo: Echo
) -> None:
    async def count(request: Any, context: Any) -> AsyncIterator[Any]:
        for number in "12":
            yield echo.pb2.SayResponse(text=number)

    service = servicer(Say=lambda request, context: say(request, context, echo), Count=count)
    async with open_peer(f"127.0.0.1:{at_port.port}", "echo", PATIENT) as peer:
        stub = echo.grpc.EchoServiceStub(peer.channel)

        async def counted() -> list[str]:
            return [response.text async for response in peer.stream(stub.Count, echo.pb2.SayRequest())]

        said = asyncio.create_task(peer.unary(stub.Say, echo.pb2.SayRequest(text="hello")))
        numbers = asyncio.create_task(counted())
        await asyncio.sleep(0.3)
        assert not said.done()
        async with running(service, settings=at_port):
            assert (await said).text == "hello"
            assert await numbers == ["1", "2"]


async def test_a_process_that_stays_away_costs_only_the_first_calls_a_wait(at_port: ServerSettings, echo: Echo) -> None:
    async with open_peer(f"127.0.0.1:{at_port.port}", "intent", IMPATIENT) as peer:
        stub = echo.grpc.EchoServiceStub(peer.channel)
        seconds = []
        for _ in range(3):
            start = time.monotonic()
            with pytest.raises(Unavailable, match="The intent stage cannot be reached") as failure:
                await peer.unary(stub.Say, echo.pb2.SayRequest())
            seconds.append(time.monotonic() - start)
    assert failure.value.reason == "STAGE_UNAVAILABLE"
    assert seconds[0] >= 0.2
    assert max(seconds[1:]) < 0.1


async def test_it_is_called_again_once_it_serves(servicer: Any, at_port: ServerSettings, echo: Echo) -> None:
    service = servicer(Say=lambda request, context: say(request, context, echo))
    async with open_peer(f"127.0.0.1:{at_port.port}", "echo", IMPATIENT) as peer:
        stub = echo.grpc.EchoServiceStub(peer.channel)
        with pytest.raises(Unavailable):
            await peer.unary(stub.Say, echo.pb2.SayRequest())
        async with running(service, settings=at_port):
            assert await until_answered(lambda: peer.unary(stub.Say, echo.pb2.SayRequest(text="back"))) == "back"


async def test_a_wait_ends_with_the_calls_own_time(at_port: ServerSettings, echo: Echo) -> None:
    async with open_peer(f"127.0.0.1:{at_port.port}", "echo", PATIENT) as peer:
        start = time.monotonic()
        with pytest.raises(Unavailable):
            await peer.unary(echo.grpc.EchoServiceStub(peer.channel).Say, echo.pb2.SayRequest(), timeout=0.3)
    assert time.monotonic() - start < 2


async def test_a_stream_that_breaks_after_its_first_response_is_not_sent_again(
    servicer: Any, at_port: ServerSettings, echo: Echo
) -> None:
    starts = []

    async def wait(request: Any, context: Any) -> AsyncIterator[Any]:
        starts.append(request)
        yield echo.pb2.SayResponse(text="1")
        await asyncio.sleep(30)

    async with AsyncExitStack() as stack:
        peer = await stack.enter_async_context(open_peer(f"127.0.0.1:{at_port.port}", "echo", PATIENT))
        texts = []
        async with running(servicer(Count=wait), settings=at_port.model_copy(update={"drain_seconds": 0.0})):
            responses = peer.stream(echo.grpc.EchoServiceStub(peer.channel).Count, echo.pb2.SayRequest())
            texts.append((await anext(responses)).text)
        with pytest.raises(ParleyError):
            await anext(responses)
    assert (texts, len(starts)) == (["1"], 1)


@pytest.mark.parametrize(
    ("channel", "error", "attempts"),
    [
        (PATIENT, Unavailable("ENGINE_UNAVAILABLE", "starting"), 3),
        (PATIENT, Unavailable("ENGINE_UNAVAILABLE", "starting", retry_after=0.01), 3),
        (PATIENT, Unavailable("ENGINE_UNAVAILABLE", "down", retry_after=60), 1),
        (ChannelSettings(retries=False), Unavailable("ENGINE_UNAVAILABLE", "starting"), 1),
        (PATIENT, Overloaded(), 1),
    ],
    ids=["unavailable", "soon available", "available after the deadline", "retries off", "another error"],
)
async def test_a_call_is_repeated_while_the_process_is_unavailable(
    channel: ChannelSettings, error: ParleyError, attempts: int, servicer: Any, echo: Echo
) -> None:
    sent = []

    async def fail_twice(request: Any, context: Any) -> Any:
        sent.append(request.text)
        if len(sent) < 3:
            raise error
        return echo.pb2.SayResponse(text="there")

    async def answer(peer: Peer) -> str:
        try:
            return str((await peer.unary(echo.grpc.EchoServiceStub(peer.channel).Say, hello, timeout=5)).text)
        except ParleyError as refusal:
            return refusal.reason

    hello = echo.pb2.SayRequest(text="hi")
    async with running(servicer(Say=fail_twice)) as server, open_peer(server.target, "echo", channel) as peer:
        assert await answer(peer) == ("there" if attempts == 3 else error.reason)
    assert sent == ["hi"] * attempts


async def test_a_process_that_stays_unavailable_is_asked_four_times(servicer: Any, echo: Echo) -> None:
    attempts = []

    async def fail(request: Any, context: Any) -> Any:
        attempts.append(request)
        raise Unavailable("ENGINE_UNAVAILABLE", "The index does not answer.", retry_after=0.01)

    async with running(servicer(Say=fail)) as server, open_peer(server.target, "echo", PATIENT) as peer:
        with pytest.raises(Unavailable, match="ENGINE_UNAVAILABLE"):
            await peer.unary(echo.grpc.EchoServiceStub(peer.channel).Say, echo.pb2.SayRequest())
    assert len(attempts) == 4


async def test_nobody_there_is_unavailable_and_tells_no_address(echo: Echo, unused_tcp_port: int) -> None:
    async with open_channel(f"127.0.0.1:{unused_tcp_port}") as channel:
        with pytest.raises(Unavailable) as error:
            await unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest(), timeout=5)
    assert error.value.reason == "STAGE_UNAVAILABLE"
    assert str(unused_tcp_port) not in str(error.value)
