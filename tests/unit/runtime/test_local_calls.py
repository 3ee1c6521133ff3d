"""A call within the process ends as one over the network: in time, with a typed error, or as its caller ends it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest
from opentelemetry.trace import Span, get_current_span

from libs.runtime.calling.local_calls import local_stream, local_unary
from libs.runtime.errors import DeadlineExceeded, InternalError
from libs.runtime.telemetry.telemetry import Ambient, ambient, entered, read_trace
from tests.fakes.telemetry import Recorded

METHOD = "trial.v1.EchoService/Count"


async def count(upto: int, pause: float = 0.0) -> AsyncGenerator[int, None]:
    for number in range(upto):
        await asyncio.sleep(pause)
        yield number


async def test_a_call_that_takes_too_long_is_cut_off() -> None:
    with pytest.raises(DeadlineExceeded):
        await local_unary(METHOD, lambda: asyncio.sleep(5), 0.05)
    with pytest.raises(DeadlineExceeded):
        [step async for step in local_stream(METHOD, lambda: count(100, 0.02), 0.1)]


async def test_an_unexpected_error_becomes_an_internal_one_without_its_text() -> None:
    async def fails() -> AsyncGenerator[int, None]:
        yield 1
        raise ValueError("/a/path")

    with pytest.raises(InternalError) as error:
        [step async for step in local_stream(METHOD, fails, None)]
    assert "path" not in error.value.message
    assert isinstance(error.value.__cause__, ValueError)


async def test_closing_a_stream_closes_the_work() -> None:
    closing = asyncio.Event()

    async def endless() -> AsyncGenerator[int, None]:
        try:
            while True:
                yield 1
        finally:
            closing.set()

    async with aclosing(local_stream(METHOD, endless, None)) as steps:
        async for _ in steps:
            break
    assert closing.is_set()


async def test_cancelling_the_caller_cancels_the_work() -> None:
    end = asyncio.Event()

    async def slow() -> None:
        try:
            await asyncio.sleep(5)
        finally:
            end.set()

    call = asyncio.create_task(local_unary(METHOD, slow, None))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert end.is_set()


async def test_a_call_is_a_span_of_the_outer_call_and_is_measured_with_its_status() -> None:
    recorded = Recorded()
    trace = read_trace({"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})

    async def traced() -> AsyncGenerator[Span, None]:
        yield get_current_span(ambient().trace)

    with entered(Ambient(recorded.telemetry, trace)):
        (inner,) = [step async for step in local_stream(METHOD, traced, None)]
        with pytest.raises(DeadlineExceeded):
            await local_unary(METHOD, lambda: asyncio.sleep(5), 0.01)
        assert ambient().trace == trace
    spans = recorded.spans(METHOD)
    assert [span.parent for span in spans] == [get_current_span(trace).get_span_context()] * 2
    assert inner.get_span_context() == spans[0].context
    statuses = {point.attributes["rpc.response.status_code"] for point in recorded.points("rpc.server.call.duration")}
    assert statuses == {"OK", "DEADLINE_EXCEEDED"}
