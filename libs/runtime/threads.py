"""Runs long work in threads and short work directly on the event loop; stops work that nobody waits for any more.

Passing work to a thread and back costs about 0.3 ms of processor time, and the loop waits whenever the thread holds the
interpreter's lock. With many callers the lock changes hands at each call that releases it (numpy's, SQLite's), which
costs as much again as the work. So work of at most 4 ms runs on the loop: with the search of a small collection there,
the samples give 37 turns a second at 16 callers, and 30 in threads (two cores).

A thread cannot be stopped from outside. So work in a thread asks now and then whether it has been cancelled: what reads
texts for the rules does so by itself (`libs.text.memoize`), loops over many values call `raise_if_cancelled`. Without
this, one call with 200 sentences and 150 long passages kept a core busy for minutes after its caller's deadline.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar, copy_context
from threading import Event
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_cancelled: ContextVar[Event | None] = ContextVar("cancelled", default=None)
"""Set by whoever stops waiting for the work of this thread."""


class WorkCancelled(BaseException):
    """Nobody waits for the result of this thread's work. Not an `Exception`, so that no fall-back replaces it."""


def raise_if_cancelled() -> None:
    """Stop here if nobody waits for the result; takes 0.1 us.

    Raises:
        WorkCancelled: the work that the caller belongs to has been cancelled.
    """
    cancelled = _cancelled.get()
    if cancelled is not None and cancelled.is_set():
        raise WorkCancelled


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run the work in a thread, as `asyncio.to_thread` does; it stops when its caller stops waiting.

    For work without effects: it may stop wherever it asks.
    """
    cancelled = Event()

    def do() -> T:
        _cancelled.set(cancelled)
        return work(*args, **kwargs)

    try:
        return await asyncio.to_thread(do)
    except asyncio.CancelledError:
        cancelled.set()
        raise


async def in_thread_unless(short: bool, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run the work in a thread, or directly if it is `short`: at most the 4 ms that the loop may be blocked."""
    if short:
        return work(*args, **kwargs)
    return await in_thread(work, *args, **kwargs)


def submit(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """Start the work in a thread; work that is submitted later may wait for its result in another thread.

    Threads take work in the order of submission, so the later work never waits for work that has no thread yet.
    """
    future: Future[T] = Future()

    def do() -> None:
        try:
            future.set_result(work(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)

    asyncio.get_running_loop().run_in_executor(None, copy_context().run, do)
    return future
