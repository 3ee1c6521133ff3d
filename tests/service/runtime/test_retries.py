"""Servers that are not there, or fail for a moment: what is tried again, what fails at once."""

from typing import Any

import pytest

from libs.runtime.calling.channel import ChannelSettings, open_channel, unary
from libs.runtime.errors import Unavailable
from libs.runtime.settings import ServerSettings
from tests.fakes.running_server import running
from tests.service.runtime.conftest import Echo


@pytest.mark.parametrize(
    ("retries", "idempotent", "attempts"),
    [(True, ["trial.v1.EchoService/Say"], 3), (True, [], 1), (False, ["trial.v1.EchoService"], 1)],
    ids=["idempotent", "not said to be idempotent", "retries off"],
)
async def test_an_idempotent_call_is_retried_until_someone_answers_and_any_other_is_sent_once(
    retries: bool, idempotent: list[str], attempts: int, servicer: Any, settings: ServerSettings, echo: Echo
) -> None:
    sent = []

    async def say(request: Any, context: Any) -> Any:
        sent.append(request.text)
        if len(sent) < 3:
            raise Unavailable("ENGINE_UNAVAILABLE", "starting", retry_after=0.01)
        return echo.pb2.SayResponse(text="there")

    async def answer(target: str) -> str:
        async with open_channel(target, ChannelSettings(retries=retries), idempotent) as channel:
            try:
                return str((await unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest(text="hi"))).text)
            except Unavailable as error:
                return error.reason

    async with running(settings, servicer(Say=say)) as server:
        assert await answer(server.target) == ("there" if attempts == 3 else "ENGINE_UNAVAILABLE")
    assert sent == ["hi"] * attempts


async def test_nobody_there_is_unavailable_and_tells_no_address(echo: Echo, unused_tcp_port: int) -> None:
    async with open_channel(f"127.0.0.1:{unused_tcp_port}") as channel:
        with pytest.raises(Unavailable) as error:
            await unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest(), timeout=5)
    assert error.value.reason == "STAGE_UNAVAILABLE"
    assert str(unused_tcp_port) not in str(error.value)
