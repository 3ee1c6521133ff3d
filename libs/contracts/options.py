"""How a caller wants a thing done. What is absent or 0 means the stage's own setting."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters


class Fusion(StrEnum):
    """How scores of several engines become one."""

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
    """What a graph of sub-queries is for."""

    GENERAL = "GENERAL"
    TIMELINE = "TIMELINE"


@dataclass(frozen=True, slots=True)
class Depth:
    """How many candidates each step of retrieval looks at."""

    lexical: int = 0
    vector: int = 0
    rerank: int = 0
    evidence: int = 0


@dataclass(frozen=True, slots=True)
class RetrieveOptions:
    """Where and how to look."""

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
    """Whether the web is searched beside the collection."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What an answer may cost."""

    max_tokens: int = 0
    max_cost_usd: float = 0.0
    max_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Setting:
    """When and where the asker is."""

    now: datetime | None = None
    time_zone: str = ""
    place: str = ""
