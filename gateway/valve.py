"""Holds what is told until it is known whether it may be shown."""

import asyncio

from gateway.event_stream import Emit
from gateway.events import TurnEvent


class Valve:
    """Holds what is told until it may be shown, then hands it on at once."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._held: list[TurnEvent] = []
        self._open = asyncio.Event()

    def __call__(self, event: TurnEvent) -> None:
        """Tell it, or hold it."""
        if self._open.is_set():
            self._emit(event)
        else:
            self._held.append(event)

    @property
    def is_open(self) -> bool:
        """Whether what is told is shown."""
        return self._open.is_set()

    def open(self) -> None:
        """Show what was held, and all that comes."""
        if self.is_open:
            return
        for event in self._held:
            self._emit(event)
        self._held.clear()
        self._open.set()

    async def opened(self) -> None:
        """Wait until it is open."""
        await self._open.wait()
