"""The five stages as the gateway calls them: Protocols over plain values, so that tests need no network."""

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
    """A turn to condense into a standalone question, and the options for that."""

    question: str
    view: ConversationView
    strategy: Strategy | None = None
    context_sentences: int = 0
    """How many sentences of the history MMR selects; 0 uses the stage's setting."""
    model: str = ""
    """The language model to use; empty uses the stage's default."""
    wordings: tuple[str, ...] = ()
    """The caller's own rewordings."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """The last turn as a standalone question."""

    record: DecisionRecord
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()
    graph: QueryGraph | None = None
    """The sub-queries, if a language model planned them in the same call."""


@dataclass(frozen=True, slots=True)
class PlanVerdict:
    """The decision in a language model's first output fields, available before the turn is condensed."""

    suffices: bool
    """Whether the rule-based rewriting can be used unchanged."""
    split: bool
    """Whether the question is split into sub-queries."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision in a language model's first output fields, available before the question is understood."""

    passes: bool
    """Whether the question can be answered, neither refused nor asked back, with the rules' wording and times."""


CondenseHint = DecisionRecord | PlanVerdict | QueryGraph
"""An early result of condensing: the rule-based record, the verdict or the sub-queries. Each is sent at most once."""
UnderstandHint = Understanding | Verdict
"""An early result of understanding: the rules' result or the verdict. Each is sent at most once."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The result of the intent stage."""

    understanding: Understanding
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """The query graph that the question was split into."""

    graph: QueryGraph
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The evidence for one query, best first, and the ranking before grouping."""

    evidence: tuple[Evidence, ...] = ()
    ranking: tuple[RankedPassage, ...] = ()
    terms: tuple[SearchedTerm, ...] = ()
    """The terms that the full-text engine searched for."""
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class Gauged:
    """The relevance of the best passage for each question, in the order of the questions."""

    relevance: tuple[Relevance, ...]


@dataclass(frozen=True, slots=True)
class DetectedRange:
    """The part of the corpus that should be searched for a question."""

    filters: Filters | None = None
    """The sources and dates; None if everything is searched."""
    web: bool = False
    """Whether the web is searched in addition to the collection."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """A short answer and its source; a computed answer has no source."""

    answer: str
    source: CitedSpan | None = None


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """Everything the answer stage needs to write an answer."""

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
    """Whether the question depends on the conversation or was rewritten with words from it."""
    turn: str = ""
    """The user's original wording, while it is not yet certain that the question is standalone."""
    follow_ups: int = 0
    """How many follow-up questions are wanted."""


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage that the text cites, and its number."""

    passage_id: str
    number: int


@dataclass(frozen=True, slots=True)
class Numbering:
    """The citation numbers in the answer's text; passages of one section share a number."""

    passages: tuple[NumberedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The final answer; the last step of writing."""

    answer: Answer
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Follow-up questions, best first; it is not yet known whether the corpus answers them."""

    questions: tuple[str, ...]


WriteStep = TextDelta | Citation | PlacedImage | Degraded | Numbering | Usage | FollowUps | Written
"""A `Usage` step is the estimated size of the request sent to the language model."""


@dataclass(frozen=True, slots=True)
class Built:
    """The timeline that was built."""

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
            question: the user's original wording of the last turn.
            record: its standalone form.
            view: the conversation before it.
            probe: the results of a shallow search.
            setting: the user's time and place.
            hint: receives early results before the final one.
            understood: an earlier result for another standalone wording; if given, no language model is called.
        """
        ...


class DecomposeStage(Protocol):
    """Condenses and plans."""

    async def condense(
        self, order: CondenseRequest, plan: bool = False, hint: Callable[[CondenseHint], None] | None = None
    ) -> Condensed:
        """Rewrite the last turn as a standalone question.

        Args:
            order: the turn.
            plan: whether a language model, if one is called, also plans sub-queries.
            hint: receives early results before the final one.
        """
        ...

    async def decompose(
        self, question: str, record: DecisionRecord, understanding: Understanding, scene: Scene
    ) -> Planned:
        """Split the question into a query graph."""
        ...


class RetrieveStage(Protocol):
    """Finds evidence."""

    async def retrieve(self, query: WeightedQuery, options: RetrieveOptions) -> Found:
        """Search, fuse, group and rank."""
        ...

    async def best_relevance(self, questions: Sequence[str], options: RetrieveOptions) -> Sequence[Relevance]:
        """Return the relevance of the best passage for each question, LOW if nothing is found."""
        ...

    async def detect_range(self, question: str, now: datetime | None) -> DetectedRange:
        """Return which sources and dates to search for a question; `now` None means the current time."""
        ...


class AnswerStage(Protocol):
    """Writes answers."""

    def write(self, order: WriteRequest) -> AsyncIterator[WriteStep]:
        """Stream the steps of the answer; `Written` is the last one."""
        ...

    async def extract(self, question: str, evidence: Sequence[Evidence]) -> Extracted | None:
        """Return a short answer, or None if the evidence contains none."""
        ...


class TimelineStage(Protocol):
    """Builds timelines."""

    async def build(
        self, question: str, evidence: Sequence[Evidence], time_range: TimeRange | None, events: int = 0
    ) -> Built:
        """Extract, date and order events: at most `events` of them, 0 for those that fit the question well."""
        ...


@dataclass(frozen=True, slots=True)
class Stages:
    """All five stages."""

    intent: IntentStage
    decompose: DecomposeStage
    retrieve: RetrieveStage
    answer: AnswerStage
    timeline: TimelineStage
