"""Events on their way to a reader who may be slow: whoever tells them waits, so that they do not pile up."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

Event = Mapping[str, Any]


class NobodyReads(Exception):  # noqa: N818 - it names what is wrong
    """No event was taken for too long."""


class EventQueue:
    """Holds events in their order until they are taken.

    Args:
        most: how many may wait; whoever tells a further one waits, too.
        stall_seconds: how long, at most, until one is taken.
    """

    def __init__(self, most: int, stall_seconds: float) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._places = asyncio.Semaphore(most)
        self._stall_seconds = stall_seconds

    async def put(self, event: Event) -> None:
        """Add an event as soon as there is a place for it.

        Raises:
            NobodyReads: there is none in time.
        """
        try:
            async with asyncio.timeout(self._stall_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise NobodyReads from None
        self._events.put_nowait(event)

    def end(self, last: Event | None = None) -> None:
        """Say that no more will come, after a last event if there is one; these wait for no place."""
        if last is not None:
            self._events.put_nowait(last)
        self._events.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._events.get()) is not None:
            self._places.release()
            yield event
