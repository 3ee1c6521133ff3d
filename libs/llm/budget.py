"""What a request's own limits, in tokens and dollars, leave for an answer."""

from libs.llm.errors import BudgetUsedUp
from libs.llm.settings import Price

_MILLION = 1e6
_UNLIMITED = 1 << 40


def output_allowance(asked: int, max_tokens: int, max_cost_usd: float, price: Price | None) -> int | None:
    """Most tokens that an answer may have; None where nothing limits it, 0 or less where nothing is left.

    Args:
        asked: tokens of the question, estimated.
        max_tokens: of question and answer together; 0 sets no limit.
        max_cost_usd: of question and answer together; 0 sets no limit.
        price: of the model; None where the price table hasn't got it.

    Raises:
        BudgetUsedUp: the cost is limited, and what the model costs is not known.
    """
    if not max_tokens and not max_cost_usd:
        return None
    by_tokens = max_tokens - asked if max_tokens else _UNLIMITED
    return min(by_tokens, _by_cost(asked, max_cost_usd, price) if max_cost_usd else _UNLIMITED)


def _by_cost(asked: int, max_cost_usd: float, price: Price | None) -> int:
    if price is None:
        raise BudgetUsedUp("the cost is limited, and the language model has no price in the table")
    left = max_cost_usd * _MILLION - asked * price.input
    if left < 0 or not price.output:
        return -1 if left < 0 else _UNLIMITED
    return int(left / price.output)
