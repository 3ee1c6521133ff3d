"""The pace of calls: who starts far more than others may is refused."""

import asyncio
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from libs.runtime.errors import Overloaded
from libs.runtime.limits import pace as module
from libs.runtime.limits.pace import BURST_SECONDS, Pace
from tests.fakes.clock import Clock

PROXY = "another host"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(0.0)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock))
    return clock


async def taken(pace: Pace, source: str, calls: int) -> int:
    """How many of a source's calls go on."""
    count = 0
    for _ in range(calls):
        with suppress(Overloaded):
            await pace.take(source, PROXY)
            count += 1
    return count


async def test_calls_of_two_seconds_may_come_at_once_and_then_a_second_s_calls_each_second(clock: Clock) -> None:
    pace = Pace(8)
    assert await taken(pace, "ann", 100) == 16
    clock.now += 1
    assert await taken(pace, "ann", 100) == 8


@pytest.mark.usefixtures("clock")
async def test_another_source_does_not_notice() -> None:
    pace = Pace(8)
    await taken(pace, "ann", 1000)
    assert await taken(pace, "bob", 16) == 16


async def test_a_refusal_says_when_to_come_again(clock: Clock) -> None:
    pace = Pace(8)
    await taken(pace, "ann", 16)
    with pytest.raises(Overloaded) as refusal:
        await pace.take("ann", PROXY)
    assert refusal.value.retry_after == 0.125
    clock.now += 0.125
    await pace.take("ann", PROXY)


async def test_a_refused_call_is_held_though_its_client_cancels_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HOLD_SECONDS", 0.1)
    pace = Pace(8)
    await taken(pace, "ann", 20)
    start = time.monotonic()
    call = asyncio.ensure_future(pace.take("ann", "ann"))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert time.monotonic() - start >= 0.1


@given(pauses=st.lists(st.floats(0, 3), max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_source_ever_starts_more_than_a_burst_and_its_rate(clock: Clock, pauses: list[float]) -> None:
    pace, start, count = Pace(4), clock.now, 0
    for pause in pauses:
        clock.now += pause
        count += await taken(pace, "ann", 10)
        assert count <= 4 * (BURST_SECONDS + clock.now - start) + 1e-6
