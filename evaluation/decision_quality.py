"""How well a score separates two kinds of tasks, and how good a decision based on it is."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """The chance that a positive scores higher than a negative, ties counting half; None if either kind is missing."""
    if not positives or not negatives:
        return None
    sorted_negatives = sorted(negatives)
    wins = sum(bisect_left(sorted_negatives, score) + bisect_right(sorted_negatives, score) for score in positives)
    return wins / (2 * len(positives) * len(negatives))


@dataclass(frozen=True, slots=True)
class DecisionCounts:
    """Counts of a yes-or-no decision."""

    caught: int
    """Positives decided yes."""
    positives: int
    false_alarms: int
    """Negatives decided yes."""
    negatives: int

    @property
    def recall(self) -> float:
        """The share of positives that were caught; 0 if there are none."""
        return self.caught / self.positives if self.positives else 0.0

    @property
    def false_alarm_rate(self) -> float:
        """The share of negatives that were decided yes; 0 if there are none."""
        return self.false_alarms / self.negatives if self.negatives else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 if nothing was caught."""
        return 2 * self.caught / (self.caught + self.false_alarms + self.positives) if self.caught else 0.0


def count_hits(positives: Sequence[bool], negatives: Sequence[bool]) -> DecisionCounts:
    """Count decisions, one per task."""
    return DecisionCounts(sum(positives), len(positives), sum(negatives), len(negatives))
