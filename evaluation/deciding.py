"""How well a score tells two kinds of tasks apart, and how well a decision made by it hits."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """The chance that a positive scores higher than a negative, ties counting half; None when either is missing."""
    if not positives or not negatives:
        return None
    ordered = sorted(negatives)
    wins = sum(bisect_left(ordered, score) + bisect_right(ordered, score) for score in positives)
    return wins / (2 * len(positives) * len(negatives))


@dataclass(frozen=True, slots=True)
class Hits:
    """What a yes-or-no decision caught: counts."""

    caught: int
    """Positives decided yes."""
    positives: int
    false_alarms: int
    """Negatives decided yes."""
    negatives: int

    @property
    def recall(self) -> float:
        """Of the positives, the part that was caught; 0 when there are none."""
        return self.caught / self.positives if self.positives else 0.0

    @property
    def false_alarm_rate(self) -> float:
        """Of the negatives, the part that was taken for positive; 0 when there are none."""
        return self.false_alarms / self.negatives if self.negatives else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 when nothing was caught."""
        return 2 * self.caught / (self.caught + self.false_alarms + self.positives) if self.caught else 0.0


def count_hits(positives: Sequence[bool], negatives: Sequence[bool]) -> Hits:
    """The counts of decisions, one a task."""
    return Hits(sum(positives), len(positives), sum(negatives), len(negatives))
