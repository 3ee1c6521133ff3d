"""Queries: the decision about a follow-up, the query for retrieval, the graph of sub-queries."""

from dataclasses import dataclass, field
from enum import StrEnum

from libs.contracts.answers import CitedSpan
from libs.contracts.conversation import Speaker
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import EngineScores, Relevance


class Decision(StrEnum):
    """How the last turn was handled: as it stands, completed from the conversation, as a new topic, as unclear."""

    PASS = "PASS"
    CONDENSE = "CONDENSE"
    SWITCH = "SWITCH"
    CLARIFY = "CLARIFY"


class Strategy(StrEnum):
    """How a follow-up is turned into a query."""

    LAST_TURN = "LAST_TURN"
    LADDER = "LADDER"
    """As a standalone question, by rules."""
    WEIGHTED = "WEIGHTED"
    """Verbatim, with weighted words and vectors of the history."""
    MMR = "MMR"
    """With sentences of the history, selected by maximal marginal relevance."""
    MULTI_QUERY = "MULTI_QUERY"
    LLM = "LLM"


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """One or more words searched in addition to the query; weight > 0, 1 counts like a word of the last turn."""

    term: str
    weight: float


@dataclass(frozen=True, slots=True)
class WeightedText:
    """A text whose embedding is added to the query's; the weight may be negative, 1 counts like the last turn."""

    text: str
    weight: float
    closeness: Relevance | None = None
    """How close a rewording stays to the question: HIGH says the same, MEDIUM in other words, LOW asks for more."""


@dataclass(frozen=True, slots=True)
class WeightedQuery:
    """The query for retrieval: a main text with weighted terms and texts of the history."""

    text: str
    """The text embedded and tokenised with weight 1: the standalone question, or the last turn."""
    terms: tuple[WeightedTerm, ...] = ()
    texts: tuple[WeightedText, ...] = ()
    variants: tuple[WeightedText, ...] = ()
    """Further wordings that are searched separately; their scores are weighted and merged."""
    recalls_passages: bool = False
    """Whether what earlier turns found takes part in the search and in the order."""
    turn: str = ""
    """The turn in the user's own words, if `text` is another wording of it: searched beside it; else empty."""


@dataclass(frozen=True, slots=True)
class SearchedTerm:
    """A term of a search, in the form that the index uses."""

    term: str
    weight: float = 1.0
    """1 for a word that occurs once in the query's own text; less for a word of the history."""
    rarity: float = 1.0
    """About 1 for a term in one passage of the collection or in none; 0 for a term in all passages."""


@dataclass(frozen=True, slots=True)
class PassageScore:
    """How well a passage answers one node, regardless of other nodes."""

    passage_id: str
    scores: EngineScores = EngineScores()


@dataclass(frozen=True, slots=True)
class NodeSearch:
    """The search terms of a graph node, and how well each passage answers it."""

    node_id: str
    terms: tuple[SearchedTerm, ...] = ()
    scores: tuple[PassageScore, ...] = ()
    """Scores of its evidence, the best first."""


@dataclass(frozen=True, slots=True)
class ContextSentence:
    """A sentence of the history that may become part of the query."""

    text: str
    speaker: Speaker
    turn: int
    """The user turn that it belongs to; 0 is the first of the conversation."""


@dataclass(frozen=True, slots=True)
class SelectedSentence:
    """A selected sentence and its cluster, which is None if no clustering was done."""

    sentence: ContextSentence
    cluster: int | None = None


@dataclass(frozen=True, slots=True)
class ContextSelection:
    """The sentences of a history that were selected, with the intermediate steps."""

    extracted: tuple[ContextSentence, ...] = ()
    """All candidate sentences, the oldest first."""
    cluster_sizes: tuple[int, ...] = ()
    representatives: tuple[ContextSentence, ...] = ()
    """The sentences that represent a cluster, in the conversation's order."""
    selected: tuple[SelectedSentence, ...] = ()
    """Selected sentences, the most relevant first."""


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """Why a follow-up was changed or left unchanged."""

    decision: Decision
    reason: str
    raw: str
    standalone: str
    """With all words of the history that the turn likely needs."""
    confidence: float = 1.0
    """From 0 to 1."""
    antecedents: tuple[str, ...] = ()
    """What the turn takes of the conversation, as it stands there."""
    added_terms: tuple[WeightedTerm, ...] = ()
    query: WeightedQuery | None = None
    strategy: Strategy = Strategy.LADDER
    engine: str = "rules"
    selection: ContextSelection | None = None
    """The sentences that the strategy MMR selected from the conversation."""
    sure_standalone: str = ""
    """With only those words that the turn surely needs; empty if that is `standalone`."""

    @property
    def question(self) -> str:
        """The question that is grounded, split, searched and answered."""
        return self.sure_standalone or self.standalone or self.raw


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call of a registered typed function with its arguments as text; `#id` stands for a node's answer."""

    name: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryNode:
    """One sub-query. `links` names the nodes whose answers it waits for."""

    id: str
    text: str
    need_rag: bool = True
    """Whether it is searched; otherwise it is answered from the nodes that it links to."""
    function_call: FunctionCall | None = None
    answer: str | None = None
    links: tuple[str, ...] = ()
    query: WeightedQuery | None = None
    """The query for retrieval; None means the text alone."""
    source: CitedSpan | None = None
    """The source of its answer; None if it has no answer or a function computed it."""


@dataclass(frozen=True, slots=True)
class QueryGraph:
    """Sub-queries and their dependencies; acyclic."""

    nodes: tuple[QueryNode, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Filters:
    """Restricts which passages can be found; all given conditions must hold."""

    dates: TimeRange | None = None
    """The document's date must be within it; documents without a date pass only if `undated` is true."""
    undated: bool = False
    sources: tuple[str, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    document_ids: tuple[str, ...] = ()
