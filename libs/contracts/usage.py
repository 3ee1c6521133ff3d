"""What a turn cost, and what of it could not be done."""

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """A process of the suite."""

    GATEWAY = "GATEWAY"
    INTENT = "INTENT"
    DECOMPOSE = "DECOMPOSE"
    RETRIEVE = "RETRIEVE"
    ANSWER = "ANSWER"
    TIMELINE = "TIMELINE"


class UsageSource(StrEnum):
    """Where token counts come from."""

    NONE = "NONE"
    PROVIDER = "PROVIDER"
    ESTIMATED = "ESTIMATED"


class CostSource(StrEnum):
    """Where the price comes from."""

    NONE = "NONE"
    PRICE_TABLE = "PRICE_TABLE"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Usage:
    """What one task of a stage used."""

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
    """Whether what it made was thrown away unseen."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a stage does now, in a few words for people."""

    activity: str


@dataclass(frozen=True, slots=True)
class Degraded:
    """What was left out or done the simpler way, openly."""

    stage: Stage
    reason: str
    """UPPER_SNAKE, for programs: a name of the contract's ErrorReason."""
    effect: str
    """One sentence for people."""
