"""Joins the pieces of a language model's stream into larger messages, and ends it in time. The stream is awaited."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

from libs.llm.errors import BudgetUsedUp
from libs.llm.messages import Delta

COALESCE_SECONDS = 0.03
"""Pieces of a model's text within this time are sent as one; a stream carries 3-4 thousand messages a second
(taste)."""


async def coalesce(
    deltas: AsyncGenerator[Delta, None], seconds: float = COALESCE_SECONDS
) -> AsyncGenerator[Delta, None]:
    """Yield the same stream in fewer pieces: the first at once, then all text within `seconds` as one."""
    buffer, deadline = "", 0.0
    pending = asyncio.ensure_future(_next(deltas))
    try:
        while True:
            wait = max(0.0, deadline - time.monotonic()) if buffer else None
            if not (await asyncio.wait({pending}, timeout=wait))[0]:
                yield Delta(buffer)
                buffer, deadline = "", time.monotonic() + seconds
                continue
            if pending.exception() and buffer:
                yield Delta(buffer)
            delta = pending.result()
            if delta is None:
                break
            pending = asyncio.ensure_future(_next(deltas))
            buffer += delta.text
            if delta.usage or (buffer and time.monotonic() >= deadline):
                yield Delta(buffer, delta.usage, delta.truncated)
                buffer, deadline = "", time.monotonic() + seconds
        if buffer:
            yield Delta(buffer)
    finally:
        pending.cancel()
        await asyncio.gather(pending, return_exceptions=True)
        await deltas.aclose()


async def within(deltas: AsyncGenerator[Delta, None], seconds: float) -> AsyncGenerator[Delta, None]:
    """Yield the stream for at most `seconds`; 0 sets no limit.

    Raises:
        BudgetUsedUp: the time is over before the stream ends.
    """
    ends = time.monotonic() + seconds if seconds else None
    async with aclosing(deltas):
        while True:
            try:
                async with asyncio.timeout(None if ends is None else max(0.0, ends - time.monotonic())):
                    delta = await anext(deltas, None)
            except TimeoutError:
                raise BudgetUsedUp("the time for writing is used up") from None
            if delta is None:
                return
            yield delta


async def _next(deltas: AsyncGenerator[Delta, None]) -> Delta | None:
    return await anext(deltas, None)
