"""The time that is left for the call being served, known to everything that runs for it.

The server's interceptor sets it; client calls take it into account, so that deadlines shrink from hop to hop. Outside
of a call there is none.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

MARGIN: Final = 0.02
"""Seconds kept back from each outgoing call, so that its failure can still be answered in time."""

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


def remaining() -> float | None:
    """Seconds left (0 when it is over); None when nothing limits the work."""
    deadline = _deadline.get()
    return None if deadline is None else max(0.0, deadline - time.monotonic())


def budget(seconds: float | None = None, margin: float = MARGIN) -> float | None:
    """What a step may take: the smaller of its own limit and what is left less the margin; None: no limit."""
    left = remaining()
    if left is None:
        return seconds
    left = max(0.0, left - margin)
    return left if seconds is None else min(seconds, left)


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Within it at most `seconds` are left (never more than around it); None changes nothing."""
    tightest = budget(seconds, margin=0.0)
    token = _deadline.set(None if tightest is None else time.monotonic() + tightest)
    try:
        yield
    finally:
        _deadline.reset(token)
