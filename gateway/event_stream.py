"""Turns work that emits events into a numbered stream, with heartbeats during pauses."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import Final

from gateway.events import Event, State, TurnEvent
from libs.contracts.usage import Stage

HEARTBEAT_SECONDS: Final = 10.0

Emit = Callable[[TurnEvent], None]


async def stream_events(
    turn_id: str, work: Callable[[Emit], Awaitable[None]], heartbeat: float = HEARTBEAT_SECONDS
) -> AsyncGenerator[Event, None]:
    """Run `work` and yield its events, numbered from 1; its error ends the stream; closing the stream cancels it."""
    queue: asyncio.Queue[TurnEvent | None] = asyncio.Queue()

    async def run() -> None:
        try:
            await work(queue.put_nowait)
        finally:
            queue.put_nowait(None)

    task = asyncio.create_task(run())
    try:
        seq = 0
        while (event := await _next(queue, heartbeat)) is not None:
            seq += 1
            yield Event(turn_id, seq, event)
        await task
    finally:
        await _settle(task)


async def _next(queue: asyncio.Queue[TurnEvent | None], heartbeat: float) -> TurnEvent | None:
    if not queue.empty():
        return queue.get_nowait()
    try:
        async with asyncio.timeout(heartbeat):
            return await queue.get()
    except TimeoutError:
        return State(Stage.GATEWAY, "still working")


async def _settle(task: asyncio.Task[None]) -> None:
    """Cancel the task if it is still running and wait for it, so that it does not outlive its turn."""
    if task.done():
        return
    task.cancel()
    with suppress(asyncio.CancelledError, Exception):
        await task
