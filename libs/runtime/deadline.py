"""The time left for the call being served, available to all code that runs for it.

The server's handler sets it; outgoing calls respect it, so that deadlines shrink from hop to hop. Outside a call
there is no deadline.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Final

from libs.runtime.errors import DeadlineExceeded, ParleyError

MARGIN: Final = 0.02
"""Seconds kept back from each outgoing call, so that its failure can still be answered in time (taste)."""

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


def remaining() -> float | None:
    """Seconds left (0 after the deadline); None if there is no deadline."""
    deadline = _deadline.get()
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def budget(seconds: float | None = None, margin: float = MARGIN) -> float | None:
    """Seconds a step may take: its own limit or the time left minus the margin, if smaller; None: no limit."""
    left = remaining()
    if left is None:
        return seconds
    left = max(0.0, left - margin)
    return left if seconds is None else min(seconds, left)


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Limit the time left within the block to `seconds` (an earlier deadline stays); None changes nothing."""
    tightest = budget(seconds, margin=0.0)
    token = _deadline.set(None if tightest is None else time.monotonic() + tightest)
    try:
        yield
    finally:
        _deadline.reset(token)


@asynccontextmanager
async def enforced(seconds: float | None, error: Callable[[], ParleyError] = DeadlineExceeded) -> AsyncIterator[None]:
    """Cut the block off after so many seconds, and raise `error` then; None: never. Its own TimeoutError passes."""
    timer = asyncio.timeout(seconds)
    try:
        async with timer:
            yield
    except TimeoutError as late:
        if not timer.expired():
            raise
        raise error() from late
