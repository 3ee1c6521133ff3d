"""The budget of a whole turn, and how much of it remains for the next stage."""

from collections.abc import Sequence

from libs.contracts.options import Budget
from libs.contracts.usage import CostSource, Usage

SMALLEST = Budget(max_tokens=1, max_cost_usd=1e-9, max_seconds=1e-3)
"""Marks a limit as used up, since 0 means no limit; too small for any stage to start."""


def left_of(budget: Budget | None, used: Sequence[Usage], seconds: float) -> Budget | None:
    """Return the remaining budget; a limit with nothing left becomes that of `SMALLEST`.

    Args:
        budget: the budget of the whole turn; 0 sets no limit.
        used: the usage of the stages so far. An unknown cost uses up a limit on the cost.
        seconds: the time since the turn began.
    """
    if budget is None:
        return None
    tokens = sum(usage.input_tokens + usage.output_tokens for usage in used)
    known = all(usage.cost_source is not CostSource.UNKNOWN for usage in used)
    cost = sum(usage.cost_usd for usage in used) if known else budget.max_cost_usd
    return Budget(
        max_tokens=max(budget.max_tokens - tokens, SMALLEST.max_tokens) if budget.max_tokens else 0,
        max_cost_usd=max(budget.max_cost_usd - cost, SMALLEST.max_cost_usd) if budget.max_cost_usd else 0.0,
        max_seconds=max(budget.max_seconds - seconds, SMALLEST.max_seconds) if budget.max_seconds else 0.0,
    )


def is_used_up(left: Budget | None) -> bool:
    """Whether one of the limits is used up."""
    return left is not None and (
        left.max_tokens == SMALLEST.max_tokens
        or left.max_cost_usd == SMALLEST.max_cost_usd
        or left.max_seconds == SMALLEST.max_seconds
    )
