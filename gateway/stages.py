"""The five stages as the gateway sees them: Protocols over plain values; a turn runs in a test without a network."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from libs.contracts.answers import Answer, Citation, CitedSpan, PlacedImage, TextDelta
from libs.contracts.conversation import ConversationView
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Evidence, RankedPassage, Reference, Relevance
from libs.contracts.options import Budget, Length, RetrieveOptions, Scene, Setting
from libs.contracts.query import (
    DecisionRecord,
    Filters,
    NodeSearch,
    QueryGraph,
    SearchedTerm,
    Strategy,
    WeightedQuery,
)
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Usage


@dataclass(frozen=True, slots=True)
class CondenseRequest:
    """A turn that is made to stand alone, and how."""

    question: str
    view: ConversationView
    strategy: Strategy | None = None
    context_sentences: int = 0
    """How many sentences of the history MMR chooses; 0 for the stage's setting."""
    model: str = ""
    """The language model that is asked; empty for the stage's own."""
    wordings: tuple[str, ...] = ()
    """The caller's own rewordings."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """How the last turn stands alone."""

    record: DecisionRecord
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()
    graph: QueryGraph | None = None
    """The sub-queries, where a language model was asked for them, too."""


@dataclass(frozen=True, slots=True)
class PlanVerdict:
    """What a language model's first fields decide, before the turn is condensed."""

    suffices: bool
    """Whether the rules' words stand."""
    split: bool
    """Whether there are sub-queries."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a language model's first fields decide, before the question is understood."""

    passes: bool
    """Whether it is neither refused nor asked back, with the words and times of the rules."""


CondenseHint = DecisionRecord | PlanVerdict | QueryGraph
"""How the turn stands alone by the rules; the verdict; the sub-queries. Told on the way, each once or never."""
UnderstandHint = Understanding | Verdict
"""What the rules understood; the verdict. Told on the way, each once or never."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What the intent stage made of it."""

    understanding: Understanding
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """What it was split into."""

    graph: QueryGraph
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for one query, the best first, and the places before grouping."""

    evidence: tuple[Evidence, ...] = ()
    ranking: tuple[RankedPassage, ...] = ()
    terms: tuple[SearchedTerm, ...] = ()
    """What the full-text engine searched by."""
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class Gauged:
    """How well some questions' best passages fit, in their order."""

    relevance: tuple[Relevance, ...]


@dataclass(frozen=True, slots=True)
class DetectedRange:
    """Where a question should be looked for."""

    filters: Filters | None = None
    """The sources and dates; None for everything."""
    web: bool = False
    """Whether the web is searched beside the collection."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """A short answer, and where it stands; a computed one stands nowhere."""

    answer: str
    source: CitedSpan | None = None


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """Everything an answer is written from."""

    question: str
    references: tuple[Reference, ...]
    graph: QueryGraph
    view: ConversationView
    understanding: Understanding
    language: str = ""
    length: Length | None = None
    budget: Budget | None = None
    never_abstain: bool = False
    model: str = ""
    principals: tuple[str, ...] = ()
    searches: tuple[NodeSearch, ...] = ()
    """How each node of the graph was searched."""
    follows_up: bool = False
    """Whether the question leans on the conversation, or has words of it."""
    turn: str = ""
    """The last turn as it was said, where it is not sure yet that the question stands alone."""
    follow_ups: int = 0
    """How many questions to ask next are wanted."""


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage that the text cites, and by which number."""

    passage_id: str
    number: int


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers that the answer's text cites by; those of one section are the same."""

    passages: tuple[NumberedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The answer as it holds; the last step of writing."""

    answer: Answer
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Questions to ask next, the best first; whether they have an answer is not known."""

    questions: tuple[str, ...]


WriteStep = TextDelta | Citation | PlacedImage | Degraded | Numbering | Usage | FollowUps | Written
"""A `Usage` by itself is what a language model is asked, estimated."""


@dataclass(frozen=True, slots=True)
class Built:
    """The course of events."""

    timeline: Timeline
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


class IntentStage(Protocol):
    """Understands a question."""

    async def understand(
        self,
        question: str,
        record: DecisionRecord,
        view: ConversationView,
        probe: Sequence[Evidence],
        setting: Setting,
        hint: Callable[[UnderstandHint], None] | None = None,
        understood: Understanding | None = None,
    ) -> Understood:
        """Refuse, ask back, or ground.

        Args:
            question: the last turn, as it was said.
            record: how it stands alone.
            view: the conversation before it.
            probe: what a shallow search found.
            setting: when and where the asker is.
            hint: told what is known before the result is.
            understood: what was understood with other stand-alone words; no language model is asked then.
        """
        ...


class DecomposeStage(Protocol):
    """Condenses and plans."""

    async def condense(
        self, order: CondenseRequest, plan: bool = False, hint: Callable[[CondenseHint], None] | None = None
    ) -> Condensed:
        """Make the last turn stand alone.

        Args:
            order: the turn.
            plan: whether a language model that is asked plans sub-queries, too.
            hint: told what is known before the result is.
        """
        ...

    async def decompose(
        self, question: str, record: DecisionRecord, understanding: Understanding, scene: Scene
    ) -> Planned:
        """Split it into a graph."""
        ...


class RetrieveStage(Protocol):
    """Finds evidence."""

    async def retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> Found:
        """Search, fuse, group, rank."""
        ...

    async def best_relevance(self, questions: Sequence[str], options: RetrieveOptions) -> Sequence[Relevance]:
        """How well the best passage fits each question, LOW where nothing is found; no passage comes back."""
        ...

    async def detect_range(self, question: str, now: datetime | None) -> DetectedRange:
        """Where to look for a question; None is this moment."""
        ...


class AnswerStage(Protocol):
    """Writes."""

    def write(self, order: WriteRequest) -> AsyncIterator[WriteStep]:
        """Stream the answer; `Written` comes last."""
        ...

    async def extract(self, question: str, evidence: Sequence[Evidence]) -> Extracted | None:
        """A short answer, or None when the evidence holds none."""
        ...


class TimelineStage(Protocol):
    """Draws the course of events."""

    async def build(
        self, question: str, evidence: Sequence[Evidence], time_range: TimeRange | None, events: int = 0
    ) -> Built:
        """Extract, date, order; `events` of them if there are as many, 0 for what fits the question well."""
        ...


@dataclass(frozen=True, slots=True)
class Stages:
    """All five."""

    intent: IntentStage
    decompose: DecomposeStage
    retrieve: RetrieveStage
    answer: AnswerStage
    timeline: TimelineStage
