"""What is asked: the decision about a follow-up, the query that goes to retrieval, the graph of sub-queries."""

from dataclasses import dataclass, field
from enum import StrEnum

from services.vocabulary.dates import TimeRange


class Decision(StrEnum):
    """What was done with the last turn."""

    PASS = "PASS"
    CONDENSE = "CONDENSE"
    SWITCH = "SWITCH"
    CLARIFY = "CLARIFY"


class Strategy(StrEnum):
    """How a follow-up becomes a query."""

    LAST_TURN = "LAST_TURN"
    LADDER = "LADDER"
    WEIGHTED = "WEIGHTED"
    MMR = "MMR"
    MULTI_QUERY = "MULTI_QUERY"
    LLM = "LLM"


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A word that searches beside the query; weight > 0, 1 counts like a word of the last turn."""

    term: str
    weight: float


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A text whose embedding is added to the query's; the weight may be negative, 1 counts like the last turn."""

    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class WeightedQuery:
    """What retrieval searches by: not one string but the main text with weighted history beside it."""

    text: str
    """The text embedded and tokenised with weight 1: the standalone question, or the last turn."""
    terms: tuple[WeightedTerm, ...] = ()
    texts: tuple[WeightedText, ...] = ()
    variants: tuple[WeightedText, ...] = ()
    """Further wordings that are each searched by themselves; their scores are weighted and merged."""


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """Why a follow-up was changed or left alone."""

    decision: Decision
    reason: str
    raw: str
    standalone: str
    confidence: float = 1.0
    antecedent_turn: int | None = None
    """Index into the user turns of the conversation, 0 the oldest one shown."""
    antecedents: tuple[str, ...] = ()
    added_terms: tuple[WeightedTerm, ...] = ()
    query: WeightedQuery | None = None
    strategy: Strategy = Strategy.LADDER
    engine: str = "rules"


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A registered typed function with its arguments as text; `#id` stands for a node's answer."""

    name: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryNode:
    """One sub-query. `links` names the nodes whose answers it waits for."""

    id: str
    text: str
    need_rag: bool = True
    function_call: FunctionCall | None = None
    answer: str | None = None
    links: tuple[str, ...] = ()
    query: WeightedQuery | None = None
    """What retrieval searches by; None means the text alone."""


@dataclass(frozen=True, slots=True)
class QueryGraph:
    """Sub-queries and what they wait for; acyclic."""

    nodes: tuple[QueryNode, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which passages may be found at all; everything given must hold."""

    dates: TimeRange | None = None
    """The document's date must lie in it; documents without a date pass only when `undated` is true."""
    undated: bool = False
    sources: tuple[str, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    document_ids: tuple[str, ...] = ()
