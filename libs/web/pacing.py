"""Rate limit per host: if a pause is set, one request at a time with that pause between two."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Host:
    pause: float
    free_at: float = 0.0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Pacing:
    """Tracks when each host may be requested again."""

    def __init__(self, pause: float, longest: float) -> None:
        """Seconds between two requests to a host, and the longest pause that a host may ask for."""
        self._pause = pause
        self._longest = longest
        self._hosts: dict[str, _Host] = {}

    def slow_down(self, host: str, pause: float) -> None:
        """Extend the pause of a host, up to the longest allowed."""
        pacing = self._host(host)
        pacing.pause = max(pacing.pause, min(pause, self._longest))

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Wait for a turn; the host may be requested inside the context."""
        pacing = self._host(host)
        if not pacing.pause:
            yield
            return
        async with pacing.turn:
            await asyncio.sleep(max(0.0, pacing.free_at - time.monotonic()))
            try:
                yield
            finally:
                pacing.free_at = time.monotonic() + pacing.pause

    def _host(self, host: str) -> _Host:
        return self._hosts.setdefault(host, _Host(self._pause))
