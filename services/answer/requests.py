"""Requests to the answer stage, with the field names of its contract."""

from dataclasses import dataclass, field
from enum import StrEnum

from libs.contracts.conversation import ConversationView
from libs.contracts.evidence import Evidence, Passage, Reference
from libs.contracts.query import NodeSearch, QueryGraph
from libs.contracts.understanding import Understanding


class Length(StrEnum):
    """How long an answer should be."""

    SHORT = "SHORT"
    MEDIUM = "MEDIUM"
    LONG = "LONG"


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on the cost of an answer; 0 means the stage's settings."""

    max_tokens: int = 0
    max_cost_usd: float = 0.0
    max_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """Everything an answer is written from."""

    question: str
    graph: QueryGraph | None = None
    references: tuple[Reference, ...] = ()
    view: ConversationView = field(default_factory=ConversationView)
    understanding: Understanding | None = None
    language: str = ""
    """BCP 47; empty means the question's own."""
    length: Length | None = None
    """None means the stage's setting."""
    budget: Budget = Budget()
    never_abstain: bool = False
    model: str = ""
    """The language model that writes; empty means the stage's own."""
    principals: tuple[str, ...] = ()
    """The requester's identities; they decide which pictures of restricted documents may be read."""
    searches: tuple[NodeSearch, ...] = ()
    """The search of each graph node; without it, term rarities are computed from the evidence."""
    follows_up: bool = False
    """Whether the question depends on the conversation or includes words from it."""
    turn: str = ""
    """The last turn in its original words, if the question may not be standalone yet."""
    follow_ups: int = 0
    """How many follow-ups to recommend."""


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """A sub-query with its evidence, best first."""

    question: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """Sentences with the passages that are claimed to support them."""

    sentences: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class RecommendRequest:
    """The input for recommending follow-ups."""

    question: str
    evidence: tuple[Evidence, ...] = ()
    view: ConversationView = field(default_factory=ConversationView)
    answer: str = ""
