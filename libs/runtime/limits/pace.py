"""How many calls a second each source may start: those of one that starts far more are refused before any work is done.

Buckets of tokens by source, each kept as the moment at which it will be full again (the generic cell rate algorithm).
Answers to refused calls have buckets of their own, as they cost more than the refusals: calls that come still faster
end without one, so their clients see CANCELLED.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from libs.runtime.errors import Overloaded

BURST_SECONDS: Final = 2.0
"""The calls of so much time may come at once (taste)."""
REFUSAL_TOKENS: Final = 4.0
"""Of an answer to a refused call, which costs a line of the log as well (taste)."""
MOST_SOURCES: Final = 10_000
"""Full buckets are forgotten when there are more (taste)."""


@dataclass(slots=True)
class Pace:
    """The pace of each source."""

    per_second: float
    now: Callable[[], float] = time.monotonic
    _calls: dict[str, float] = field(default_factory=dict)
    _refusals: dict[str, float] = field(default_factory=dict)
    """When a source's bucket will be full."""

    def take(self, source: str) -> None:
        """Count a call.

        Raises:
            Overloaded: it comes too early.
            asyncio.CancelledError: so many come too early that not even the refusals are answered.
        """
        if early := self._count(self._calls, source):
            if self._count(self._refusals, source, REFUSAL_TOKENS):
                raise asyncio.CancelledError
            raise Overloaded(early)

    def _count(self, buckets: dict[str, float], source: str, tokens: float = 1.0) -> float:
        """Take tokens out of a source's bucket; how many seconds too early if it is empty, else 0."""
        now = self.now()
        full = max(now, buckets.get(source, now))
        if full - now > BURST_SECONDS:
            return full - now - BURST_SECONDS
        if len(buckets) > MOST_SOURCES:
            for name in [name for name, moment in buckets.items() if moment <= now]:
                del buckets[name]
        buckets[source] = full + tokens / self.per_second
        return 0.0
