"""Work that may wait is done once, and not at all where nobody begins it."""

import asyncio

import pytest

from libs.runtime.lazy_task import LazyTask


class Work:
    """Counts how often it is done; waits until it may end."""

    def __init__(self) -> None:
        self.begun = 0
        self.cancelled = False
        self.may_end = asyncio.Event()

    async def __call__(self) -> str:
        self.begun += 1
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return "done"


async def test_it_is_begun_when_its_result_is_wanted() -> None:
    work = Work()
    later = LazyTask(work)
    await asyncio.sleep(0)
    assert work.begun == 0
    work.may_end.set()
    assert await later == "done"


async def test_it_is_done_once_however_often_it_is_begun_and_awaited() -> None:
    work = Work()
    work.may_end.set()
    later = LazyTask(work)
    assert later.begin() is later.begin()
    assert [await later, await later] == ["done", "done"]
    assert work.begun == 1


async def test_what_nobody_waited_for_ends_with_the_block() -> None:
    work = Work()
    with LazyTask(work) as later:
        task = later.begin()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert work.cancelled


async def test_what_was_never_begun_is_never_done() -> None:
    work = Work()
    with LazyTask(work):
        await asyncio.sleep(0)
    assert work.begun == 0


async def test_its_error_is_raised_to_who_awaits_it() -> None:
    async def fail() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError):
        await LazyTask(fail)
