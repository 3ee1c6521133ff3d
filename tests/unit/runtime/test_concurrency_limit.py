"""The number of calls at once follows from how long they take."""

import pytest

from libs.runtime.limits.concurrency_limit import WINDOW_CALLS, ConcurrencyLimit

CORES = 2
WINDOWS = 60


def run(
    limit: ConcurrencyLimit, seconds_at: dict[int, float] | None, windows: int = WINDOWS, share: float = 1.0
) -> int:
    """Calls that fill a share of the limit; they take a second, or as long as computing on some cores does."""
    for _ in range(windows * WINDOW_CALLS):
        at_once = max(1, int(limit.limit * share))
        limit.observe(1.0 if seconds_at is None else seconds_at[at_once], at_once)
    return limit.limit


COMPUTING = {at_once: 0.02 * max(1.0, at_once / CORES) for at_once in range(1, 300)}


def test_calls_that_compute_settle_at_a_few_more_than_cores() -> None:
    limit = ConcurrencyLimit(4, 256, start=32)
    run(limit, COMPUTING, 5, share=0.1)
    assert CORES < run(limit, COMPUTING) <= 8 * CORES


def test_the_limit_stays_in_a_lasting_overload() -> None:
    limit = ConcurrencyLimit(4, 256, start=32)
    run(limit, COMPUTING, 5, share=0.1)
    before = run(limit, COMPUTING)
    assert run(limit, COMPUTING, 500) == before


def test_it_settles_too_when_the_first_calls_come_in_an_overload() -> None:
    assert run(ConcurrencyLimit(4, 256, start=32), COMPUTING) <= 64


def test_calls_that_wait_for_others_run_as_many_at_once_as_allowed() -> None:
    assert run(ConcurrencyLimit(4, 256, start=32), None) == 256


def test_a_limit_that_is_not_reached_does_not_grow() -> None:
    assert run(ConcurrencyLimit(4, 256, start=32), None, share=0.5) == 32


def test_calls_that_became_slower_for_other_reasons_get_their_limit_back() -> None:
    limit = ConcurrencyLimit(4, 256, start=32)
    run(limit, None)
    slower = dict.fromkeys(range(1, 300), 5.0)
    assert run(limit, slower, 5) < 64
    assert run(limit, slower, 200) == 256


@pytest.mark.parametrize("start", [1, 1000])
def test_the_bounds_hold(start: int) -> None:
    limit = ConcurrencyLimit(4, 16, start=start)
    assert 4 <= limit.limit <= 16
    assert 4 <= run(limit, COMPUTING, 3) <= 16
