"""The output tokens that a request's own limits, in tokens and dollars, leave for an answer."""

from libs.llm.errors import BudgetUsedUp
from libs.llm.settings import Price

_MILLION = 1e6
_UNLIMITED = 1 << 40


def output_allowance(prompt_tokens: int, max_tokens: int, max_cost_usd: float, price: Price | None) -> int | None:
    """Most tokens that an answer may have; None if there is no limit, 0 or less if nothing is left.

    Args:
        asked: estimated tokens of the prompt.
        max_tokens: limit for prompt and answer together; 0 sets no limit.
        max_cost_usd: limit for prompt and answer together; 0 sets no limit.
        price: the model's price; None if it isn't in the price table.

    Raises:
        BudgetUsedUp: the cost is limited, and the model's price is unknown.
    """
    if not max_tokens and not max_cost_usd:
        return None
    by_tokens = max_tokens - prompt_tokens if max_tokens else _UNLIMITED
    return min(by_tokens, _by_cost(prompt_tokens, max_cost_usd, price) if max_cost_usd else _UNLIMITED)


def _by_cost(prompt_tokens: int, max_cost_usd: float, price: Price | None) -> int:
    if price is None:
        raise BudgetUsedUp("the cost is limited, and the language model has no price in the table")
    allowance = max_cost_usd * _MILLION - prompt_tokens * price.input
    if allowance < 0 or not price.output:
        return -1 if allowance < 0 else _UNLIMITED
    return int(allowance / price.output)
