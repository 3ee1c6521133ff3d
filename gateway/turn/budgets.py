"""The budget of a whole turn, and how much of it remains for the next stage."""

from collections.abc import Sequence

from libs.contracts.options import Budget
from libs.contracts.usage import CostSource, Usage

SMALLEST = Budget(max_tokens=1, max_cost_usd=1e-9, max_seconds=1e-3)
"""Marks a limit as used up, since 0 means no limit; too small for any stage to start."""


def remaining_budget(budget: Budget | None, usage: Sequence[Usage], seconds: float) -> Budget | None:
    """Return the remaining budget; a limit with nothing left becomes that of `SMALLEST`.

    Args:
        budget: the budget of the whole turn; 0 sets no limit.
        usage: the usage of the stages so far. An unknown cost uses up a limit on the cost.
        seconds: the time since the turn began.
    """
    if budget is None:
        return None
    tokens = sum(item.input_tokens + item.output_tokens for item in usage)
    is_cost_known = all(item.cost_source is not CostSource.UNKNOWN for item in usage)
    cost = sum(item.cost_usd for item in usage) if is_cost_known else budget.max_cost_usd
    return Budget(
        max_tokens=max(budget.max_tokens - tokens, SMALLEST.max_tokens) if budget.max_tokens else 0,
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
