"""What a host allows: its robots.txt (RFC 9309), fetched once per host, then cached, and a pause between requests."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from protego import Protego


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
        """Wait for a turn, as long as that takes; the host may be requested inside the context."""
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


ROBOTS_BYTES: Final = 500 * 1024
"""Size limit of a robots.txt; RFC 9309, section 2.5."""
KEPT_SECONDS: Final = 24 * 3600.0
"""How long rules are cached; RFC 9309, section 2.4."""
RETRY_SECONDS: Final = 60.0
"""How long to wait before asking again a host that did not answer (taste)."""
MAX_HOSTS: Final = 1000  # whose rules are cached (taste)


class RobotsCache:
    """A cache of rules by origin ("https://example.org"); concurrent callers share one request."""

    def __init__(self, ask: Callable[[str], Awaitable[str | None]]) -> None:
        """`ask` fetches a robots.txt by its URL: empty if there is none (4xx), None if the host fails (5xx)."""
        self._ask = ask
        self._cache: OrderedDict[str, tuple[float, Protego | None]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}

    async def rules(self, origin: str) -> "Protego | None":
        """The rules of an origin, fetched if they are not cached; errors are those of `ask`.

        None if the host does not answer: then nothing may be requested.
        """
        from protego import Protego  # only fetching needs it

        async with self._asking.setdefault(origin, asyncio.Lock()):
            expires, rules = self._cache.get(origin, (0.0, None))
            if time.monotonic() >= expires:
                text = await self._ask(f"{origin}/robots.txt")
                rules = None if text is None else Protego.parse(text)
                lifetime = RETRY_SECONDS if rules is None else KEPT_SECONDS
                self._cache[origin] = (time.monotonic() + lifetime, rules)
        while len(self._cache) > MAX_HOSTS:
            oldest, _ = self._cache.popitem(last=False)
            self._asking.pop(oldest, None)
        return rules
