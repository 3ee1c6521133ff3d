"""A bounded queue of events for a reader that may be slow: a producer waits while it is full."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

Event = Mapping[str, Any]


class ReaderStalled(Exception):  # noqa: N818 - it names what is wrong
    """The reader took no event for too long."""


class EventQueue:
    """Holds events in order until the reader takes them.

    Args:
        most: events that may wait; the producer of a further one waits, too.
        stall_seconds: the longest wait for the reader to take one.
    """

    def __init__(self, most: int, stall_seconds: float) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._places = asyncio.Semaphore(most)
        self._stall_seconds = stall_seconds

    async def put(self, event: Event) -> None:
        """Add an event as soon as there is a place for it.

        Raises:
            ReaderStalled: there is none in time.
        """
        try:
            async with asyncio.timeout(self._stall_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise ReaderStalled from None
        self._events.put_nowait(event)

    def end(self, last: Event | None = None) -> None:
        """End the queue, after a last event if there is one; neither waits for a place."""
        if last is not None:
            self._events.put_nowait(last)
        self._events.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._events.get()) is not None:
            self._places.release()
            yield event
