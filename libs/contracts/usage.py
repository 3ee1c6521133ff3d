"""The cost of a turn, and the parts of it that could not be done."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Stage(StrEnum):
    """A process of the suite."""

    GATEWAY = "GATEWAY"
    INTENT = "INTENT"
    DECOMPOSE = "DECOMPOSE"
    RETRIEVE = "RETRIEVE"
    ANSWER = "ANSWER"
    TIMELINE = "TIMELINE"


class UsageSource(StrEnum):
    """The origin of token counts: no model was called, the provider counted them, or they are estimated."""

    NONE = "NONE"
    PROVIDER = "PROVIDER"
    ESTIMATED = "ESTIMATED"


class CostSource(StrEnum):
    """The origin of the price: nothing was to be paid, the price table of the settings, or it is not known."""

    NONE = "NONE"
    PRICE_TABLE = "PRICE_TABLE"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Usage:
    """Time, tokens and cost of one task of a stage."""

    stage: Stage
    task: str
    milliseconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    usage_source: UsageSource = UsageSource.NONE
    cost_source: CostSource = CostSource.NONE
    model: str = ""
    discarded: bool = False
    """Whether the result was discarded without being shown."""


def tokens_of(usage: Iterable[Usage]) -> int:
    """All tokens that language models read and wrote, also for what was discarded."""
    return sum(item.input_tokens + item.output_tokens for item in usage)


@dataclass(frozen=True, slots=True)
class Progress:
    """A stage's current activity, in a few words for people."""

    activity: str


PROGRESS_OFF: Final = ("x-progress", "off")
"""Metadata of a call of a stage whose caller wants no progress."""


@dataclass(frozen=True, slots=True)
class Degraded:
    """A report that something was left out or done in a simpler way."""

    stage: Stage
    reason: str
    """UPPER_SNAKE, for programs: a name of the contract's ErrorReason."""
    effect: str
    """One sentence for people."""
