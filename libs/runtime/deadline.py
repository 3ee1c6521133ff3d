"""The time left for the call being served, available to all code that runs for it.

The server's handler sets it; outgoing calls respect it, so that deadlines shrink from hop to hop. Outside a call
there is no deadline.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from libs.runtime.errors import DeadlineExceeded

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


class Enforced:
    """Cuts the block off after so many seconds; None: never. It raises DeadlineExceeded then."""

    __slots__ = ("_message", "_timer")

    def __init__(self, seconds: float | None, message: str = "The deadline has passed.") -> None:
        self._timer = asyncio.timeout(seconds)
        self._message = message

    async def __aenter__(self) -> None:
        await self._timer.__aenter__()

    async def __aexit__(self, *error: Any) -> None:
        try:
            await self._timer.__aexit__(*error)
        except TimeoutError:  # the timer's own; one of the block is not raised here
            raise DeadlineExceeded(self._message) from None
