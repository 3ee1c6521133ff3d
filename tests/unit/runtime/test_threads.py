import asyncio
import threading

import pytest

from services.runtime.threads import in_thread_unless


async def test_what_is_short_is_done_at_once() -> None:
    assert await in_thread_unless(True, threading.get_ident) == threading.get_ident()


async def test_what_is_long_leaves_the_loop_to_others() -> None:
    told, loop = threading.Event(), asyncio.get_running_loop()
    loop.call_soon(told.set)
    assert await in_thread_unless(False, told.wait, timeout=10)


@pytest.mark.parametrize("short", [True, False])
async def test_an_error_comes_back_either_way(short: bool) -> None:
    with pytest.raises(ValueError, match="'x'"):
        await in_thread_unless(short, int, "x")
