"""What a request's limits leave for an answer."""

import pytest

from libs.llm.errors import BudgetUsedUp
from libs.llm.settings import Price
from libs.llm.usage import output_allowance

PRICE = Price(input=1.0, output=4.0)


@pytest.mark.parametrize(
    ("token_count", "max_tokens", "max_cost_usd", "left"),
    [
        (500, 0, 0.0, None),
        (500, 800, 0.0, 300),
        (500, 400, 0.0, -100),
        (500, 0, 0.0009, 100),  # 500 tokens read cost .0005, each one written .000004
        (500, 0, 0.0001, -1),
        (500, 560, 0.0009, 60),
        (500, 10_000, 0.0009, 100),
    ],
)
def test_tokens_and_dollars_are_those_of_question_and_answer_together(
    token_count: int, max_tokens: int, max_cost_usd: float, left: int | None
) -> None:
    assert output_allowance(token_count, max_tokens, max_cost_usd, PRICE) == left


def test_what_costs_nothing_is_not_limited_by_its_cost() -> None:
    assert output_allowance(500, 600, 0.01, Price(input=0, output=0)) == 100


def test_a_limited_cost_wants_a_price() -> None:
    with pytest.raises(BudgetUsedUp, match="price"):
        output_allowance(500, 0, 0.01, None)
    assert output_allowance(500, 600, 0.0, None) == 100
