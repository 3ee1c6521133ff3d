"""The retrieve stage: finds evidence, and says what to search. Values of its RPCs, and their descriptors."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final, TypeAlias

from libs.contracts.evidence import Evidence, RankedPassage, Relevance, WholeSection
from libs.contracts.methods import StreamMethod, UnaryMethod
from libs.contracts.options import RetrieveOptions
from libs.contracts.query import Filters, QueryGraph, SearchedTerm, WeightedQuery
from libs.contracts.usage import Degraded, Progress, Usage

RECALLED: Final = 12
"""Passages of a turn's ranking that later turns are searched beside (of 5 to 100, 10 to 20 gave most; docsqa)."""


@dataclass(frozen=True, slots=True)
class EarlierRanking:
    """The first passages that an earlier turn found, before grouping, the best first."""

    passages: tuple[RankedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class RetrieveRequest:
    """A query, and where and how to search for it."""

    query: WeightedQuery
    options: RetrieveOptions = field(default_factory=RetrieveOptions)
    earlier: tuple[EarlierRanking, ...] = ()
    """What earlier turns of the conversation found, the newest first."""


@dataclass(frozen=True, slots=True)
class RetrievePartial:
    """Evidence before reranking, best first."""

    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class RetrieveResult:
    """The result of a retrieval; the last step."""

    evidence: tuple[Evidence, ...] = ()
    """Best first, near duplicates grouped."""
    ranking: tuple[RankedPassage, ...] = ()
    """The top passages before grouping, as many as requested."""
    usage: tuple[Usage, ...] = ()
    terms: tuple[SearchedTerm, ...] = ()
    """The terms that the full-text engine searched for; empty if it took no part."""


RetrieveStep: TypeAlias = Progress | Degraded | RetrievePartial | RetrieveResult


@dataclass(frozen=True, slots=True)
class RecallGraphRequest:
    """A graph whose nodes are searched for."""

    graph: QueryGraph
    options: RetrieveOptions = field(default_factory=RetrieveOptions)


@dataclass(frozen=True, slots=True)
class NodeEvidence:
    """Evidence for one node."""

    node_id: str
    layer: int
    """0 for nodes without dependencies."""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class RecalledGraph:
    """Evidence for a graph, in the order in which its nodes were searched."""

    nodes: tuple[NodeEvidence, ...] = ()
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class GaugeQuestionsRequest:
    """Questions whose best passages are only gauged."""

    questions: tuple[str, ...]
    options: RetrieveOptions = field(default_factory=RetrieveOptions)


@dataclass(frozen=True, slots=True)
class Gauged:
    """The relevance of the best passage for each question, in the questions' order; LOW if nothing matches."""

    relevance: tuple[Relevance, ...]


class SearchRange(StrEnum):
    """Where to search for a question."""

    GENERAL = "GENERAL"
    NEWS = "NEWS"
    """News of any age."""
    HOT = "HOT"
    """News of the last days."""


@dataclass(frozen=True, slots=True)
class DetectRangeRequest:
    """A question whose wording may limit what is searched."""

    question: str
    now: datetime | None = None
    """The time to which its dates are relative; None for the current time."""


@dataclass(frozen=True, slots=True)
class DetectedRange:
    """The part of the corpus that is searched for a question."""

    range: SearchRange = SearchRange.GENERAL
    reason: str = ""
    filters: Filters | None = None
    """The sources and dates; None for everything."""
    web: bool = False
    """Whether the web is searched in addition to the collection."""


@dataclass(frozen=True, slots=True)
class ListLanguagesRequest:
    """The collection whose languages are wanted; an empty name is that of the default one."""

    collection: str = ""
    principals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Languages:
    """The languages of at least 5 % of a collection's documents, ISO 639-1, that of most documents first."""

    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadSectionsRequest:
    """Passages whose sections are wanted; an empty collection is the default one."""

    collection: str = ""
    passage_ids: tuple[str, ...] = ()
    principals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sections:
    """Sections of documents, each once, in the order of the request."""

    sections: tuple[WholeSection, ...] = ()


RETRIEVE: Final[StreamMethod[RetrieveRequest, RetrieveStep]] = StreamMethod(
    "parley.retrieve.v1.RetrieveService/Retrieve",
    RetrieveRequest,
    {Progress: "state", Degraded: "degraded", RetrievePartial: "partial", RetrieveResult: "result"},
)
"""Searches, fuses, reranks and groups; the last step is `RetrieveResult`. NotFound: there is no such collection."""
RECALL_GRAPH: Final = UnaryMethod("parley.retrieve.v1.RetrieveService/RecallGraph", RecallGraphRequest, RecalledGraph)
"""Searches for every node of a graph."""
GAUGE_QUESTIONS: Final = UnaryMethod("parley.retrieve.v1.RetrieveService/GaugeQuestions", GaugeQuestionsRequest, Gauged)
"""Says how relevant the best passage for each question is. NotFound: there is no such collection."""
DETECT_RANGE: Final = UnaryMethod("parley.retrieve.v1.RetrieveService/DetectRange", DetectRangeRequest, DetectedRange)
"""Says which sources and dates to search for a question."""
LIST_LANGUAGES: Final = UnaryMethod("parley.retrieve.v1.RetrieveService/ListLanguages", ListLanguagesRequest, Languages)
"""Says in which languages a collection's documents are written. NotFound: there is no such collection."""
READ_SECTIONS: Final = UnaryMethod("parley.retrieve.v1.RetrieveService/ReadSections", ReadSectionsRequest, Sections)
"""Gives the whole sections of passages; those that the caller may not see have none. NotFound: as above."""
METHODS: Final = (RETRIEVE, RECALL_GRAPH, GAUGE_QUESTIONS, DETECT_RANGE, LIST_LANGUAGES, READ_SECTIONS)
