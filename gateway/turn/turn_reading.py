"""Condenses and understands a turn concurrently, and passes early results on to the prefetch and speculation."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from gateway.calling.stages import StageResult
from gateway.request import PlanMode
from gateway.turn.draft import Draft
from gateway.turn.early_start import EarlyWork
from gateway.turn.grounding import ground_graph, ground_query
from gateway.turn.question_stages import QuestionStages
from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.stages.decompose import Condensed, CondenseHint, PlanVerdict
from libs.contracts.stages.intent import UnderstandHint, Understood
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError

_MISUNDERSTOOD: Final = "The question was understood by rules: the intent stage did not end."


class TurnReading:
    """One turn while it is condensed and understood.

    The intent stage starts with the first standalone question available: the rules' one, even if a language model is
    still condensing the turn. If the final standalone question differs, the question is understood again.
    """

    def __init__(
        self, question_stages: QuestionStages, draft: Draft, ahead: EarlyWork, is_vague: Callable[[Understanding], bool]
    ) -> None:
        """`is_vague` returns whether an understood question may have to be asked back."""
        self._question_stages = question_stages
        self._is_vague = is_vague
        self._draft = draft
        self._ahead = ahead
        self._by_rules: asyncio.Future[DecisionRecord] = asyncio.get_running_loop().create_future()
        self._tasks: list[asyncio.Task[Any]] = []
        self._early_understanding: Understanding | None = None
        self._early_record: DecisionRecord | None = None
        """The standalone question on which `_early_understanding` is based."""
        self._is_wording_confirmed = self._passes = self._is_split = False
        self._graph: QueryGraph | None = None
        """The sub-queries, if the question is split."""
        self.rest: asyncio.Task[StageResult[Understood]] | None = None
        """The intent stage's running call, if the turn continues without its result."""

    async def read(
        self, hasty: bool, on_condensed: Callable[[Condensed], None]
    ) -> tuple[Condensed, StageResult[Understood]]:
        """Return the condensed question and what was understood of it.

        If `hasty` and the intent stage reports early that the question may be answered, return what its rules
        understood and leave the running call in `rest`. `on_condensed` receives the condensed question as soon as it is
        known.
        """
        condensing = self._start_task(self._condense(on_condensed))
        await asyncio.wait({condensing, self._by_rules}, return_when=asyncio.FIRST_COMPLETED)
        first = self._by_rules.result() if self._by_rules.done() else condensing.result().record
        await self._look_ahead(first)
        understanding = self._start_task(self._understand(first))
        await asyncio.wait({condensing, understanding}, return_when=asyncio.FIRST_COMPLETED)
        if not condensing.done():
            self._on_understood(first, understanding.result().value.understanding)
        condensed = await condensing
        self._on_condensed(first, condensed)
        self._draft.record = condensed.record
        if condensed.record.query != first.query:
            await self._ahead.look_ahead()
        if hasty and self._passes and self._early_understanding is not None and not understanding.done():
            self.rest, understood = understanding, StageResult(Understood(self._early_understanding))
        else:
            understood = await understanding
        if condensed.record.standalone == first.standalone:
            return condensed, understood
        return condensed, await self._understand_again(condensed.record, understood)

    async def end(self) -> None:
        """Cancel all running tasks of the turn."""
        self._by_rules.cancel()
        for task in self._tasks:
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task

    async def _condense(self, on_condensed: Callable[[Condensed], None]) -> Condensed:
        condensed = await self._question_stages.condense(self._on_condense_hint)
        on_condensed(condensed)
        return condensed

    def _start_task(self, work: Awaitable[Any]) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        self._tasks.append(task)
        return task

    async def _look_ahead(self, record: DecisionRecord) -> None:
        self._draft.record = record
        await self._ahead.look_ahead()

    async def _understand(self, record: DecisionRecord) -> StageResult[Understood]:
        """Return what the intent stage understood.

        If its stream breaks after the verdict that the question may be answered, return what its rules understood.
        """
        try:
            return await self._question_stages.understand(record, hint=self._on_understand_hint)
        except ParleyError as error:
            if not self._passes or self._early_understanding is None:
                raise
            return StageResult(
                Understood(self._early_understanding), (Degraded(Stage.INTENT, error.reason, _MISUNDERSTOOD),)
            )

    async def _understand_again(
        self, record: DecisionRecord, understood: StageResult[Understood]
    ) -> StageResult[Understood]:
        """Understand another standalone question, reusing the earlier result unless it contains a translation."""
        before = understood.value.understanding
        if before.question_rejection.is_reject or before.courtesy_reply:
            return understood
        earlier = None if before.translated_query else before
        again = await self._question_stages.understand(record, earlier=earlier)
        return replace(again, degraded=tuple(dict.fromkeys((*understood.degraded, *again.degraded))))

    def _on_condense_hint(self, hint: CondenseHint) -> None:
        if isinstance(hint, PlanVerdict):
            self._on_verdict(hint)
        elif isinstance(hint, QueryGraph):
            self._graph = hint
            self._begin_answer()
        elif not self._by_rules.done():
            self._by_rules.set_result(hint)

    def _on_verdict(self, verdict: PlanVerdict) -> None:
        self._is_split = verdict.split
        self._is_wording_confirmed = verdict.suffices and not verdict.split
        self._release()

    def _on_condensed(self, first: DecisionRecord, condensed: Condensed) -> None:
        record, graph = condensed.record, condensed.graph
        one = len(graph.nodes) == 1 if graph is not None else not self._is_planned
        if one and not self._is_split and (record.standalone, record.query) == (first.standalone, first.query):
            self._is_wording_confirmed = True
            self._release()

    def _on_understood(self, first: DecisionRecord, understanding: Understanding) -> None:
        """Handle a question that is understood before it is condensed."""
        if not self._is_vague(understanding):
            self._speculate(first, understanding)
        self._passes = self._passes or self._early_understanding is understanding
        self._release()

    @property
    def _is_planned(self) -> bool:
        """Whether a language model plans sub-queries while it condenses the question."""
        return self._by_rules.done() and self._draft.request.options.plan is PlanMode.ON

    def _on_understand_hint(self, hint: UnderstandHint) -> None:
        if isinstance(hint, Understanding):
            first = self._draft.record
            if first is not None:
                self._speculate(first, hint)
            return
        self._passes = hint.passes
        self._release()

    def _speculate(self, record: DecisionRecord, understanding: Understanding) -> None:
        """Start an answer with this wording, unless the question would be refused or asked back."""
        if self._early_understanding is not None or not self._draft.request.options.answers(understanding):
            return
        self._early_understanding, self._early_record = understanding, record
        self._begin_answer()

    def _begin_answer(self) -> None:
        """Start answering the whole question, or its sub-queries if it is known to be split."""
        understanding, record, graph = self._early_understanding, self._early_record, self._graph
        if understanding is None or record is None or (self._is_split and graph is None):
            return
        grounded = ground_query(record, understanding, self._draft.view.offered_choices)
        graph = ground_graph(graph, understanding, grounded) if graph is not None else None
        self._ahead.speculate(grounded, understanding, self._is_planned, graph)

    def _release(self) -> None:
        if self._is_wording_confirmed and self._passes:
            self._ahead.release()
