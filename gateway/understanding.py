"""Phase 1 of a turn: the question is made to stand alone and understood, side by side where language models do it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial

from gateway.draft import Draft
from gateway.event_stream import Emit
from gateway.grounding import grounded_graph, searched_as_grounded
from gateway.looking_ahead import LookingAhead, NothingAhead
from gateway.question_stages import QuestionStages
from gateway.stages import Condensed, Stages, Understood
from gateway.turn_reading import TurnReading
from libs.contracts.query import DecisionRecord
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded
from libs.language.courtesies import read_courtesy


@dataclass(frozen=True, slots=True)
class UnderstandingPhase:
    """Calls decompose.Condense beside intent.Understand.

    A vague question is searched shallowly, and understood again with the passages.
    """

    stages: Stages
    probe_score: float
    """Least ask_score of a question whose possible topics are looked for."""

    @asynccontextmanager
    async def run(
        self, draft: Draft, emit: Emit, ahead: LookingAhead | None = None
    ) -> AsyncIterator[Callable[[], Awaitable[None]]]:
        """Fill record, understanding and, where a language model planned, the graph into the draft; tell them.

        Within the context enough is known to go on: the question is neither refused nor asked back, or is known to be.
        What it gives waits for the rest, and tells the understanding, where that was not there yet.

        Args:
            draft: the turn.
            emit: takes what is told.
            ahead: goes on before the question is understood; None where nothing does: then all is waited for.

        Raises:
            ParleyError: the intent stage cannot judge the question: it is not answered unjudged.
        """
        hasty = ahead is not None
        if ahead is None or read_courtesy(draft.request.question):
            ahead = NothingAhead()  # nothing will be searched
        asking = QuestionStages(self.stages, draft)
        reading = TurnReading(asking, draft, ahead, self.is_vague)
        try:
            condensed, understood = await reading.read(hasty, lambda condensed: emit(condensed.record))
            if not reading.rest:
                understood = await self._probed(asking, condensed.record, understood)
            self._fill_in(draft, condensed, understood.understanding)
            tell(emit, condensed.degraded)
            if not reading.rest:
                emit(understood.understanding)
                tell(emit, understood.degraded)
            yield partial(self._finish, draft, reading, understood.understanding, emit)
        finally:
            await reading.end()

    async def _finish(self, draft: Draft, reading: TurnReading, known: Understanding, emit: Emit) -> None:
        """Wait for the rest of what is understood; its words and times are those that were answered."""
        if reading.rest is None:
            return
        understood = await reading.rest
        draft.understanding = understood.understanding.worded_as(known)
        emit(draft.understanding)
        tell(emit, understood.degraded)

    async def _probed(self, asking: QuestionStages, record: DecisionRecord, first: Understood) -> Understood:
        """The same; understood again with a shallow search's results where the words are vague."""
        if self.is_vague(first.understanding) and (probe := await asking.probe(record)):
            again = await asking.understand(record, probe)
            return replace(again, degraded=tuple(dict.fromkeys((*first.degraded, *again.degraded))))
        return first

    def _fill_in(self, draft: Draft, condensed: Condensed, understanding: Understanding) -> None:
        draft.understanding = understanding
        draft.record = searched_as_grounded(condensed.record, understanding, draft.view.offered_choices)
        if condensed.graph is not None:
            draft.graph = grounded_graph(condensed.graph, understanding, draft.record)

    def is_vague(self, understanding: Understanding) -> bool:
        """Whether its possible topics are looked for."""
        return understanding.ask_score >= self.probe_score and not understanding.question_rejection.is_reject


def tell(emit: Emit, degraded: Sequence[Degraded]) -> None:
    """What was done the simpler way."""
    for each in degraded:
        emit(each)
