"""How many calls a second each source may start; those of one that starts far more end before any work is done.

Buckets of tokens, each kept as the moment at which it is full again (the generic cell rate algorithm). A refusal comes
late: who waits for it starts fewer calls, and who has cancelled by then is not answered, which costs more than to wait.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from libs.runtime.errors import Overloaded

BURST_SECONDS: Final = 2.0
"""The calls of so much time may come at once (taste, as the below)."""
REFUSAL_SECONDS: Final = 1.0
MOST_SOURCES: Final = 10_000


@dataclass(slots=True)
class Pace:
    """The pace of each source."""

    per_second: float
    now: Callable[[], float] = time.monotonic
    _full: dict[str, float] = field(default_factory=dict)
    """When a source's bucket will be full."""

    async def take(self, source: str, tokens: float = 1.0) -> None:
        """Count a call that costs so many tokens.

        Raises:
            Overloaded: it comes too early; it is not counted.
        """
        now = self.now()
        full = max(now, self._full.get(source, now)) + tokens / self.per_second
        if full - now > BURST_SECONDS:
            await asyncio.sleep(REFUSAL_SECONDS)
            raise Overloaded(full - now - BURST_SECONDS)
        if len(self._full) > MOST_SOURCES:
            self._full = {name: moment for name, moment in self._full.items() if moment > now}
        self._full[source] = full
