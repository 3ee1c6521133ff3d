"""How many calls a process handles at once, found from how long they take.

A gradient rule, as in Envoy's adaptive concurrency and Netflix's concurrency-limits: after each window of calls the
limit is multiplied by TOLERANCE * (unloaded duration / present duration), at most 1, and a headroom of its square root
is added. Calls that wait for others, such as for a language model, do not get slower when more run at once, so their
limit grows; calls that compute settle at a few more than there are cores.

The unloaded duration is a moving average over the calls that ran while few did. In a lasting overload it stays as it
is; if the limit falls to the lowest, it is measured again, so work that has become slower for other reasons is not
taken for overload for long. Numbers that name no source are chosen by hand.
"""

from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, quantiles
from typing import Final

WINDOW_CALLS: Final = 20
"""Ended calls whose mean duration is compared: single turns differ tenfold."""
TOLERANCE: Final = 1.5
"""How many times slower than unloaded calls may be before the limit shrinks (as in Netflix's Gradient2)."""
MAX_DECREASE: Final = 0.5  # least factor on the limit in one step (taste)
SMOOTHING: Final = 0.05
"""Weight of one more call in the unloaded duration."""
WINDOW_SMOOTHING: Final = 0.3
"""Weight of one more window in the mean duration."""


@dataclass(slots=True)
class ConcurrencyLimit:
    """The limit of one process, in calls at once."""

    lowest: int
    highest: int
    start: int
    """The limit before anything was measured; between the two others, which win."""
    mean_seconds: float = 0.0
    """Moving average of the windows' mean durations; 0 before the first one's end."""
    _limit: float = 0.0
    _unloaded_seconds: float | None = None
    _durations: list[float] = field(default_factory=list)
    _most_at_once: int = 0

    def __post_init__(self) -> None:
        self._limit = self._bounded(self.start)

    @property
    def limit(self) -> int:
        """Calls that may run at once."""
        return int(self._limit)

    def observe(self, seconds: float, at_once: int) -> None:
        """Take in a call that ended.

        Args:
            seconds: how long it took, without its wait.
            at_once: how many calls ran when it began or ended, itself included: the larger number.
        """
        self._durations.append(seconds)
        self._most_at_once = max(self._most_at_once, at_once)
        if at_once <= self.lowest:
            before = seconds if self._unloaded_seconds is None else self._unloaded_seconds
            self._unloaded_seconds = before + SMOOTHING * (seconds - before)
        if len(self._durations) >= WINDOW_CALLS:
            self._end_window()

    def _end_window(self) -> None:
        present_seconds = fmean(self._durations)
        before = self.mean_seconds or present_seconds
        self.mean_seconds = before + WINDOW_SMOOTHING * (present_seconds - before)
        if self._unloaded_seconds is None:  # it began under load: its faster calls waited least for others
            self._unloaded_seconds = quantiles(self._durations)[0]
        self._limit = self._bounded(self._next(self._unloaded_seconds, present_seconds))
        self._durations, self._most_at_once = [], 0

    def _next(self, unloaded_seconds: float, present_seconds: float) -> float:
        gradient = TOLERANCE * unloaded_seconds / present_seconds if present_seconds else 1.0
        limit = self._limit * min(1.0, max(MAX_DECREASE, gradient)) + sqrt(self._limit)
        is_reached = self._most_at_once >= self.limit
        return limit if is_reached else min(limit, self._limit)  # a limit that was not reached has not been tried

    def _bounded(self, limit: float) -> float:
        return min(max(limit, self.lowest), self.highest)
