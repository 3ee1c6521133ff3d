"""Places for calls that do not wait: a call that finds none is refused, and no caller takes those of all others.

A caller may hold as many places as are free: one alone gets half of them, each of n callers gets 1/(n+1). So there is a
place for whoever comes next, however many calls the others make (Choudhury and Hahne's dynamic thresholds).
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from libs.runtime.errors import Overloaded

RETRY_SECONDS: Final = 0.5
"""Seconds that a caller is asked to wait after RESOURCE_EXHAUSTED (taste)."""


@dataclass(slots=True)
class Places:
    """The places of one kind of calls."""

    limit: int
    held: int = 0
    _by_caller: Counter[str] = field(default_factory=Counter)

    def take(self, caller: str, places: int = 1) -> None:
        """Take places; callers that have no names share them without rules.

        Raises:
            Overloaded: there are not so many for this caller.
        """
        if places + (self._by_caller[caller] if caller else 0) > self.limit - self.held:
            raise Overloaded(RETRY_SECONDS)
        self.count(caller, places)

    def count(self, caller: str, by: int) -> None:
        """Give places back (-1), or take back what was only lent to others (+1), even if all are held by now."""
        self.held += by
        self._by_caller[caller] += by
        if not self._by_caller[caller]:
            del self._by_caller[caller]
