"""A buffer for events that may not be shown yet."""

import asyncio

from gateway.events.event_stream import Emit
from gateway.events.events import TurnEvent


class EventBuffer:
    """Buffers events until it is opened, then emits them and all later ones at once."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._buffer: list[TurnEvent] = []
        self._open = asyncio.Event()

    def __call__(self, event: TurnEvent) -> None:
        """Emit or buffer an event."""
        if self._open.is_set():
            self._emit(event)
        else:
            self._buffer.append(event)

    @property
    def is_open(self) -> bool:
        """Whether events are emitted at once."""
        return self._open.is_set()

    def open(self) -> None:
        """Emit the buffered events and all later ones."""
        if self.is_open:
            return
        for event in self._buffer:
            self._emit(event)
        self._buffer.clear()
        self._open.set()

    async def wait_until_open(self) -> None:
        """Wait until the buffer is open."""
        await self._open.wait()
