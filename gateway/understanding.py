"""Phase 1 of a turn: the question is made to stand alone and understood, side by side where language models do it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from gateway.draft import Draft
from gateway.grounding import grounded_graph, searched_as_grounded
from gateway.looking_ahead import LookingAhead, NothingAhead
from gateway.narration import Emit
from gateway.request import PlanMode
from gateway.stages import (
    Condensed,
    CondenseHint,
    CondenseOrder,
    Stages,
    UnderstandHint,
    Understood,
)
from gateway.turn_reading import TurnReading
from services.language.courtesies import read_courtesy
from services.runtime.errors import NotFound, ParleyError
from services.vocabulary.evidence import Evidence
from services.vocabulary.options import Depth, RetrieveOptions
from services.vocabulary.query import Decision, DecisionRecord, WeightedQuery
from services.vocabulary.understanding import Understanding
from services.vocabulary.usage import Degraded, Stage

PROBE_DEPTH: Final = Depth(lexical=50, vector=50, evidence=20)
"""How deep the search goes that only shows which topics a vague question may mean."""


@dataclass(frozen=True, slots=True)
class UnderstandingPhase:
    """Drives decompose.Condense beside intent.Understand, and, where the words are vague, a shallow search and
    Understand again."""

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
        reading = TurnReading(self, draft, ahead)
        try:
            condensed, understood = await reading.read(hasty, lambda condensed: emit(condensed.record))
            if not reading.rest:
                understood = await self._probed(draft, condensed, understood)
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
        draft.understanding = with_words_of(known, understood.understanding)
        emit(draft.understanding)
        tell(emit, understood.degraded)

    async def _probed(self, draft: Draft, condensed: Condensed, understood: Understood) -> Understood:
        """The same; understood again with a shallow search's results where the words are vague."""
        if self.is_vague(understood.understanding) and (probe := await self._probe(draft, condensed.record)):
            first = understood
            understood = await self.understand(draft, condensed.record, probe)
            understood = replace(understood, degraded=tuple(dict.fromkeys((*first.degraded, *understood.degraded))))
        return understood

    def _fill_in(self, draft: Draft, condensed: Condensed, understanding: Understanding) -> None:
        draft.understanding = understanding
        draft.record = searched_as_grounded(condensed.record, understanding, draft.view.offered_choices)
        if condensed.graph is not None:
            draft.graph = grounded_graph(condensed.graph, understanding, draft.record)

    async def condense(self, draft: Draft, hint: Callable[[CondenseHint], None] | None = None) -> Condensed:
        """How the turn stands alone; as it was said where that can't be found out."""
        question, options = draft.request.question, draft.request.options
        order = CondenseOrder(
            question,
            draft.view,
            options.strategy,
            options.context_sentences,
            options.rewriter_model,
            options.wordings,
        )
        try:
            with draft.timed(Stage.DECOMPOSE, "condense"):
                condensed = await self.stages.decompose.condense(order, options.plan is PlanMode.ON, hint)
        except ParleyError as error:
            if error.reason == "NOT_IMPLEMENTED":
                raise
            return _raw(question, error)
        draft.count(condensed.usage)
        return condensed

    async def understand(
        self,
        draft: Draft,
        record: DecisionRecord,
        probe: Sequence[Evidence] = (),
        hint: Callable[[UnderstandHint], None] | None = None,
        understood: Understanding | None = None,
    ) -> Understood:
        """What the intent stage makes of the turn."""
        request = draft.request
        with draft.timed(Stage.INTENT, "understand"):
            result = await self.stages.intent.understand(
                request.question, record, draft.view, probe, request.options.setting, hint, understood
            )
        draft.count(result.usage)
        return result

    def is_vague(self, understanding: Understanding) -> bool:
        """Whether its possible topics are looked for."""
        return understanding.ask_score >= self.probe_score and not understanding.question_rejection.is_reject

    async def _probe(self, draft: Draft, record: DecisionRecord) -> Sequence[Evidence]:
        """What a vague question may mean; nothing when that cannot be found out."""
        options = RetrieveOptions(
            collection=draft.request.options.collection, principals=draft.request.principals, depth=PROBE_DEPTH
        )
        try:
            with draft.timed(Stage.RETRIEVE, "probe"):
                found = await self.stages.retrieve.retrieve(WeightedQuery(record.standalone), options)
        except NotFound:
            raise
        except ParleyError:
            return ()
        return found.evidence


def tell(emit: Emit, degraded: Sequence[Degraded]) -> None:
    """What was done the simpler way."""
    for each in degraded:
        emit(each)


def with_words_of(read: Understanding, understood: Understanding) -> Understanding:
    """What was understood, with words, times and places as they were read of the words that were answered."""
    return replace(
        understood,
        grounded_query=read.grounded_query,
        grounded=read.grounded,
        time_range=read.time_range,
        range_use=read.range_use,
    )


def _raw(question: str, error: ParleyError) -> Condensed:
    """The question as it was said, when it cannot be condensed."""
    record = DecisionRecord(
        Decision.PASS, "the decompose stage did not answer", raw=question, standalone=question, confidence=0.0
    )
    effect = "The question was taken as it was said; what it leans on may be missed."
    return Condensed(record, (Degraded(Stage.DECOMPOSE, error.reason, effect),))
