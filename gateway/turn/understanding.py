"""Phase 1 of a turn: condenses and understands the question, concurrently if language models do it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

from gateway.calling.stages import StageResult, Stages
from gateway.events.event_stream import Emit
from gateway.turn.draft import Draft
from gateway.turn.early_start import EarlyWork, NoEarlyWork
from gateway.turn.grounding import ground_graph, ground_query
from gateway.turn.question_stages import QuestionStages
from gateway.turn.turn_reading import TurnReading
from libs.contracts.query import DecisionRecord
from libs.contracts.stages.decompose import Condensed
from libs.contracts.stages.intent import Understood
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded
from libs.language.courtesies import read_courtesy


@dataclass(frozen=True, slots=True)
class UnderstandingPhase:
    """Calls decompose.Condense and intent.Understand concurrently.

    A vague question gets a shallow search, and is understood again with the passages found.
    """

    stages: Stages
    probe_score: float
    """Minimum ask_score of a question for which possible topics are searched."""
    requires_intent: bool = True
    """Whether a turn fails if the intent stage cannot be reached; otherwise it goes on, which is reported."""

    @asynccontextmanager
    async def run(
        self, draft: Draft, emit: Emit, ahead: EarlyWork | None = None
    ) -> AsyncIterator[Callable[[], Awaitable[None]]]:
        """Fill the record, the understanding and, if a language model planned, the graph into the draft, and emit them.

        Inside the context it is known whether the question is answered, refused or asked back. The yielded function
        waits for the rest and emits the understanding, if that was not available yet.

        Args:
            draft: the turn.
            emit: receives the events.
            ahead: starts work before the question is understood; None waits for the complete results.

        Raises:
            ParleyError: the intent stage cannot judge the question; it is not answered without that.
        """
        hasty = ahead is not None
        if ahead is None or read_courtesy(draft.request.question):
            ahead = NoEarlyWork()  # nothing will be searched
        question_stages = QuestionStages(self.stages, draft, self.requires_intent)
        reading = TurnReading(question_stages, draft, ahead, self.is_vague)
        try:
            condensed, understood = await reading.read(hasty, lambda condensed: emit(condensed.record))
            if not reading.rest:
                understood = await self._probe_if_vague(question_stages, condensed.record, understood)
            understanding = understood.value.understanding
            self._fill_in(draft, condensed, understanding)
            emit_each(emit, condensed.degraded)
            if not reading.rest:
                emit(understanding)
                emit_each(emit, understood.degraded)
            yield partial(self._finish, draft, reading, understanding, emit)
        finally:
            await reading.end()

    async def _finish(self, draft: Draft, reading: TurnReading, early_understanding: Understanding, emit: Emit) -> None:
        """Wait for the full understanding; its wording and times are replaced by those that were answered."""
        if reading.rest is None:
            return
        understood = await reading.rest
        draft.understanding = understood.value.understanding.with_wording_of(early_understanding)
        emit(draft.understanding)
        emit_each(emit, understood.degraded)

    async def _probe_if_vague(
        self, question_stages: QuestionStages, record: DecisionRecord, first: StageResult[Understood]
    ) -> StageResult[Understood]:
        """Return `first`, or for a vague question a new result based on a shallow search."""
        if self.is_vague(first.value.understanding) and (probe := await question_stages.probe(record)):
            again = await question_stages.understand(record, probe)
            return replace(again, degraded=tuple(dict.fromkeys((*first.degraded, *again.degraded))))
        return first

    def _fill_in(self, draft: Draft, condensed: Condensed, understanding: Understanding) -> None:
        draft.understanding = understanding
        draft.record = ground_query(condensed.record, understanding, draft.view.offered_choices)
        if condensed.graph is not None:
            draft.graph = ground_graph(condensed.graph, understanding, draft.record)

    def is_vague(self, understanding: Understanding) -> bool:
        """Whether possible topics of the question are searched."""
        return understanding.ask_score >= self.probe_score and not understanding.question_rejection.is_reject


def emit_each(emit: Emit, degraded: Sequence[Degraded]) -> None:
    """Emit each degradation."""
    for each in degraded:
        emit(each)
