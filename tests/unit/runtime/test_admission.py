"""Places for calls: how many, who gets the next one, and who is refused at once."""

import asyncio

import pytest

from libs.runtime.errors import Overloaded
from libs.runtime.limits.admission import Admission, keep_place
from libs.runtime.limits.concurrency_limit import WINDOW_CALLS, ConcurrencyLimit
from libs.runtime.telemetry.telemetry import Ambient, entered
from tests.fakes.telemetry import Recorded


def places(count: int, queue_seconds: float = 5.0, mean_seconds: float = 0.0) -> Admission:
    """A fixed number of places; `mean_seconds` is how long calls are known to take."""
    limit = ConcurrencyLimit(count, count, count)
    for _ in range(WINDOW_CALLS if mean_seconds else 0):
        limit.observe(mean_seconds, count)
    return Admission(limit, queue_seconds)


async def held(admission: Admission, caller: str, end: asyncio.Event, order: list[str]) -> None:
    async with admission.place(caller):
        order.append(caller)
        await end.wait()


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_calls_beyond_the_limit_wait_for_a_place() -> None:
    admission, end, order = places(2), asyncio.Event(), list[str]()
    calls = [asyncio.create_task(held(admission, "ann", end, order)) for _ in range(3)]
    await settled()
    assert (len(order), admission.running, admission.waiting) == (2, 2, 1)
    end.set()
    await asyncio.gather(*calls)
    assert (len(order), admission.running, admission.waiting) == (3, 0, 0)


async def test_calls_that_wait_are_a_metric_until_they_have_a_place_or_give_up() -> None:
    admission, end, recorded = places(1, queue_seconds=0.1), asyncio.Event(), Recorded()

    def waiting() -> int:
        return sum(point.value for point in recorded.points("parley.admission.waiting"))

    with entered(Ambient(recorded.telemetry)):
        calls = [asyncio.create_task(held(admission, "ann", end, [])) for _ in range(3)]
        await settled()
        assert waiting() == 2
        calls[1].cancel()
        await settled()
        assert waiting() == 1
        with pytest.raises(Overloaded):
            await calls[2]
        assert waiting() == 0
        end.set()
        await calls[0]
    recorded.telemetry.close()


async def test_callers_get_free_places_in_turn() -> None:
    admission, order, ends = places(1), list[str](), [asyncio.Event() for _ in range(6)]
    callers = ["ann", "ann", "ann", "ann", "bob", "cid"]
    calls = []
    for caller, end in zip(callers, ends, strict=True):
        calls.append(asyncio.create_task(held(admission, caller, end, order)))
        await settled()
    for end in ends:
        end.set()
    await asyncio.gather(*calls)
    assert order == ["ann", "ann", "bob", "cid", "ann", "ann"]


async def test_a_call_that_would_wait_too_long_is_refused_at_once() -> None:
    admission, end, order = places(1, queue_seconds=1.0, mean_seconds=3.0), asyncio.Event(), list[str]()
    call = asyncio.create_task(held(admission, "ann", end, order))
    await settled()
    with pytest.raises(Overloaded) as refusal:
        async with asyncio.timeout(0.5), admission.place("bob"):
            pass
    assert refusal.value.retry_after == pytest.approx(3.0)
    end.set()
    await call


async def test_a_call_that_waited_too_long_is_refused() -> None:
    admission, end, order = places(1, queue_seconds=0.01), asyncio.Event(), list[str]()
    call = asyncio.create_task(held(admission, "ann", end, order))
    await settled()
    with pytest.raises(Overloaded):
        async with admission.place("bob"):
            pass
    assert admission.waiting == 0
    end.set()
    await call


async def test_work_keeps_the_place_of_its_call_until_it_ends() -> None:
    admission, end = places(1), asyncio.Event()
    async with admission.place("ann"):
        work = asyncio.create_task(end.wait())
        keep_place(work)
    assert admission.running == 1, "the call has ended, its work goes on"
    end.set()
    await work
    await settled()
    assert admission.running == 0


async def test_a_call_whose_work_has_ended_holds_no_place() -> None:
    admission, order = places(1), list[str]()
    async with admission.place("ann"):
        keep_place(None)
        assert admission.running == 0
        end = asyncio.Event()
        end.set()
        await held(admission, "bob", end, order)
    assert (admission.running, order) == (0, ["bob"])


async def test_without_a_place_there_is_none_to_keep() -> None:
    keep_place(None)


async def test_a_cancelled_call_gives_its_place_back() -> None:
    admission, end, order = places(1), asyncio.Event(), list[str]()
    first, second, third = (asyncio.create_task(held(admission, name, end, order)) for name in ("ann", "bob", "cid"))
    await settled()
    second.cancel()  # it waits
    await settled()
    assert admission.waiting == 1
    first.cancel()  # it has a place
    await settled()
    third.cancel()  # it has just got one
    await asyncio.gather(first, second, third, return_exceptions=True)
    assert (admission.running, admission.waiting, order) == (0, 0, ["ann", "cid"])
