"""What is left of a turn's budget."""

import pytest

from gateway.events.activities import Activities
from gateway.turn.turn_usage import SMALLEST, TurnUsage, is_used_up, remaining_budget
from libs.contracts.options import Budget
from libs.contracts.usage import CostSource, Stage, Usage

CONDENSED = Usage(Stage.DECOMPOSE, "condense", 0.0, 300, 20, 0.002, cost_source=CostSource.PRICE_TABLE)
UNPRICED = Usage(Stage.INTENT, "understand", 0.0, 100, 10, 0.0, cost_source=CostSource.UNKNOWN)
TIMED = Usage(Stage.RETRIEVE, "retrieve", 12.0)


def test_without_a_budget_nothing_is_limited() -> None:
    assert TurnUsage(Activities(), None, [CONDENSED]).budget_left is None
    assert not is_used_up(None)


def test_usage_is_subtracted_from_each_limit() -> None:
    budget = remaining_budget(Budget(1000, 0.01, 8.0), [CONDENSED, TIMED], 3.0)
    assert budget.max_tokens == 680
    assert budget.max_cost_usd == pytest.approx(0.008)
    assert budget.max_seconds == pytest.approx(5.0)
    assert not is_used_up(budget)


def test_an_absent_limit_stays_absent() -> None:
    assert remaining_budget(Budget(max_tokens=1000), [CONDENSED], 3.0) == Budget(max_tokens=680)


@pytest.mark.parametrize("budget", [Budget(max_tokens=320), Budget(max_cost_usd=0.001), Budget(max_seconds=2.0)])
def test_a_reached_limit_differs_from_no_limit(budget: Budget) -> None:
    remainder = remaining_budget(budget, [CONDENSED], 3.0)
    assert is_used_up(remainder)
    assert max(remainder.max_tokens, remainder.max_cost_usd, remainder.max_seconds) > 0


def test_an_unknown_cost_uses_up_the_cost_limit_only() -> None:
    budget = remaining_budget(Budget(max_tokens=1000, max_cost_usd=1.0), [UNPRICED], 0.0)
    assert budget == Budget(max_tokens=890, max_cost_usd=SMALLEST.max_cost_usd)
