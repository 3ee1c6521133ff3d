"""The usage of a task, and what a request's limits leave for it. Pure functions.

Tokens are counted by the provider, else estimated; the cost is from the price table, else unknown.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from libs.contracts.usage import CostSource, Stage, Usage, UsageSource
from libs.llm.errors import BudgetUsedUp
from libs.llm.messages import Message
from libs.llm.settings import Price

_CHARACTERS_PER_TOKEN = 4
"""OpenAI's rule of thumb for English (help.openai.com, "What are tokens")."""
_TOKENS_PER_MESSAGE = 4
"""Role and separators, as OpenAI's cookbook counts them."""
_WIDE = re.compile("[\u2e80-\U0010ffff]")
"""Characters (Han, Kana, Hangul and others) that are about one token each."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    """Input and output tokens."""

    input: int
    output: int


def estimate_tokens(text: str) -> int:
    """Estimate the number of tokens in a text, without the model's vocabulary."""
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // _CHARACTERS_PER_TOKEN)


def estimate_count(messages: Sequence[Message], answer: str) -> TokenCount:
    """Estimate the number of tokens in a request and its answer."""
    prompt_tokens = sum(estimate_tokens(message.content) + _TOKENS_PER_MESSAGE for message in messages)
    return TokenCount(prompt_tokens, estimate_tokens(answer))


@dataclass(frozen=True, slots=True)
class Meter:
    """Converts token counts to usages; one for each stage."""

    stage: Stage
    prices: Mapping[str, Price]

    def measure(self, task: str, model: str, milliseconds: float, tokens: TokenCount, source: UsageSource) -> Usage:
        """The usage of one request; `source` says who counted its tokens."""
        price = self.prices.get(model)
        return Usage(
            stage=self.stage,
            task=task,
            milliseconds=milliseconds,
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cost_usd=(tokens.input * price.input + tokens.output * price.output) / 1e6 if price else 0.0,
            usage_source=source,
            cost_source=CostSource.PRICE_TABLE if price else CostSource.UNKNOWN,
            model=model,
        )


def total_usage(parts: Iterable[Usage]) -> Usage:
    """Sum the usages of several requests of one task; the total is estimated or unknown if any part is.

    Raises:
        ValueError: `parts` is empty.
    """
    first, *_ = usages = list(parts)
    any_estimated = any(usage.usage_source is UsageSource.ESTIMATED for usage in usages)
    any_unknown = any(usage.cost_source is CostSource.UNKNOWN for usage in usages)
    return replace(
        first,
        milliseconds=sum(usage.milliseconds for usage in usages),
        input_tokens=sum(usage.input_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        cost_usd=sum(usage.cost_usd for usage in usages),
        usage_source=UsageSource.ESTIMATED if any_estimated else first.usage_source,
        cost_source=CostSource.UNKNOWN if any_unknown else first.cost_source,
    )


_MILLION = 1e6  # tokens, to which prices refer
_UNLIMITED = 1 << 40  # more tokens than any answer has


def output_allowance(prompt_tokens: int, max_tokens: int, max_cost_usd: float, price: Price | None) -> int | None:
    """Most tokens that an answer may have; None if there is no limit, 0 or less if nothing is left.

    Args:
        prompt_tokens: estimated tokens of the prompt.
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
        raise BudgetUsedUp("the cost is limited, but the language model has no price in PARLEY_LLM_PRICES")
    allowance = max_cost_usd * _MILLION - prompt_tokens * price.input
    if allowance < 0 or not price.output:
        return -1 if allowance < 0 else _UNLIMITED
    return int(allowance / price.output)
