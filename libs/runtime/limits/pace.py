"""How many calls a second each source may start (a generic cell rate algorithm).

Where no others share the connection, a refused call is held, even if it is cancelled: it uses up one of its streams, so
that gRPC's core refuses the next ones, at a tenth of the cost (of 34,000 reset calls 387 came this far, else 8,554).
"""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Final

from libs.runtime.errors import Overloaded

BURST_SECONDS: Final = 2.0  # the calls of so much time may come at once (taste, as the below)
HOLD_SECONDS: Final = 5.0
MOST_HELD: Final = 4096
MOST_SOURCES: Final = 10_000


@dataclass(slots=True)
class Pace:
    """The moment at which the bucket of each source will be full."""

    per_second: float
    _full: dict[str, float] = field(default_factory=dict)
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_HELD))

    async def take(self, source: str, connected: str) -> None:
        """Count a call of a source, which comes over a connection of `connected`.

        Raises:
            Overloaded: it comes too early; it is not counted.
        """
        now = time.monotonic()
        full = max(now, self._full.get(source, now)) + 1 / self.per_second
        if full - now > BURST_SECONDS:
            if source == connected and not self._places.locked():
                await self._hold()
            raise Overloaded(full - now - BURST_SECONDS)
        if len(self._full) > MOST_SOURCES:
            self._full.clear()
        self._full[source] = full

    async def _hold(self) -> None:
        """Wait; a first cancellation, which is the client's, takes effect only afterwards."""
        end = asyncio.ensure_future(asyncio.sleep(HOLD_SECONDS))
        async with self._places:
            try:
                await asyncio.shield(end)
            finally:
                await end
