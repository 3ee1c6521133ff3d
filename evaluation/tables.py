"""A table of `parley eval score`: its rows by domain, its figures, and its numbers as people read them. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from evaluation.runs import TaskRun
from evaluation.tasks import Task

Runs = Mapping[str, TaskRun]
T = TypeVar("T")
ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Report:
    """A table with its title."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def runs_of(tasks: Iterable[Task], runs: Runs) -> list[tuple[Task, TaskRun]]:
    """The tasks in the run, each with its result."""
    return [(task, runs[task.task_id]) for task in tasks if task.task_id in runs]


def by_domain(items: Sequence[tuple[Task, T]]) -> Iterator[tuple[str, list[tuple[Task, T]]]]:
    """Yield the items of each domain, then all; nothing if there are none."""
    for domain in sorted({task.domain for task, _ in items}):
        yield domain, [item for item in items if item[0].domain == domain]
    if items:
        yield ALL, list(items)


def three(value: float) -> str:
    """Such as "0.953"."""
    return f"{value:.3f}"


def part(count: int, total: int) -> str:
    """Such as "0.953"; a dash if the total is 0."""
    return three(count / total) if total else "-"


def share(count: int, total: int) -> str:
    """Such as "3 (0.7 %)"."""
    return f"{count} ({100 * count / total:.1f} %)" if total else str(count)


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """The chance that a positive scores higher than a negative, ties counting half; None if either kind is missing."""
    if not positives or not negatives:
        return None
    sorted_negatives = sorted(negatives)
    wins = sum(bisect_left(sorted_negatives, score) + bisect_right(sorted_negatives, score) for score in positives)
    return wins / (2 * len(positives) * len(negatives))


def hits_report(
    decision: str, decisions: Sequence[tuple[str, bool]], positive: str, against: Mapping[str, Collection[str]]
) -> Report:
    """What a decision caught of one answerability, beside its false alarms on others, and F1 (0 if nothing was caught).

    Args:
        decision: what was decided, for the title.
        decisions: the answerability of each task, and whether the decision was taken for it.
        positive: the answerability that it should catch.
        against: the answerabilities of each row; a row without tasks is left out.
    """
    positives = [taken for kind, taken in decisions if kind == positive]
    rows = []
    for name, kinds in against.items():
        negatives = [taken for kind, taken in decisions if kind in kinds]
        if positives and negatives:
            rows.append((name, *_hits(positives, negatives)))
    return Report(f"{decision}, {positive}", ("against", "caught", "false alarms", "F1"), tuple(rows))


def _hits(positives: Sequence[bool], negatives: Sequence[bool]) -> tuple[str, str, str]:
    caught, false_alarms = sum(positives), sum(negatives)
    f1 = 2 * caught / (caught + false_alarms + len(positives)) if caught else 0.0
    return share(caught, len(positives)), share(false_alarms, len(negatives)), three(f1)
