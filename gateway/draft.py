"""A turn while it is made: what the stages have given so far, and what it took."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from gateway.activities import Activities
from gateway.budgets import left_of
from gateway.event_stream import Emit
from gateway.request import TurnRequest
from libs.contracts.answers import Answer
from libs.contracts.conversation import ConversationView
from libs.contracts.evidence import RankedPassage, Reference
from libs.contracts.options import Budget
from libs.contracts.query import DecisionRecord, NodeSearch, QueryGraph
from libs.contracts.session import Outcome, Turn
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import CostSource, Stage, Usage, UsageSource


@dataclass(slots=True)
class Draft:
    """Grows while the turn runs; `turn()` is what is kept of it."""

    question_id: str
    request: TurnRequest
    view: ConversationView
    record: DecisionRecord | None = None
    understanding: Understanding | None = None
    graph: QueryGraph | None = None
    references: tuple[Reference, ...] = ()
    ranking: tuple[RankedPassage, ...] = ()
    """The first places before grouping, as many as were asked for."""
    searches: tuple[NodeSearch, ...] = ()
    """How each node of the graph was searched."""
    answer: Answer | None = None
    sentences: dict[int, str] = field(default_factory=dict)
    """Of the answer, by their numbers, as they were streamed."""
    follow_ups: tuple[str, ...] = ()
    """What may be asked next, whether it has an answer or not."""
    timeline: Timeline | None = None
    compared: bool = False
    """Whether answer and timeline were looked at for contradictions."""
    usage: list[Usage] = field(default_factory=list)
    outcome: Outcome | None = None
    asked_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    asked: Usage | None = None
    """What the language model that writes was asked, estimated, before it answered."""
    is_tentative: bool = False
    """Whether it is made on the rules' words while language models still read the question."""
    activities: Activities = field(default_factory=Activities)
    began: float = field(default_factory=time.perf_counter)
    """When work on it began, in time.perf_counter's seconds; what was done before a pause is counted in."""

    def turn(self) -> Turn:
        """The turn as it is kept; how its context was chosen is told once, and not carried along."""
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

    @property
    def budget_left(self) -> Budget | None:
        """What of the turn's budget is left now; None where it has none."""
        return left_of(self.request.options.budget, self.usage, time.perf_counter() - self.began)

    @contextmanager
    def timed(self, stage: Stage, task: str) -> Iterator[None]:
        """Count the wall time of a call, however it ends; who watches the turn is told when it begins and ends."""
        started = time.perf_counter()
        try:
            with self.activities.during(stage, task):
                yield
        finally:
            spent = (time.perf_counter() - started) * 1000
            self.usage.append(
                Usage(stage, task, round(spent, 3), usage_source=UsageSource.NONE, cost_source=CostSource.NONE)
            )

    def tentative(self, record: DecisionRecord, understanding: Understanding, emit: Emit) -> "Draft":
        """A draft of the same turn on what is known so far, with usages of its own."""
        return replace(
            self,
            record=record,
            understanding=understanding,
            usage=[],
            sentences={},
            is_tentative=True,
            activities=Activities(emit if self.activities.emit else None),
        )

    def take_over(self, other: "Draft") -> None:
        """What another draft of the same turn has of the answer, and what that took."""
        self.graph, self.references, self.ranking = other.graph, other.references, other.ranking
        self.searches, self.answer, self.sentences = other.searches, other.answer, other.sentences
        self.timeline, self.compared, self.outcome = other.timeline, other.compared, other.outcome
        self.usage += other.usage

    def count(self, used: Sequence[Usage]) -> None:
        """Add what a stage tells of its language model; its times are counted here, as the caller waits for them."""
        asked = (item for item in used if item.input_tokens or item.output_tokens)
        self.usage.extend(replace(item, milliseconds=0.0) for item in asked)
