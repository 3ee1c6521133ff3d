"""What a turn uses: tokens, costs and times, and how much of its budget is left."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from gateway.events.activities import ACTIVITIES, Activities
from gateway.turn.deadline_steps import TIMED_BY_STAGES
from libs.contracts.options import Budget
from libs.contracts.usage import CostSource, Stage, Usage, tokens_of

SMALLEST: Final = Budget(max_tokens=1, max_cost_usd=1e-9, max_seconds=1e-3)
"""Marks a limit as used up, since 0 means no limit; too small for any stage to start."""


@dataclass(slots=True)
class TurnUsage:
    """Collects what a turn uses: tokens, costs and times."""

    activities: Activities
    budget: Budget | None = None
    """Of the whole turn; 0 sets no limit."""
    tasks: list[Usage] = field(default_factory=list)
    stage_times: list[Usage] = field(default_factory=list)
    """Times of tasks within stage calls, as the stages reported them."""
    estimate: Usage | None = None
    """The estimated usage of the request to the writing language model, before it answered."""
    start_time: float = field(default_factory=time.perf_counter)
    """When work on the turn began, in time.perf_counter's seconds; includes the time of phase 1 after a pause."""

    @contextmanager
    def timed(self, stage: Stage, task: str) -> Iterator[None]:
        """Record the wall time of a call, even if it fails, and emit its begin and end as activities."""
        start, activity = time.perf_counter(), ACTIVITIES.get(task)
        self.activities.begin(stage, activity)
        try:
            yield
        finally:
            self.activities.end(stage, activity)
            milliseconds = round((time.perf_counter() - start) * 1000, 3)
            self.tasks.append(Usage(stage, task, milliseconds))

    def add(self, usage: Sequence[Usage]) -> None:
        """Add a stage's language model usage, without its times, which `timed` measures on the caller's side."""
        self.stage_times.extend(item for item in usage if (item.stage, item.task) in TIMED_BY_STAGES)
        model_usage = (item for item in usage if item.input_tokens or item.output_tokens)
        self.tasks.extend(replace(item, milliseconds=0.0) for item in model_usage)

    @property
    def budget_left(self) -> Budget | None:
        """The remaining budget; None if the turn has none."""
        if self.budget is None:
            return None
        return remaining_budget(self.budget, self.tasks, time.perf_counter() - self.start_time)


def remaining_budget(budget: Budget, usage: Sequence[Usage], seconds: float) -> Budget:
    """Return the remaining budget; a limit with nothing left becomes that of `SMALLEST`.

    Args:
        budget: the budget of the whole turn; 0 sets no limit.
        usage: the usage of the stages so far. An unknown cost uses up a limit on the cost.
        seconds: the time since the turn began.
    """
    is_cost_known = all(item.cost_source is not CostSource.UNKNOWN for item in usage)
    cost = sum(item.cost_usd for item in usage) if is_cost_known else budget.max_cost_usd
    return Budget(
        max_tokens=max(budget.max_tokens - tokens_of(usage), SMALLEST.max_tokens) if budget.max_tokens else 0,
        max_cost_usd=max(budget.max_cost_usd - cost, SMALLEST.max_cost_usd) if budget.max_cost_usd else 0.0,
        max_seconds=max(budget.max_seconds - seconds, SMALLEST.max_seconds) if budget.max_seconds else 0.0,
    )


def is_used_up(budget: Budget | None) -> bool:
    """Whether one of the limits is used up."""
    return budget is not None and (
        budget.max_tokens == SMALLEST.max_tokens
        or budget.max_cost_usd == SMALLEST.max_cost_usd
        or budget.max_seconds == SMALLEST.max_seconds
    )
