"""How many calls a second each source may start; those of one that starts far more end before any work is done.

Buckets of tokens, each kept as the moment at which it is full again (the generic cell rate algorithm). To answer that a
call is refused costs more than to refuse it, so that has buckets of its own.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from libs.runtime.errors import Overloaded

BURST_SECONDS: Final = 2.0
"""The calls of so much time may come at once (taste, as the below)."""
ANSWER_TOKENS: Final = 4.0
MOST_SOURCES: Final = 10_000


@dataclass(slots=True)
class Pace:
    """The pace of each source."""

    per_second: float
    now: Callable[[], float] = time.monotonic
    _full: dict[tuple[str, float], float] = field(default_factory=dict)
    """When the bucket of a source and of so many tokens a call will be full."""

    def take(self, source: str) -> None:
        """Count a call.

        Raises:
            Overloaded: it comes too early.
            asyncio.CancelledError: so many do that this is not answered: their client sees CANCELLED.
        """
        if early := self._early(source, 1.0):
            if self._early(source, ANSWER_TOKENS):
                raise asyncio.CancelledError
            raise Overloaded(early)

    def _early(self, source: str, tokens: float) -> float:
        """Take tokens; seconds until there are some, 0 if they were taken."""
        now = self.now()
        full = max(now, self._full.get((source, tokens), now)) + tokens / self.per_second
        if full - now > BURST_SECONDS:
            return full - now - BURST_SECONDS
        if len(self._full) > MOST_SOURCES:
            self._full = {bucket: moment for bucket, moment in self._full.items() if moment > now}
        self._full[source, tokens] = full
        return 0.0
