import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from libs.runtime.calling.breaker import STEADY, Breaker
from libs.runtime.errors import Unavailable
from tests.fakes.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Breaker:
    monkeypatch.setattr("libs.runtime.calling.breaker.FIRST_PAUSE", 1.0)
    monkeypatch.setattr("libs.runtime.calling.breaker.MAX_PAUSE", 4.0)
    return Breaker("a server", now=clock)


def test_a_server_that_answers_is_always_asked(breaker: Breaker) -> None:
    for _ in range(3):
        breaker.admit()
        breaker.succeeded()
    assert breaker.outages == 0


def test_after_a_failure_nobody_asks_until_the_pause_is_over_and_then_one(breaker: Breaker, clock: Clock) -> None:
    breaker.admit()
    breaker.failed("no route")
    with pytest.raises(Unavailable, match="a server does not answer") as error:
        breaker.admit()
    assert error.value.retry_after == pytest.approx(1.0)
    clock.now += 1.0
    breaker.admit()
    with pytest.raises(Unavailable):
        breaker.admit()


def test_when_that_one_succeeds_all_ask_again(breaker: Breaker, clock: Clock) -> None:
    breaker.failed("no route")
    clock.now += 1.0
    breaker.admit()
    breaker.succeeded()
    breaker.admit()
    breaker.admit()
    assert breaker.outages == 1


def test_when_that_one_says_nothing_the_next_one_tries(breaker: Breaker, clock: Clock) -> None:
    breaker.failed("no route")
    clock.now += 1.0
    breaker.admit()
    breaker.inconclusive()
    breaker.admit()


@pytest.mark.parametrize(("failures", "pause"), [(1, 1.0), (2, 2.0), (3, 4.0), (6, 4.0)])
def test_the_pause_doubles_up_to_its_bound(breaker: Breaker, clock: Clock, failures: int, pause: float) -> None:
    breaker.failed("no route")
    for _ in range(failures - 1):
        clock.now += 4.0
        breaker.admit()
        breaker.failed("no route")
    with pytest.raises(Unavailable) as error:
        breaker.admit()
    assert error.value.retry_after == pytest.approx(pause)


def test_failures_of_calls_from_before_the_first_one_do_not_prolong_the_pause(breaker: Breaker) -> None:
    for _ in range(5):
        breaker.admit()
    for _ in range(5):
        breaker.failed("no route")
    with pytest.raises(Unavailable) as error:
        breaker.admit()
    assert error.value.retry_after == pytest.approx(1.0)


@pytest.mark.parametrize(("uptime", "pause"), [(STEADY, 1.0), (STEADY / 2, 2.0)])
def test_the_pause_is_short_after_the_server_held(breaker: Breaker, clock: Clock, uptime: float, pause: float) -> None:
    breaker.failed("no route")
    clock.now += 1.0
    breaker.admit()
    breaker.succeeded()
    clock.now += uptime
    breaker.failed("no route")
    with pytest.raises(Unavailable) as error:
        breaker.admit()
    assert error.value.retry_after == pytest.approx(pause)


@given(st.lists(st.sampled_from(["fail", "succeed", "nothing", "wait"])))
def test_the_log_tells_only_changes(happenings: list[str]) -> None:
    clock = Clock()
    breaker = Breaker("a server", now=clock)
    with capture_logs() as logs:
        for happening in happenings:
            if happening == "wait":
                clock.now += 60.0
                continue
            try:
                breaker.admit()
            except Unavailable:
                continue
            {"fail": lambda: breaker.failed("x"), "succeed": breaker.succeeded, "nothing": breaker.inconclusive}[
                happening
            ]()
    log_events = [line["event"] for line in logs]
    assert log_events == [
        ("a server does not answer", "a server answers again")[at % 2] for at in range(len(log_events))
    ]
    assert breaker.outages == log_events.count("a server does not answer")
