"""Keeps the search engines in sync with the corpus in the background, so that searches need not index much.

A search server that is down is logged once, by its breaker (`libs.runtime.calling.breaker`); here it only lengthens the
pauses. Meanwhile searches retry on their own and report failures. Engines are called in threads.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog

from libs.runtime.errors import DataLoss, Unavailable
from services.retrieve.engines.collection import Engines

FOLLOW_SECONDS: Final = 0.5
"""Seconds between updates of the engines, if no search updates them earlier (taste)."""
MAX_PAUSE: Final = 10.0  # seconds between attempts while an engine fails (taste)

_log = structlog.get_logger("parley.retrieve")


@asynccontextmanager
async def in_sync(engines: Engines, seconds: float = FOLLOW_SECONDS) -> AsyncIterator[None]:
    """Index new documents every `seconds` while the block runs."""
    over = asyncio.Event()
    task = asyncio.create_task(_follow(engines, seconds, over))
    try:
        yield
    finally:
        over.set()
        engines.stop()
        await task  # not cancelled: its thread must leave the engines before they are closed


async def _follow(engines: Engines, seconds: float, over: asyncio.Event) -> None:
    pause, last_error = seconds, ""
    while not over.is_set():
        failure: Exception | None = None
        try:
            await asyncio.to_thread(engines.catch_up)
        except Exception as error:
            failure = error
        pause = seconds if failure is None else min(2 * pause, MAX_PAUSE)
        if failure is not None and not isinstance(failure, Unavailable) and repr(failure) != last_error:
            known = {"cause": str(failure.__cause__)} if isinstance(failure, DataLoss) else {"exc_info": failure}
            _log.error("an engine could not follow the corpus", **known)
        last_error = repr(failure)
        with suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), pause)
