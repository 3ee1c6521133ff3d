"""A turn in progress: the results of the stages so far, and their usage."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from gateway.events.activities import Activities
from gateway.events.event_stream import Emit
from gateway.request import TurnRequest
from gateway.turn.budgets import remaining_budget
from gateway.turn.ladder import RERANKED, TIMED_BY_STAGES, Step
from libs.contracts.answers import Answer
from libs.contracts.conversation import ConversationView
from libs.contracts.evidence import RankedPassage, Reference
from libs.contracts.options import Budget, Depth, RetrieveOptions
from libs.contracts.query import DecisionRecord, NodeSearch, QueryGraph
from libs.contracts.question import QuestionForms
from libs.contracts.session import Outcome, Turn
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import CostSource, Stage, Usage, UsageSource


@dataclass(slots=True)
class Draft:
    """The growing state of a running turn; `turn()` returns the part that is stored."""

    question_id: str
    request: TurnRequest
    view: ConversationView
    record: DecisionRecord | None = None
    understanding: Understanding | None = None
    graph: QueryGraph | None = None
    references: tuple[Reference, ...] = ()
    ranking: tuple[RankedPassage, ...] = ()
    """The top of the ranking before grouping, as many places as requested."""
    searches: tuple[NodeSearch, ...] = ()
    """How each node of the graph was searched."""
    answer: Answer | None = None
    sentences: dict[int, str] = field(default_factory=dict)
    """The answer's sentences as streamed, by number."""
    follow_ups: tuple[str, ...] = ()
    """Proposed follow-ups, not yet checked for an answer."""
    timeline: Timeline | None = None
    is_compared: bool = False
    """Whether answer and timeline have been compared for contradictions."""
    usage: list[Usage] = field(default_factory=list)
    outcome: Outcome | None = None
    asked_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    estimated_usage: Usage | None = None
    """The estimated usage of the request to the writing language model, before it answered."""
    is_tentative: bool = False
    """Whether it is a speculative draft, based on the rules' wording while language models still run."""
    omitted: frozenset[Step] = frozenset()
    """The steps that there is no time for."""
    stage_times: list[Usage] = field(default_factory=list)
    """Times of tasks within stage calls, as the stages reported them."""
    activities: Activities = field(default_factory=Activities)
    start_time: float = field(default_factory=time.perf_counter)
    """When work on it began, in time.perf_counter's seconds; includes the time of phase 1 after a pause."""

    def turn(self) -> Turn:
        """Return the turn as it is stored, without the record's context selection, which is emitted only once."""
        return Turn(
            question_id=self.question_id,
            question=self.request.question,
            request_id=self.request.request_id,
            pro=self.request.options.pro,
            record=replace(self.record, selection=None) if self.record else None,
            understanding=self.understanding,
            graph=self.graph,
            references=self.references,
            answer=self.answer,
            timeline=self.timeline,
            usage=tuple(self.usage),
            outcome=self.outcome,
            asked_at=self.asked_at,
        )

    def retrieval(self, understanding: Understanding) -> RetrieveOptions:
        """Return the options of its searches; fewer passages are reranked if there is no time for more."""
        options = self.request.options.retrieval(understanding, self.request.principals)
        if Step.RERANKING not in self.omitted:
            return options
        depth = options.depth or Depth()
        return replace(options, depth=replace(depth, rerank=min(depth.rerank or RERANKED, RERANKED)))

    def forms(self, understanding: Understanding | None = None) -> QuestionForms:
        """Return the question's forms, by default with the draft's own understanding."""
        return QuestionForms.of(self.request.question, self.record, understanding or self.understanding)

    @property
    def budget_left(self) -> Budget | None:
        """The remaining budget of the turn; None if it has no budget."""
        return remaining_budget(self.request.options.budget, self.usage, time.perf_counter() - self.start_time)

    @contextmanager
    def timed(self, stage: Stage, task: str) -> Iterator[None]:
        """Record the wall time of a call, even if it fails, and emit its begin and end as activities."""
        start = time.perf_counter()
        try:
            with self.activities.during(stage, task):
                yield
        finally:
            milliseconds = (time.perf_counter() - start) * 1000
            self.usage.append(
                Usage(stage, task, round(milliseconds, 3), usage_source=UsageSource.NONE, cost_source=CostSource.NONE)
            )

    def tentative(self, record: DecisionRecord, understanding: Understanding, emit: Emit) -> "Draft":
        """Return a speculative draft of the same turn, with its own usage."""
        return replace(
            self,
            record=record,
            understanding=understanding,
            usage=[],
            stage_times=[],
            sentences={},
            is_tentative=True,
            activities=Activities(emit if self.activities.emit else None),
        )

    def copy_answer(self, other: "Draft") -> None:
        """Copy the answer of another draft of the same turn, and add its usage."""
        self.graph, self.references, self.ranking = other.graph, other.references, other.ranking
        self.searches, self.answer, self.sentences = other.searches, other.answer, other.sentences
        self.timeline, self.is_compared, self.outcome = other.timeline, other.is_compared, other.outcome
        self.usage += other.usage
        self.stage_times += other.stage_times

    def add_usage(self, usage: Sequence[Usage]) -> None:
        """Add a stage's language model usage, without its times, which `timed` measures on the caller's side."""
        self.stage_times.extend(item for item in usage if (item.stage, item.task) in TIMED_BY_STAGES)
        model_usage = (item for item in usage if item.input_tokens or item.output_tokens)
        self.usage.extend(replace(item, milliseconds=0.0) for item in model_usage)
