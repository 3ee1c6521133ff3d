"""Servers that are not there, or not yet: what is tried again, what waits, what fails at once."""

from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from libs.runtime.calling.channel import ChannelSettings, open_channel, unary
from libs.runtime.errors import Unavailable
from libs.runtime.serving.server import running
from libs.runtime.settings import ServerSettings


async def test_an_idempotent_call_is_retried_until_someone_answers(
    servicer: Any, settings: ServerSettings, echo: SimpleNamespace
) -> None:
    attempts = []

    async def say(request: Any, context: Any) -> Any:
        attempts.append(request.text)
        if len(attempts) < 3:
            raise Unavailable("ENGINE_UNAVAILABLE", "starting", retry_after=0.01)
        return echo.pb2.SayResponse(text="there")

    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(running(settings, servicer(Say=say)))
        channel = await stack.enter_async_context(open_channel(server.target, idempotent=["trial.v1.EchoService/Say"]))
        answer = await unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest(text="hello"))
    assert answer.text == "there"
    assert attempts == ["hello"] * 3


@pytest.mark.parametrize(
    ("retries", "idempotent"),
    [(True, []), (False, ["trial.v1.EchoService"])],
    ids=["not said to be idempotent", "retries off"],
)
async def test_any_other_call_is_sent_once(
    retries: bool, idempotent: list[str], servicer: Any, settings: ServerSettings, echo: SimpleNamespace
) -> None:
    attempts = []

    async def say(request: Any, context: Any) -> Any:
        attempts.append(request.text)
        raise Unavailable("ENGINE_UNAVAILABLE", "starting")

    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(running(settings, servicer(Say=say)))
        client_channel = open_channel(server.target, ChannelSettings(retries=retries), idempotent)
        channel = await stack.enter_async_context(client_channel)
        with pytest.raises(Unavailable):
            await unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest(text="hello"))
    assert attempts == ["hello"]


async def test_nobody_there_is_unavailable_and_tells_no_address(echo: SimpleNamespace, unused_tcp_port: int) -> None:
    async with open_channel(f"127.0.0.1:{unused_tcp_port}") as channel:
        with pytest.raises(Unavailable) as error:
            await unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest(), timeout=5)
    assert error.value.reason == "STAGE_UNAVAILABLE"
    assert str(unused_tcp_port) not in str(error.value)
