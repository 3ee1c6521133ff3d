"""What is asked: the decision about a follow-up, the query that goes to retrieval, the graph of sub-queries."""

from dataclasses import dataclass, field
from enum import StrEnum

from libs.contracts.answers import CitedSpan
from libs.contracts.conversation import Speaker
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import EngineScores


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
    """A word, or several, that search beside the query; weight > 0, 1 counts like a word of the last turn."""

    term: str
    weight: float


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A text whose embedding is added to the query's; the weight may be negative, 1 counts like the last turn."""

    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class WeightedPassage:
    """A passage whose embedding is added to the query's: one that an earlier answer stood on."""

    passage_id: str
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
    passages: tuple[WeightedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchedTerm:
    """A term that a query was searched by, as the index has it."""

    term: str
    weight: float = 1.0
    """1 for a word of the query's own text, said once; less for a word of the history."""
    rarity: float = 1.0
    """About 1 for a term of a single passage of the collection, and of none; 0 for one of all."""


@dataclass(frozen=True, slots=True)
class PassageScore:
    """How well a passage answers one node, whatever it is worth to others."""

    passage_id: str
    scores: EngineScores = EngineScores()


@dataclass(frozen=True, slots=True)
class NodeSearch:
    """What a node of a graph was searched by, and how well each passage answers it."""

    node_id: str
    terms: tuple[SearchedTerm, ...] = ()
    scores: tuple[PassageScore, ...] = ()
    """Of its evidence, the best first."""


@dataclass(frozen=True, slots=True)
class ContextSentence:
    """A sentence of the history that a question may be made from."""

    text: str
    speaker: Speaker
    turn: int
    """The user turn that it belongs to, 0 the first of the conversation."""


@dataclass(frozen=True, slots=True)
class SelectedSentence:
    """A sentence that was chosen, and the cluster that it comes from; None where nothing was clustered."""

    sentence: ContextSentence
    cluster: int | None = None


@dataclass(frozen=True, slots=True)
class ContextSelection:
    """Which sentences of a history were chosen, and on which way."""

    extracted: tuple[ContextSentence, ...] = ()
    """All that were looked at, the oldest first."""
    cluster_sizes: tuple[int, ...] = ()
    representatives: tuple[ContextSentence, ...] = ()
    """Those that stand for a cluster, in the conversation's order."""
    selected: tuple[SelectedSentence, ...] = ()
    """The first is the most telling."""


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """Why a follow-up was changed or left alone."""

    decision: Decision
    reason: str
    raw: str
    standalone: str
    confidence: float = 1.0
    antecedent_turn: int | None = None
    """Index into the user turns of the conversation, 0 the first."""
    antecedents: tuple[str, ...] = ()
    added_terms: tuple[WeightedTerm, ...] = ()
    query: WeightedQuery | None = None
    strategy: Strategy = Strategy.LADDER
    engine: str = "rules"
    selection: ContextSelection | None = None
    """What the strategy MMR chose of the conversation."""


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
    source: CitedSpan | None = None
    """Where its answer stands; None where it has none, or where a function computed it."""


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
