"""What the answer stage is asked, with the field names of its contract."""

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
    """What an answer may cost; 0 leaves it to the stage's settings."""

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
    """Who asks; pictures of restricted documents are looked at for them."""
    searches: tuple[NodeSearch, ...] = ()
    """What each node of the plan was searched by; without it the evidence tells which words are rare."""
    follows_up: bool = False
    """Whether the question leans on the conversation, or has words of it."""
    turn: str = ""
    """The last turn as it was said, where it is not sure yet that the question stands alone."""
    follow_ups: int = 0
    """How many questions to ask next are wanted."""


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    """A sub-query with its evidence, the best first."""

    question: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """Sentences with the passages that are said to bear them out."""

    sentences: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class RecommendRequest:
    """What follow-ups are made from."""

    question: str
    evidence: tuple[Evidence, ...] = ()
    view: ConversationView = field(default_factory=ConversationView)
    answer: str = ""
