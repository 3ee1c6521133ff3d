"""Phase 1 of a turn: the question is made to stand alone and understood, side by side where language models do it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Protocol

from gateway.draft import Draft
from gateway.grounding import grounded_graph, searched_as_grounded
from gateway.narration import Emit
from gateway.request import PlanMode
from gateway.stages import (
    Condensed,
    CondenseHint,
    CondenseOrder,
    PlanVerdict,
    Stages,
    UnderstandHint,
    Understood,
)
from services.language.courtesies import read_courtesy
from services.runtime.errors import NotFound, ParleyError
from services.vocabulary.evidence import Evidence
from services.vocabulary.options import Depth, RetrieveOptions
from services.vocabulary.query import Decision, DecisionRecord, WeightedQuery
from services.vocabulary.understanding import Understanding
from services.vocabulary.usage import Degraded, Stage

PROBE_DEPTH: Final = Depth(lexical=50, vector=50, evidence=20)
"""How deep the search goes that only shows which topics a vague question may mean."""
_MISUNDERSTOOD: Final = "The question was understood by rules: the intent stage did not end."


class LookingAhead(Protocol):
    """Goes on with a turn before it is known what is wanted."""

    async def look_ahead(self) -> None:
        """Search: the record is in the draft."""
        ...

    def suppose(self, record: DecisionRecord, understanding: Understanding, planned: bool) -> None:
        """Answer by what the rules made of the question, unseen."""
        ...

    def release(self) -> None:
        """Show that answer."""
        ...

    @property
    def is_released(self) -> bool:
        """Whether it is shown."""
        ...


class NothingAhead:
    """Waits for what is wanted."""

    is_released = False

    async def look_ahead(self) -> None:
        """See LookingAhead."""

    def suppose(self, record: DecisionRecord, understanding: Understanding, planned: bool) -> None:
        """See LookingAhead."""

    def release(self) -> None:
        """See LookingAhead."""


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
        reading = _Reading(self, draft, ahead)
        try:
            condensed, understood = await reading.read(hasty)
            if not reading.rest:
                understood = await self._probed(draft, condensed, understood)
            self._fill_in(draft, condensed, understood.understanding)
            emit(condensed.record)
            tell(emit, condensed.degraded)
            if not reading.rest:
                emit(understood.understanding)
                tell(emit, understood.degraded)
            yield partial(self._finish, draft, reading, understood.understanding, emit)
        finally:
            await reading.end()

    async def _finish(self, draft: Draft, reading: "_Reading", known: Understanding, emit: Emit) -> None:
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

    async def condense(self, draft: Draft, hint: Any = None) -> Condensed:
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
        hint: Any = None,
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


class _Reading:
    """One turn while it is condensed and understood.

    The question is understood by the first words that it stands alone by: the rules', where a language model is asked
    for better ones. Where those differ in the end, what the words decide is read anew.
    """

    def __init__(self, phase: UnderstandingPhase, draft: Draft, ahead: LookingAhead) -> None:
        self._phase = phase
        self._draft = draft
        self._ahead = ahead
        self._by_rules: asyncio.Future[DecisionRecord] = asyncio.get_running_loop().create_future()
        self._tasks: list[asyncio.Task[Any]] = []
        self._supposed: Understanding | None = None
        self._words_stand = self._passes = False
        self.rest: asyncio.Task[Understood] | None = None
        """What the intent stage is still at, where its result is not waited for."""

    async def read(self, hasty: bool) -> tuple[Condensed, Understood]:
        """How it stands alone, and what was understood of that.

        Where the intent stage says early that the question may be answered, what its rules understood is given, and
        the rest of it is left in `rest`, unless all is to be waited for.
        """
        condensing = self._begun(self._phase.condense(self._draft, self._hear_condensing))
        await asyncio.wait({condensing, self._by_rules}, return_when=asyncio.FIRST_COMPLETED)
        first = self._by_rules.result() if self._by_rules.done() else condensing.result().record
        await self._look_ahead(first)
        understanding = self._begun(self._understood(first))
        await asyncio.wait({condensing, understanding}, return_when=asyncio.FIRST_COMPLETED)
        if not condensing.done():
            self._hear_understood(first, understanding.result().understanding)
        condensed = await condensing
        self._hear_condensed(first, condensed)
        self._draft.record = condensed.record
        if condensed.record.query != first.query:
            await self._ahead.look_ahead()
        if hasty and self._passes and self._supposed is not None and not understanding.done():
            self.rest, understood = understanding, Understood(self._supposed)
        else:
            understood = await understanding
        if condensed.record.standalone == first.standalone:
            return condensed, understood
        return condensed, await self._reread(condensed.record, understood)

    async def end(self) -> None:
        """Nothing outlives the turn."""
        self._by_rules.cancel()
        for task in self._tasks:
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task

    def _begun(self, work: Awaitable[Any]) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        self._tasks.append(task)
        return task

    async def _look_ahead(self, record: DecisionRecord) -> None:
        self._draft.record = record
        await self._ahead.look_ahead()

    async def _understood(self, record: DecisionRecord) -> Understood:
        """What the intent stage understood; where it ended too early after its word that the question may be
        answered, what its rules had."""
        try:
            return await self._phase.understand(self._draft, record, hint=self._hear_understanding)
        except ParleyError as error:
            if not self._passes or self._supposed is None:
                raise
            return Understood(self._supposed, (Degraded(Stage.INTENT, error.reason, _MISUNDERSTOOD),))

    async def _reread(self, record: DecisionRecord, understood: Understood) -> Understood:
        """What was understood, by other words; a translation has to be made anew."""
        before = understood.understanding
        if before.question_rejection.is_reject or before.courtesy_reply:
            return understood
        known = None if before.translated_query else before
        again = await self._phase.understand(self._draft, record, understood=known)
        return replace(again, degraded=tuple(dict.fromkeys((*understood.degraded, *again.degraded))))

    def _hear_condensing(self, hint: CondenseHint) -> None:
        if isinstance(hint, PlanVerdict):
            self._words_stand = hint.suffices and not hint.split
            self._release()
        elif not self._by_rules.done():
            self._by_rules.set_result(hint)

    def _hear_condensed(self, first: DecisionRecord, condensed: Condensed) -> None:
        record, graph = condensed.record, condensed.graph
        one = len(graph.nodes) == 1 if graph is not None else not self._is_planned
        if one and (record.standalone, record.query) == (first.standalone, first.query):
            self._words_stand = True
            self._release()

    def _hear_understood(self, first: DecisionRecord, understanding: Understanding) -> None:
        """The question is understood before it is condensed."""
        if self._phase.is_vague(understanding):
            return
        self._suppose(first, understanding)
        self._passes = self._supposed is understanding
        self._release()

    @property
    def _is_planned(self) -> bool:
        """Whether a language model plans the question while it condenses it."""
        return self._by_rules.done() and self._draft.request.options.plan is PlanMode.ON

    def _hear_understanding(self, hint: UnderstandHint) -> None:
        if isinstance(hint, Understanding):
            first = self._draft.record
            if first is not None:
                self._suppose(first, hint)
            return
        self._passes = hint.passes
        self._release()

    def _suppose(self, record: DecisionRecord, understanding: Understanding) -> None:
        """Go on by these words, unless they would be answered by a refusal or a question back."""
        if self._supposed is not None or not self._draft.request.options.answers(understanding):
            return
        self._supposed = understanding
        grounded = searched_as_grounded(record, understanding, self._draft.view.offered_choices)
        self._ahead.suppose(grounded, understanding, planned=self._is_planned)

    def _release(self) -> None:
        if self._words_stand and self._passes:
            self._ahead.release()


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
