"""How calls begin, end, are refused, cut off and cancelled, over one hop and over two."""

import asyncio
from contextlib import aclosing
from typing import Any

import grpc
import pytest

from libs.runtime import deadline
from libs.runtime.calling.channel import stream, unary
from libs.runtime.errors import DeadlineExceeded, Overloaded
from libs.runtime.limits.admission import Admission
from libs.runtime.limits.callers import CallerLimits, QuotaSettings
from libs.runtime.limits.concurrency_limit import WINDOW_CALLS, ConcurrencyLimit
from libs.runtime.serving.service import Service
from tests.fakes.running_server import QUIET
from tests.service.runtime.conftest import Echo, Served


class Outcome:
    """How a handler's work ended, as the handler itself saw it."""

    def __init__(self) -> None:
        self.known = asyncio.Event()
        self.how = ""

    def tell(self, how: str) -> None:
        self.how = how
        self.known.set()

    async def wait(self) -> str:
        async with asyncio.timeout(5):
            await self.known.wait()
        return self.how


class Held:
    """A handler that answers when it may."""

    def __init__(self, echo: Echo) -> None:
        self.start, self.go_on = asyncio.Event(), asyncio.Event()
        self._echo = echo

    async def say(self, request: Any, context: Any) -> Any:
        self.start.set()
        await self.go_on.wait()
        return self._echo.pb2.SayResponse(text="done")


def counting(echo: Echo, outcome: Outcome, upto: int | None = None) -> Any:
    """A streaming handler that counts, forever unless `upto` is given, and tells how it ended."""

    async def count(request: Any, context: Any) -> Any:
        number = 0
        try:
            while upto is None or number < upto:
                number += 1
                yield echo.pb2.SayResponse(text=str(number))
                await asyncio.sleep(0)
            outcome.tell("done")
        except (asyncio.CancelledError, GeneratorExit):  # while it works, or while its message is being written
            outcome.tell("cut off")
            raise

    return count


async def test_a_handler_blocked_in_a_write_is_cancelled_in_its_own_context(served: Served, echo: Echo) -> None:
    outcome = Outcome()
    large = echo.pb2.SayResponse(text="x" * 1_000_000)

    async def count(request: Any, context: Any) -> Any:
        before = deadline.remaining()
        try:
            while True:
                yield large
        finally:
            outcome.tell(f"same context: {before is not None and deadline.remaining() is not None}")

    async with served(Count=count) as stub:
        async with aclosing(stream(stub.Count, echo.pb2.SayRequest(), timeout=9)) as answers:
            await anext(answers)
            await asyncio.sleep(0.1)  # let the server run into flow control
        assert await outcome.wait() == "same context: True"


async def test_cancelling_the_caller_reaches_the_last_process_behind_two_hops(served: Served, echo: Echo) -> None:
    outcome = Outcome()
    async with served(Count=counting(echo, outcome)) as inner_stub:

        async def count(request: Any, context: Any) -> Any:
            async with aclosing(stream(inner_stub.Count, request)) as answers:
                async for answer in answers:
                    yield answer

        async with served(Count=count) as stub:

            async def read() -> None:
                async for _ in stream(stub.Count, echo.pb2.SayRequest()):
                    reading.set()

            reading = asyncio.Event()
            reader = asyncio.create_task(read())
            await reading.wait()
            reader.cancel()
            assert await outcome.wait() == "cut off"
            with pytest.raises(asyncio.CancelledError):
                await reader


@pytest.mark.parametrize("method", ["Say", "Count"])
async def test_what_waits_for_a_cancelled_call_ends_by_itself(served: Served, echo: Echo, method: str) -> None:
    """gRPC's client frees an operation when the task that began it sees its end."""
    held = Held(echo)

    async def count(request: Any, context: Any) -> Any:
        yield await held.say(request, context)

    async with served(Say=held.say, Count=count) as stub:

        async def call() -> None:
            if method == "Say":
                await unary(stub.Say, echo.pb2.SayRequest())
            async for _ in stream(stub.Count, echo.pb2.SayRequest()):
                pass

        caller = asyncio.create_task(call())
        await held.start.wait()
        beginnings = ("_invoke", "_send_unary_request")
        sending = [task for task in asyncio.all_tasks() if getattr(task.get_coro(), "__name__", "") in beginnings]
        caller.cancel()
        done, _ = await asyncio.wait({caller, *sending}, timeout=5)
        assert (caller.cancelled(), len(sending)) == (True, 1)
        assert [task in done and not task.cancelled() for task in sending] == [True]


