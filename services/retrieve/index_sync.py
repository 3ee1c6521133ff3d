"""Engines follow the corpus in the background, so that no search has much to take in.

A server that does not answer is told once, where it is asked (`libs.runtime.breaker`); here it only makes the
pauses longer. Searches meanwhile try for themselves and say what fails.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog

from libs.runtime.errors import Unavailable
from services.retrieve.engines.collection import Engines

LONGEST_PAUSE = 10.0
"""Seconds between attempts while an engine fails."""

_log = structlog.get_logger("parley.retrieve")


@asynccontextmanager
async def following(engines: Engines, seconds: float) -> AsyncIterator[None]:
    """Within it the engines take in every `seconds` what was written."""
    over = asyncio.Event()
    task = asyncio.create_task(_follow(engines, seconds, over))
    try:
        yield
    finally:
        over.set()
        engines.stop()
        await task  # not cancelled: its thread must be out of the engines before they are closed


async def warm_up(engines: Engines) -> None:
    """Take in what was written while no process ran; a server that is down is caught up with later."""
    with suppress(Unavailable):
        await asyncio.to_thread(engines.catch_up)


async def _follow(engines: Engines, seconds: float, over: asyncio.Event) -> None:
    pause, told = seconds, ""
    while not over.is_set():
        failure = await _attempt(engines)
        pause = seconds if failure is None else min(2 * pause, LONGEST_PAUSE)
        if failure is not None and not isinstance(failure, Unavailable) and repr(failure) != told:
            _log.error("an engine could not follow the corpus", exc_info=failure)
        told = repr(failure)
        with suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), pause)


async def _attempt(engines: Engines) -> Exception | None:
    try:
        await asyncio.to_thread(engines.catch_up)
        await asyncio.to_thread(engines.condense)
    except Exception as error:
        return error
    return None
