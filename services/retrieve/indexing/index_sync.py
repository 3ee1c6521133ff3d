"""Keeps what is derived from the corpus in sync with it in the background: the search engines, and later vectors.

Searches then need not index much.

A search server that is down is logged once, by its breaker (`libs.runtime.calling.breaker`); here it only lengthens the
pauses. Meanwhile searches retry on their own and report failures. Engines are called in threads.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

import structlog

from libs.runtime.errors import DataLoss, Unavailable
from services.retrieve.engines.collection import Engines
from services.retrieve.indexing.later_vectors import LaterVectors

FOLLOW_SECONDS: Final = 0.5
"""Seconds between updates of the engines, if no search updates them earlier (taste)."""
MAX_PAUSE: Final = 10.0  # seconds between attempts while an engine fails (taste)

_log = structlog.get_logger("parley.retrieve")


@asynccontextmanager
async def in_sync(
    engines: Engines, vectors: LaterVectors | None = None, seconds: float = FOLLOW_SECONDS
) -> AsyncIterator[None]:
    """Index new documents, and make the vectors of those that wait, every `seconds` while the block runs."""
    over = asyncio.Event()
    tasks = [asyncio.create_task(_follow(partial(asyncio.to_thread, engines.catch_up), seconds, over))]
    tasks += [asyncio.create_task(_follow(vectors.make, seconds, over))] if vectors is not None else []
    try:
        yield
    finally:
        over.set()
        engines.stop()
        for making in tasks[1:]:
            making.cancel()
        await asyncio.wait(tasks)  # the thread of the first must leave the engines before they are closed


async def _follow(work: Callable[[], Awaitable[None]], seconds: float, over: asyncio.Event) -> None:
    pause, last_error = seconds, ""
    while not over.is_set():
        failure: Exception | None = None
        try:
            await work()
        except Exception as error:
            failure = error
        pause = seconds if failure is None else min(2 * pause, MAX_PAUSE)
        if failure is not None and not isinstance(failure, Unavailable) and repr(failure) != last_error:
            known = {"cause": str(failure.__cause__)} if isinstance(failure, DataLoss) else {"exc_info": failure}
            _log.error("an engine, or the vectors, could not follow the corpus", **known)
        last_error = repr(failure)
        with suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), pause)