async def test_a_deadline_passes_on_and_wins_over_a_longer_timeout(served: Served, echo: Echo) -> None:
    remaining: dict[str, float | None] = {}

    async def inner_say(request: Any, context: Any) -> Any:
        remaining["inner"] = deadline.remaining()
        return echo.pb2.SayResponse()

    async with served(Say=inner_say) as inner_stub:

        async def say(request: Any, context: Any) -> Any:
            remaining["outer"] = deadline.remaining()
            return await unary(inner_stub.Say, request, timeout=50)

        async with served(Say=say) as stub:
            await unary(stub.Say, echo.pb2.SayRequest(), timeout=20)
    assert remaining["outer"] is not None
    assert remaining["inner"] is not None
    # gRPC rounds up on the wire, by about a hundredth, and counts by a clock that may be adjusted meanwhile.
    assert 10 < remaining["outer"] < 21
    assert 10 < remaining["inner"] < 21


async def test_a_call_without_a_deadline_gets_the_default_and_is_cut_at_it(
    served: Served, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = Outcome()

    async def say(request: Any, context: Any) -> Any:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            outcome.tell("cancelled")
            raise

    monkeypatch.setattr("libs.runtime.serving.method.DEFAULT_DEADLINE_SECONDS", 0.1)
    async with served(Say=say) as stub:
        with pytest.raises(DeadlineExceeded) as error:
            await unary(stub.Say, echo.pb2.SayRequest())
    assert error.value.reason == "DEADLINE_EXCEEDED"
    assert outcome.how == "cancelled"


async def test_a_long_running_method_has_no_deadline_but_its_callers(
    served: Served, servicer: Any, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    remaining: list[float | None] = []

    async def say(request: Any, context: Any) -> Any:
        remaining.append(deadline.remaining())
        return echo.pb2.SayResponse()

    monkeypatch.setattr("libs.runtime.serving.method.MAX_DEADLINE_SECONDS", 1.0)
    service = Service.of(servicer(Say=say), long_running=("Say",))
    async with served(service) as stub:
        await unary(stub.Say, echo.pb2.SayRequest())
        await unary(stub.Say, echo.pb2.SayRequest(), timeout=30)
    assert remaining[0] is None
    assert remaining[1] is not None
    assert remaining[1] > 1


async def test_one_call_too_many_is_turned_away_with_a_pushback(served: Served, echo: Echo) -> None:
    held = Held(echo)
    narrow = QUIET.model_copy(update={"max_concurrency": 1})
    async with served(options=narrow, Say=held.say) as stub:
        first = asyncio.create_task(unary(stub.Say, echo.pb2.SayRequest()))
        await held.start.wait()
        with pytest.raises(Overloaded) as error:
            await unary(stub.Say, echo.pb2.SayRequest())
        assert error.value.retry_after == 0.5
        with pytest.raises(grpc.aio.AioRpcError) as raw:
            await stub.Say(echo.pb2.SayRequest())
        assert raw.value.trailing_metadata()["grpc-retry-pushback-ms"] == "500"
        held.go_on.set()
        assert (await first).text == "done"
        assert (await unary(stub.Say, echo.pb2.SayRequest())).text == "done"


async def test_a_costly_call_that_finds_no_place_is_turned_away_and_cheap_ones_go_on(
    served: Served, servicer: Any, echo: Echo
) -> None:
    held = Held(echo)
    limit = ConcurrencyLimit(1, 1, 1)
    for _ in range(WINDOW_CALLS):
        limit.observe(2.0, 1)
    admission = Admission(limit, queue_seconds=1.0)
    limits = CallerLimits(QuotaSettings(), admission, lambda context: "everybody", costly=frozenset(["Say"]))
    costly = Service.of(servicer(Say=held.say, Count=counting(echo, Outcome(), upto=3)), limits=limits)
    async with served(costly) as stub:
        first = asyncio.create_task(unary(stub.Say, echo.pb2.SayRequest()))
        await held.start.wait()
        with pytest.raises(Overloaded) as error:
            await unary(stub.Say, echo.pb2.SayRequest())
        assert error.value.retry_after == 2.0
        assert len([answer async for answer in stream(stub.Count, echo.pb2.SayRequest())]) == 3
        held.go_on.set()
        assert (await first).text == "done"
        assert (await unary(stub.Say, echo.pb2.SayRequest())).text == "done"
