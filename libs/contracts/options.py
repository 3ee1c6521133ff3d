"""Options of a request. An absent value or 0 means the stage's own setting."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters


class Fusion(StrEnum):
    """How the scores of several engines are combined."""

    SUM = "SUM"
    RRF = "RRF"
    MIN_MAX = "MIN_MAX"
    LEXICAL = "LEXICAL"


class Length(StrEnum):
    """How long an answer should be."""

    SHORT = "SHORT"
    MEDIUM = "MEDIUM"
    LONG = "LONG"


class Scene(StrEnum):
    """The purpose of a graph of sub-queries."""

    GENERAL = "GENERAL"
    TIMELINE = "TIMELINE"


@dataclass(frozen=True, slots=True)
class Depth:
    """Number of candidates for each step of retrieval."""

    lexical: int = 0
    vector: int = 0
    rerank: int = 0
    evidence: int = 0


@dataclass(frozen=True, slots=True)
class RetrieveOptions:
    """Where and how to search."""

    collection: str = ""
    filters: Filters | None = None
    boost: TimeRange | None = None
    principals: tuple[str, ...] = ()
    depth: Depth | None = None
    fusion: Fusion | None = None
    lexical_weight: float | None = None
    vector_weight: float | None = None
    ranking: int = 0
    web: bool = False
    """Whether to search the web in addition to the collection."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on tokens, cost and time of an answer."""

    max_tokens: int = 0
    max_cost_usd: float = 0.0
    max_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Setting:
    """The time and place of the user."""

    now: datetime | None = None
    time_zone: str = ""
    place: str = ""
