"""Ids that join the logs and spans of all processes."""

from typing import Any

import pytest
import structlog

from libs.runtime.calling.channel import open_channel, unary
from libs.runtime.telemetry.telemetry import ambient
from tests.fakes.running_server import running
from tests.service.runtime.conftest import Echo, Served

TRACE = "0af7651916cd43dd8448eb211c80319c"
TRACEPARENT = f"00-{TRACE}-b7ad6b7169203331-01"


def noting(echo: Echo, notes: list[dict[str, Any]]) -> Any:
    """A handler that notes what it knows of its call."""

    async def say(request: Any, context: Any) -> Any:
        notes.append(
            {
                "metadata": dict(context.invocation_metadata()),
                "ambient": ambient(),
                "log": structlog.contextvars.get_contextvars(),
            }
        )
        return echo.pb2.SayResponse()

    return say


async def test_trace_and_request_id_pass_through_two_hops(servicer: Any, echo: Echo) -> None:
    notes: list[dict[str, Any]] = []
    async with (
        running(servicer(Say=noting(echo, notes))) as inner,
        open_channel(inner.target) as next_channel,
    ):

        async def say(request: Any, context: Any) -> Any:
            return await unary(echo.grpc.EchoServiceStub(next_channel).Say, request)

        async with running(servicer(Say=say)) as outer, open_channel(outer.target) as channel:
            metadata = [("traceparent", TRACEPARENT), ("x-request-id", "turn-7")]
            await unary(echo.grpc.EchoServiceStub(channel).Say, echo.pb2.SayRequest(), metadata=metadata)
    _, trace_id, span_id, flags = notes[0]["metadata"]["traceparent"].split("-")
    assert (trace_id, flags) == (TRACE, "01")
    assert span_id != "b7ad6b7169203331"
    assert notes[0]["metadata"]["x-request-id"] == "turn-7"
    assert notes[0]["log"]["request_id"] == "turn-7"
    assert notes[0]["log"]["trace_id"] == TRACE
    assert notes[0]["log"]["method"] == "trial.v1.EchoService/Say"


@pytest.mark.parametrize("request_id", ["", "two words", "x" * 200])
async def test_a_request_id_unfit_for_logs_is_replaced(request_id: str, served: Served, echo: Echo) -> None:
    notes: list[dict[str, Any]] = []
    async with served(Say=noting(echo, notes)) as stub:
        await unary(stub.Say, echo.pb2.SayRequest(), metadata=[("x-request-id", request_id)])
    assert notes[0]["ambient"].request_id not in {request_id, ""}


async def test_keys_of_metadata_may_repeat(served: Served, echo: Echo) -> None:
    metadata_pairs: list[tuple[str, str]] = []

    async def say(request: Any, context: Any) -> Any:
        metadata_pairs.extend((k, v) for k, v in context.invocation_metadata() if k.startswith("x-own"))
        return echo.pb2.SayResponse()

    async with served(Say=say) as stub:
        metadata = [("x-own", "a"), ("x-own", "b c")]
        await unary(stub.Say, echo.pb2.SayRequest(), metadata=metadata)
    assert metadata_pairs == [("x-own", "a"), ("x-own", "b c")]


async def test_calls_at_the_same_time_keep_their_log_context_apart(served: Served, echo: Echo) -> None:
    notes: list[dict[str, Any]] = []
    async with served(Say=noting(echo, notes)) as stub:
        for name in ("a", "b"):
            await unary(stub.Say, echo.pb2.SayRequest(), metadata=[("x-request-id", name)])
    assert [n["log"]["request_id"] for n in notes] == ["a", "b"]
    assert "request_id" not in structlog.contextvars.get_contextvars()
