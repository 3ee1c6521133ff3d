"""Options of a request. An absent value or 0 means the stage's own setting."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from libs.contracts.dates import TimeRange
from libs.contracts.query import Filters


class Fusion(StrEnum):
    """How engines' scores are combined: added, by reciprocal ranks, scaled to 0 to 1, or full text's alone."""

    SUM = "SUM"
    RRF = "RRF"
    MIN_MAX = "MIN_MAX"
    LEXICAL = "LEXICAL"


class Length(StrEnum):
    """How long an answer should be: a sentence or two, a paragraph or two, as long as the evidence allows."""

    SHORT = "SHORT"
    MEDIUM = "MEDIUM"
    LONG = "LONG"


class Scene(StrEnum):
    """The purpose of a graph of sub-queries."""

    GENERAL = "GENERAL"
    TIMELINE = "TIMELINE"


@dataclass(frozen=True, slots=True)
class Depth:
    """Number of candidates of the full-text and the vector engine, and for the reranker; and of results."""

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
    """Passages that tell of a day in it, or are dated within it, rank higher; dates are not searched as words."""
    principals: tuple[str, ...] = ()
    """The caller's names; restricted documents are found only for one of theirs."""
    depth: Depth | None = None
    fusion: Fusion | None = None
    lexical_weight: float | None = None
    vector_weight: float | None = None
    ranking: int = 0
    """Places of the ranking before near duplicates are grouped that are returned, too; 0 for none."""
    web: bool = False
    """Whether to search the web in addition to the collection."""
    now: datetime | None = None
    """The moment of asking; None for the current time. A question about now finds the versions that hold then."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on tokens (read and written), US dollars and wall time of an answer."""

    max_tokens: int = 0
    max_cost_usd: float = 0.0
    max_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Setting:
    """The time and place of the user; the zone by its IANA name."""

    now: datetime | None = None
    time_zone: str = ""
    place: str = ""
