import asyncio
import threading

import pytest

from libs.runtime.threads import WorkCancelled, in_thread, in_thread_unless, raise_if_cancelled, submit
from libs.text.sentences import split_sentences


async def test_what_is_short_is_done_at_once() -> None:
    assert await in_thread_unless(True, threading.get_ident) == threading.get_ident()


async def test_what_is_long_leaves_the_loop_to_others() -> None:
    signal, loop = threading.Event(), asyncio.get_running_loop()
    loop.call_soon(signal.set)
    assert await in_thread_unless(False, signal.wait, timeout=10)


@pytest.mark.parametrize("short", [True, False])
async def test_an_error_comes_back_either_way(short: bool) -> None:
    with pytest.raises(ValueError, match="'x'"):
        await in_thread_unless(short, int, "x")


async def test_what_was_begun_is_waited_for_by_work_that_came_later() -> None:
    first = submit(lambda: 20)
    assert await asyncio.to_thread(lambda: first.result(timeout=5) + 22) == 42


async def test_its_failure_is_raised_where_it_is_waited_for() -> None:
    first = submit(int, "no number")
    with pytest.raises(ValueError, match="no number"):
        await asyncio.to_thread(first.result, 5)


async def test_work_stops_when_its_caller_stops_waiting() -> None:
    begun, stopped = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        try:
            while True:
                raise_if_cancelled()
        except WorkCancelled:
            stopped.set()
            raise

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(in_thread(work), 0.05)
    assert begun.is_set()
    assert await asyncio.to_thread(stopped.wait, 10)


async def test_the_reading_of_a_text_stops_with_its_work() -> None:
    reading, stopped = threading.Event(), threading.Event()

    def read_on() -> None:
        try:
            while True:
                split_sentences("It landed.", "en")
                reading.set()
        except WorkCancelled:
            stopped.set()

    task = asyncio.create_task(in_thread(read_on))
    await asyncio.to_thread(reading.wait, 10)
    task.cancel()
    assert await asyncio.to_thread(stopped.wait, 10)


async def test_other_work_goes_on() -> None:
    leaving = asyncio.create_task(in_thread(threading.Event().wait, 0.2))
    await asyncio.sleep(0)
    leaving.cancel()
    assert await in_thread(_answer) == 42


def _answer() -> int:
    raise_if_cancelled()
    return 42
