"""A table of `parley eval score`: its rows by domain, its numbers as people read them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
