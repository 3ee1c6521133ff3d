import asyncio
import threading

import pytest

from libs.runtime.threads import in_thread_unless, submit


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
