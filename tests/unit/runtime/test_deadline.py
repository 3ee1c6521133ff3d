import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.runtime.deadline import budget, limited, remaining


def test_outside_of_a_call_nothing_limits_the_work() -> None:
    assert remaining() is None
    assert budget() is None
    assert budget(3.0) == 3.0


def test_a_budget_is_the_smaller_of_the_own_limit_and_what_is_left_less_the_margin() -> None:
    with limited(10):
        assert budget(2.0) == 2.0
        assert budget(60, margin=1) == pytest.approx(9, abs=0.5)
        assert budget(margin=1) == pytest.approx(9, abs=0.5)


def test_a_deadline_that_has_passed_leaves_nothing() -> None:
    with limited(0):
        assert remaining() == 0
        assert budget(5) == 0


@given(st.lists(st.floats(0.1, 1000), min_size=1, max_size=5))
def test_an_inner_limit_never_lengthens_an_outer_one(limits: list[float]) -> None:
    def nested(rest: list[float]) -> float:
        with limited(rest[0]):
            left = remaining()
            assert left is not None
            return nested(rest[1:]) if rest[1:] else left

    assert nested(limits) <= min(limits)
    assert remaining() is None


async def test_work_started_within_a_limit_knows_it() -> None:
    with limited(5):
        task = asyncio.create_task(asyncio.sleep(0, result=None))
        inner_task = asyncio.create_task(_remaining())
    await task
    assert await inner_task is not None
    assert remaining() is None


async def _remaining() -> float | None:
    return remaining()
