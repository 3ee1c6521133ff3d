"""The pace of calls: who starts far more than others may is refused, and in the end not even answered."""

import asyncio
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.runtime.errors import Overloaded
from libs.runtime.limits.pace import ANSWER_TOKENS, BURST_SECONDS, Pace
from tests.fakes.clock import Clock


def taken(pace: Pace, source: str, calls: int) -> int:
    """How many of a source's calls go on."""
    count = 0
    for _ in range(calls):
        with suppress(Overloaded, asyncio.CancelledError):
            pace.take(source)
            count += 1
    return count


def test_calls_of_two_seconds_may_come_at_once_and_then_a_second_s_calls_each_second() -> None:
    clock = Clock(0.0)
    pace = Pace(8, clock)
    assert taken(pace, "ann", 100) == 16
    clock.now += 1
    assert taken(pace, "ann", 100) == 8


def test_another_source_does_not_notice() -> None:
    pace = Pace(8, Clock(0.0))
    taken(pace, "ann", 1000)
    assert taken(pace, "bob", 16) == 16


def test_a_refusal_says_when_to_come_again() -> None:
    clock = Clock(0.0)
    pace = Pace(8, clock)
    taken(pace, "ann", 16)
    with pytest.raises(Overloaded) as refusal:
        pace.take("ann")
    assert refusal.value.retry_after == 0.125
    clock.now += 0.125
    pace.take("ann")


def test_refusals_that_come_too_fast_are_not_answered() -> None:
    pace = Pace(8, Clock(0.0))
    taken(pace, "ann", 16)
    refused = 0
    with pytest.raises(asyncio.CancelledError):
        for refused in range(100):  # noqa: B007 - the last one counts
            with suppress(Overloaded):
                pace.take("ann")
    assert refused == BURST_SECONDS * 8 / ANSWER_TOKENS


@given(st.lists(st.floats(0, 3), max_size=60))
def test_no_source_ever_starts_more_than_a_burst_and_its_rate(pauses: list[float]) -> None:
    clock = Clock(0.0)
    pace = Pace(5, clock)
    count = 0
    for pause in pauses:
        clock.now += pause
        count += taken(pace, "ann", 8)
        assert count <= 5 * (BURST_SECONDS + clock.now) + 1e-6
