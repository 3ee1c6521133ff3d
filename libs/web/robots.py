"""What a host's robots.txt allows (RFC 9309): fetched once per host, then cached."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

ROBOTS_BYTES: Final = 500 * 1024
"""Size limit of a robots.txt; RFC 9309, section 2.5."""
KEPT_SECONDS: Final = 24 * 3600.0
"""How long rules are cached; RFC 9309, section 2.4."""
RETRY_SECONDS: Final = 60.0
"""How long to wait before asking again a host that did not answer."""
MOST_HOSTS: Final = 1000


class Rules(Protocol):
    """The rules of a host."""

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Whether the page may be requested."""

    def crawl_delay(self, user_agent: str) -> float | None:
        """Seconds that the host wants between two requests; None if it does not say."""


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """The result of requesting a robots.txt."""

    reached: bool
    """False if the host failed (5xx, no connection): then nothing may be requested."""
    text: str = ""
    """Empty if the host has no robots.txt (4xx): then everything may be requested."""


class RobotsCache:
    """A cache of rules by origin ("https://example.org"); concurrent callers share one request."""

    def __init__(self, ask: Callable[[str], Awaitable[RobotsAnswer]]) -> None:
        """`ask` fetches a robots.txt by its URL."""
        self._ask = ask
        self._cache: OrderedDict[str, tuple[float, Rules]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}

    async def rules(self, origin: str) -> Rules:
        """The rules of an origin, fetched if they are not cached."""
        async with self._asking.setdefault(origin, asyncio.Lock()):
            expires, rules = self._cache.get(origin, (0.0, NOTHING))
            if time.monotonic() >= expires:
                answer = await self._ask(f"{origin}/robots.txt")
                rules = parse(answer.text) if answer.reached else NOTHING
                lifetime = KEPT_SECONDS if answer.reached else RETRY_SECONDS
                self._cache[origin] = (time.monotonic() + lifetime, rules)
        while len(self._cache) > MOST_HOSTS:
            oldest, _ = self._cache.popitem(last=False)
            self._asking.pop(oldest, None)
        return rules


def parse(text: str) -> Rules:
    """The rules that a robots.txt states."""
    from protego import Protego  # only fetching needs it

    rules: Rules = Protego.parse(text)
    return rules


class _Nothing:
    """The rules of a host that does not answer: nothing is allowed."""

    def can_fetch(self, url: str, user_agent: str) -> bool:
        return False

    def crawl_delay(self, user_agent: str) -> float | None:
        return None


NOTHING: Final[Rules] = _Nothing()
