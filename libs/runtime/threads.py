"""Work beside the event loop: what takes long in a thread, what is short at once.

Handing work over and being told of its end costs about 0.3 ms of processor time, and the loop waits for the
interpreter's lock wherever the thread holds it. With many callers the lock changes hands at each call that lets go of
it (numpy's, SQLite's), which costs as much again as the work. So what takes 4 ms at most is done by the loop: with the
search of a small collection there, the samples give 37 turns a second at 16 callers, and 30 in threads (two cores).
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread_unless(short: bool, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do the work; `short` says that it takes no more than the 4 ms for which the loop may be held up."""
    if short:
        return work(*args, **kwargs)
    return await asyncio.to_thread(work, *args, **kwargs)


def begun(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """Begin the work in a thread; another one that is handed over later may wait for its result.

    Threads take work in the order in which it came, so the later one never waits for what has no thread yet.
    """
    done: Future[T] = Future()

    def do() -> None:
        try:
            done.set_result(work(*args, **kwargs))
        except BaseException as error:
            done.set_exception(error)

    asyncio.get_running_loop().run_in_executor(None, copy_context().run, do)
    return done
