"""What a host's robots.txt allows (RFC 9309): asked once per host, kept for a while."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

ROBOTS_BYTES: Final = 500 * 1024
"""As much of a robots.txt is read; RFC 9309, section 2.5."""
KEPT_SECONDS: Final = 24 * 3600.0
"""RFC 9309, section 2.4."""
RETRY_SECONDS: Final = 60.0
"""After which a host that did not answer is asked again."""
MOST_HOSTS: Final = 1000


class Rules(Protocol):
    """What a host allows."""

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Whether the page may be asked for."""

    def crawl_delay(self, user_agent: str) -> float | None:
        """Seconds that the host wants between two requests."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What asking for a robots.txt gave."""

    reached: bool
    """False: the host failed (5xx, no connection), and nothing may be asked of it."""
    text: str = ""
    """Empty where the host has none (4xx): then everything may be asked."""


class RobotsCache:
    """Rules by origin ("https://example.org"); one request for each, whoever waits for it."""

    def __init__(self, ask: Callable[[str], Awaitable[Answer]]) -> None:
        """`ask` fetches a robots.txt by its url."""
        self._ask = ask
        self._known: OrderedDict[str, tuple[float, Rules]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}

    async def rules(self, origin: str) -> Rules:
        """The rules of an origin."""
        async with self._asking.setdefault(origin, asyncio.Lock()):
            expires, rules = self._known.get(origin, (0.0, NOTHING))
            if time.monotonic() >= expires:
                answer = await self._ask(f"{origin}/robots.txt")
                rules = parse(answer.text) if answer.reached else NOTHING
                kept = KEPT_SECONDS if answer.reached else RETRY_SECONDS
                self._known[origin] = (time.monotonic() + kept, rules)
        while len(self._known) > MOST_HOSTS:
            forgotten, _ = self._known.popitem(last=False)
            self._asking.pop(forgotten, None)
        return rules


def parse(text: str) -> Rules:
    """The rules that a robots.txt states."""
    from protego import Protego  # only who fetches needs it

    rules: Rules = Protego.parse(text)
    return rules


class _Nothing:
    """The rules of a host that cannot be asked for its rules."""

    def can_fetch(self, url: str, user_agent: str) -> bool:
        return False

    def crawl_delay(self, user_agent: str) -> float | None:
        return None


NOTHING: Final[Rules] = _Nothing()
