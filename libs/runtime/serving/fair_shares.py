"""How much of a process each caller has had lately."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

WINDOW_SECONDS: Final = 5.0
"""What counts as lately: this window and the one before."""


@dataclass(slots=True)
class FairShares:
    """Counts the calls that each caller was given a place for.

    Args:
        clock: seconds of a monotonic clock.
    """

    clock: Callable[[], float]
    _window: Counter[str] = field(default_factory=Counter)
    _before: Counter[str] = field(default_factory=Counter)
    _window_end: float = 0.0

    def asks(self, caller: str) -> None:
        """Count the caller among those that share the process."""
        self._turn_over()
        self._window[caller] += 0

    def gets(self, caller: str) -> None:
        """Count a place that the caller was given."""
        self._turn_over()
        self._window[caller] += 1

    def has_more_than_its_share(self, caller: str) -> bool:
        """Whether the caller has had at least as many places as the mean of all callers, and is not the only one."""
        callers = len(self._window.keys() | self._before.keys())
        calls = self._window.total() + self._before.total()
        return callers > 1 and (self._window[caller] + self._before[caller]) * callers >= calls > 0

    def _turn_over(self) -> None:
        now = self.clock()
        if now >= self._window_end:
            is_next = now < self._window_end + WINDOW_SECONDS
            self._before = self._window if is_next else Counter()
            self._window, self._window_end = Counter(), now + WINDOW_SECONDS
