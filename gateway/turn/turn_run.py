"""A running turn: what was asked, the frozen values that its steps return, and what it has used."""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from gateway.events.activities import Activities
from gateway.events.events import Emit, TurnEvent
from gateway.request import TurnRequest
from gateway.turn.deadline_steps import RERANKED, Step
from gateway.turn.turn_usage import TurnUsage
from libs.contracts.conversation import ConversationView, TurnReading
from libs.contracts.evidence import RankedPassage, Reference
from libs.contracts.options import Depth, RetrieveOptions
from libs.contracts.query import DecisionRecord, NodeSearch, QueryGraph, QueryNode
from libs.contracts.session import Turn
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded
from libs.language.turns.reader import read_turn

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class UnderstoodTurn:
    """A question that is condensed and understood."""

    record: DecisionRecord
    """Its standalone form, and the query with the grounded wording."""
    understanding: Understanding
    graph: QueryGraph | None = None
    """The sub-queries, if a language model planned them while it condensed the question."""
    degraded: tuple[Degraded, ...] = ()
    """What was left out on the way."""

    @property
    def standalone(self) -> str:
        """The question, understandable without the conversation."""
        return self.record.question

    @property
    def grounded(self) -> str:
        """The standalone question with its times and places resolved: it is split, searched and answered."""
        return self.understanding.grounded_query or self.standalone

    @property
    def unsplit(self) -> QueryGraph:
        """The graph of one node, for a question that is not split."""
        return QueryGraph((QueryNode("1", self.grounded, query=self.record.query),), "not planned")


@dataclass(frozen=True, slots=True)
class Found:
    """What the searches of a plan found."""

    graph: QueryGraph
    """The graph as it was executed, with its short answers."""
    references: tuple[Reference, ...]
    ranking: tuple[RankedPassage, ...]
    """The top of the ranking before grouping, as many places as requested."""
    searches: tuple[NodeSearch, ...]
    """How each node of the graph was searched."""


@dataclass(slots=True)
class TurnRun:
    """One run of a turn: what was asked, where its events go, what it used, and the turn so far; on the event loop."""

    request: TurnRequest
    view: ConversationView
    """The conversation before it."""
    emit: Emit
    """Receives the events."""
    usage: TurnUsage
    turn: Turn
    """What it has led to so far, without its usage; a turn that is cancelled is stored with it."""
    sentences: dict[int, str] = field(default_factory=dict)
    """The answer's sentences as streamed, by number."""
    omitted: frozenset[Step] = frozenset()
    """The steps that there is no time for."""
    shown: asyncio.Event | None = None
    """Set when a speculative answer is shown; None if the run is not speculative."""
    tasks: list[asyncio.Task[Any]] = field(default_factory=list)
    """What was started beside it."""

    @classmethod
    def start(cls, turn_id: str, request: TurnRequest, view: ConversationView, emit: Emit) -> "TurnRun":
        """Start a turn."""
        options = request.options
        usage = TurnUsage(Activities(emit if options.progress else None), options.budget)
        reading = read_turn(request.question, view)
        turn = Turn(
            turn_id, request.question, request.request_id, options.pro, asked_at=datetime.now(UTC), reading=reading
        )
        return cls(request, view, emit, usage, turn)

    def resume(self, phase_one: Turn) -> None:
        """Go on with phase 2 of a turn: its usage and clock continue those of phase 1, as it was stored."""
        self.turn = phase_one
        self.usage.tasks = list(phase_one.usage)
        self.usage.start_time -= sum(usage.milliseconds for usage in phase_one.usage) / 1000

    def start_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start work beside the run; nobody has to await it, not even if it fails."""
        task = asyncio.create_task(work)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # else asyncio logs the error
        self.tasks.append(task)
        return task

    @asynccontextmanager
    async def tasks_cancelled(self) -> AsyncIterator[None]:
        """Cancel at the end of the block what was started and still runs."""
        try:
            yield
        finally:
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)

    def emit_all(self, events: Iterable[TurnEvent]) -> None:
        """Emit several events."""
        for event in events:
            self.emit(event)

    def update(self, **changes: object) -> None:
        """Replace fields of the turn."""
        self.turn = replace(self.turn, **changes)  # type: ignore[arg-type]  # checked at run time by the class

    def note(self, understood: UnderstoodTurn) -> None:
        """Note what was understood in the turn."""
        self.update(record=understood.record, understanding=understood.understanding, graph=understood.graph)

    def retrieval(self, understanding: Understanding) -> RetrieveOptions:
        """Return the options of its searches; fewer passages are reranked if there is no time for more."""
        options = self.request.options.retrieval(understanding, self.request.principals)
        if Step.RERANKING not in self.omitted:
            return options
        depth = options.depth or Depth()
        return replace(options, depth=replace(depth, rerank=min(depth.rerank or RERANKED, RERANKED)))

    def attempt(self, emit: Emit, shown: asyncio.Event) -> "TurnRun":
        """Return a run of the same turn for a speculative answer, with its own usage."""
        activities = Activities(emit if self.usage.activities.emit else None)
        usage = replace(self.usage, activities=activities, tasks=[], stage_times=[])
        return replace(self, emit=emit, usage=usage, sentences={}, shown=shown, tasks=[])

    def adopt(self, attempt: "TurnRun") -> None:
        """Take over the answer of a speculative run, and add its usage."""
        self.turn = replace(attempt.turn, record=self.turn.record, understanding=self.turn.understanding)
        self.usage.tasks += attempt.usage.tasks
        self.usage.stage_times += attempt.usage.stage_times

    async def until_shown(self) -> None:
        """Wait until the answer is shown, if it is a speculative one."""
        if self.shown is not None:
            await self.shown.wait()

    @property
    def reading(self) -> TurnReading:
        """How the question was read when the turn began."""
        return self.turn.reading or read_turn(self.request.question, self.view)

    @property
    def milliseconds(self) -> float:
        """The time since the turn began."""
        return (time.perf_counter() - self.usage.start_time) * 1000

    def stored_turn(self) -> Turn:
        """Return the turn as it is stored, without the record's context selection, which is emitted only once."""
        record = self.turn.record
        return replace(
            self.turn, record=replace(record, selection=None) if record else None, usage=tuple(self.usage.tasks)
        )
