"""The steps that a turn leaves out as its deadline comes near, in this order.

Each step needs the time that it took in earlier turns, so a turn that has less time left than the answer and all later
steps need together goes without it. Times are learned from the usage that every turn records, also one that failed:
a smoothed mean and deviation, as TCP estimates its round trips (RFC 6298), so that a single slow turn changes little.
Steps that were never taken count as taking no time.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from libs.contracts.usage import Degraded, Stage, Usage
from libs.runtime import deadline

Task = tuple[Stage, str]
"""A stage and one of its tasks, as usage names them."""

ENDING: Final = 0.5
"""Seconds at the end of a turn that no step may take: the turn is stored then. Taste."""
SHARE: Final = 1 / 3
"""Maximum share of the time left for a call of a stage that the answer can do without: taste."""
MEAN_WEIGHT: Final = 1 / 8
DEVIATION_WEIGHT: Final = 1 / 4
"""Weights of a new time in the smoothed mean and deviation (RFC 6298)."""
DEVIATIONS: Final = 1.0
"""Deviations above the mean that a task is given. RFC 6298 has 4, since a timeout that is too short is costly; here a
turn would leave out what mostly would have been in time."""
RERANKED: Final = 20
"""Passages that are reranked if there is no time for the usual number (150): taste."""


class Step(Enum):
    """The steps, in the order in which they are left out: what takes their time, and what is said without them."""

    TIMELINE = ((Stage.TIMELINE, "build"),), Stage.TIMELINE, "There is no timeline"
    IMAGES = ((Stage.ANSWER, "place"),), Stage.ANSWER, "No pictures are placed"
    FOLLOW_UPS = ((Stage.RETRIEVE, "recommend"),), Stage.ANSWER, "No follow-up questions are proposed"
    RERANKING = ((Stage.RETRIEVE, "rerank"),), Stage.RETRIEVE, f"Only the first {RERANKED} passages were reranked"
    SPLITTING = (
        ((Stage.DECOMPOSE, "decompose"), (Stage.ANSWER, "extract")),
        Stage.DECOMPOSE,
        "The question was searched as a whole, so its parts may be answered unevenly",
    )

    def __init__(self, tasks: tuple[Task, ...], stage: Stage, effect: str) -> None:
        self.tasks = tasks
        self.degraded = Degraded(stage, "DEADLINE_NEAR", f"{effect}, as the deadline is near.")
        """Says that the step was left out."""


ANSWER: Final[tuple[Task, ...]] = ((Stage.RETRIEVE, "retrieve"), (Stage.ANSWER, "write"))
"""Tasks that every answer needs, once the question is understood."""
TURN: Final[tuple[Task, ...]] = ((Stage.DECOMPOSE, "condense"), (Stage.INTENT, "understand"), *ANSWER)
"""Tasks that every turn needs."""
TIMED_BY_STAGES: Final = frozenset({(Stage.ANSWER, "place"), (Stage.RETRIEVE, "rerank")})
"""Tasks within a call, whose times the stages report; the gateway measures the others."""


@dataclass(slots=True)
class StepTimes:
    """What the steps took lately, in one process."""

    _times: dict[Task, tuple[float, float]] = field(default_factory=dict)
    """The smoothed mean and deviation of each task's seconds."""

    def observe(self, usage: Iterable[Usage]) -> None:
        """Learn from a turn's tasks, the longest time of each; those that took none are ignored."""
        longest: dict[Task, float] = {}
        for item in usage:
            task = item.stage, item.task
            longest[task] = max(longest.get(task, 0.0), item.milliseconds / 1000)
        for task, seconds in longest.items():
            if seconds > 0:
                mean, deviation = self._times.get(task, (seconds, seconds / 2))  # as RFC 6298 begins
                if task in self._times:
                    deviation += DEVIATION_WEIGHT * (abs(seconds - mean) - deviation)
                self._times[task] = mean + MEAN_WEIGHT * (seconds - mean), deviation

    def omissions(self, seconds_left: float | None, tasks: Iterable[Task]) -> frozenset[Step]:
        """Return the steps that a turn goes without.

        Args:
            seconds_left: until its deadline; None if it has none.
            tasks: what is still to be done of what it cannot go without.
        """
        if seconds_left is None:
            return frozenset()
        needed, omitted = ENDING + self._seconds(tasks), set[Step]()
        for step in reversed(Step):
            needed += self._seconds(step.tasks)
            if seconds_left < needed and not self._times.keys().isdisjoint(step.tasks):
                omitted.add(step)
        return frozenset(omitted)

    def _seconds(self, tasks: Iterable[Task]) -> float:
        times = (self._times[task] for task in tasks if task in self._times)
        return sum(mean + DEVIATIONS * deviation for mean, deviation in times)


@contextmanager
def dispensable() -> Iterator[None]:
    """Give the calls in the block a share of the time left, so that the answer can still be given without them."""
    left = deadline.remaining()
    with deadline.limited(None if left is None else SHARE * left):
        yield


def seconds_before_ending(seconds: float) -> float:
    """Return how long a step beside the answer may take: at most `seconds`, and until the turn must end."""
    left = deadline.remaining()
    return seconds if left is None else max(0.0, min(seconds, left - ENDING))
