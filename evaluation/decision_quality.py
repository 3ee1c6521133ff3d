"""How well a score separates two kinds of tasks, and how good a decision based on it is."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from evaluation.tables import share, three

HEADINGS: Final = ("against", "caught", "false alarms", "F1")


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """The chance that a positive scores higher than a negative, ties counting half; None if either kind is missing."""
    if not positives or not negatives:
        return None
    sorted_negatives = sorted(negatives)
    wins = sum(bisect_left(sorted_negatives, score) + bisect_right(sorted_negatives, score) for score in positives)
    return wins / (2 * len(positives) * len(negatives))


def hits_row(against: str, positives: Sequence[bool], negatives: Sequence[bool]) -> tuple[str, str, str, str]:
    """A row of decisions, one per task: what was caught, the false alarms, F1 (0 if nothing was caught)."""
    caught, false_alarms = sum(positives), sum(negatives)
    f1 = 2 * caught / (caught + false_alarms + len(positives)) if caught else 0.0
    return against, share(caught, len(positives)), share(false_alarms, len(negatives)), three(f1)
