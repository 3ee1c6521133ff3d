"""Phase 1 of a turn: its question is condensed, to stand alone, and understood; concurrently if models do it.

The intent stage starts with the first standalone question available: the rules' one, even if a language model is still
condensing the turn. Each reading of the turn is understood once: the first wording; then, if that is vague or the final
wording differs, the final wording, with the results of a shallow search for the topics of a vague question.

With a language model the answer is begun early (`gateway.turn.speculation`), and the turn goes on as soon as the model
says that the question may be answered, while it still reads the rest.
"""

import asyncio
from dataclasses import replace
from typing import Any, Final

from gateway.calling.stages import StageResult
from gateway.graph.grounding import ground_graph, ground_query
from gateway.request import PlanMode
from gateway.turn.question_calls import QuestionCalls
from gateway.turn.speculation import Speculation
from gateway.turn.turn_run import TurnRun, UnderstoodTurn
from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.stages.decompose import Condensed, CondenseHint, PlanVerdict
from libs.contracts.stages.intent import UnderstandHint, Understood
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError

PROBE_SCORE: Final = 1.0
"""Minimum ask_score of a question for which possible topics are searched before it is asked back; at or below the
threshold of the intent stage, which decides (taste)."""
_MISUNDERSTOOD: Final = "The question was understood by rules alone: the intent stage broke off."


class QuestionReading:
    """One turn while it is condensed and understood; what still runs at its end is cancelled with the run's tasks."""

    def __init__(self, calls: QuestionCalls, run: TurnRun, speculation: Speculation | None = None) -> None:
        """Create it.

        Args:
            calls: the stage calls.
            run: the turn.
            speculation: starts work before the question is understood; None waits for the complete results.
        """
        self._calls = calls
        self._run = run
        self._speculation = speculation if run.reading.text else None
        self._by_rules: asyncio.Future[DecisionRecord] = asyncio.get_running_loop().create_future()
        self._early: UnderstoodTurn | None = None
        """The first wording with its first understanding, if that may be answered."""
        self._is_wording_confirmed = self._passes = self._is_split = False
        self._graph: QueryGraph | None = None
        """The sub-queries, if the question is split."""
        self._rest: asyncio.Task[StageResult[Understood]] | None = None
        """The intent stage's running call, if the turn continues without its result."""

    async def read(self) -> UnderstoodTurn:
        """Return the question as soon as it is known whether it is answered, refused or asked back.

        Raises:
            ParleyError: the intent stage cannot judge the question; it is not answered without that.
        """
        first, condensed, understood = await self._read_first()
        understood = await self._read_final(first, condensed.record, understood)
        understanding = understood.value.understanding
        self._run.emit_all(condensed.degraded)
        if self._rest is None:
            self._run.emit(understanding)
            self._run.emit_all(understood.degraded)
        record = ground_query(condensed.record, understanding, self._run.view.offered_choices)
        graph = self._grounded(condensed, record, understanding)
        return UnderstoodTurn(record, understanding, graph, (*condensed.degraded, *understood.degraded))

    def _grounded(
        self, condensed: Condensed, record: DecisionRecord, understanding: Understanding
    ) -> QueryGraph | None:
        """The graph of the grounded question; None if there is none, or the rules' one is of other words."""
        is_same = record is condensed.record and understanding.grounded_query in ("", record.question)
        if condensed.graph is None or not (is_same or self._by_rules.done()):
            return None
        return ground_graph(condensed.graph, understanding, record)

    async def finish(self, understood: UnderstoodTurn) -> UnderstoodTurn:
        """Wait for the rest of the understanding and emit it, if `read` returned without it.

        Its wording and times are replaced by those that were answered.
        """
        if self._rest is None:
            return understood
        rest = await self._rest
        understanding = rest.value.understanding.with_wording_of(understood.understanding)
        self._run.emit(understanding)
        self._run.emit_all(rest.degraded)
        return replace(understood, understanding=understanding)

    async def _read_first(self) -> tuple[DecisionRecord, Condensed, StageResult[Understood]]:
        """Return the first wording, the condensed question, and what was understood of the first wording."""
        condensing = self._run.start_task(self._condense())
        wordings: set[asyncio.Future[Any]] = {condensing, self._by_rules}
        await asyncio.wait(wordings, return_when=asyncio.FIRST_COMPLETED)
        first = self._by_rules.result() if self._by_rules.done() else condensing.result().record
        await self._look_ahead(first)
        understanding = self._run.start_task(self._understand(first))
        await asyncio.wait({condensing, understanding}, return_when=asyncio.FIRST_COMPLETED)
        if not condensing.done():
            self._on_understood(first, understanding.result().value.understanding)
        condensed = await condensing
        self._on_condensed(first, condensed)
        self._run.update(record=condensed.record)
        if condensed.record.query != first.query:
            await self._look_ahead(condensed.record)
        if self._speculation is not None and self._passes and self._early is not None and not understanding.done():
            self._rest = understanding
            return first, condensed, StageResult(Understood(self._early.understanding))
        return first, condensed, await understanding

    async def _read_final(
        self, first: DecisionRecord, record: DecisionRecord, understood: StageResult[Understood]
    ) -> StageResult[Understood]:
        """Return what is understood of the final wording, based on a shallow search if the question is vague."""
        if (with_topics := await self._read_topics(record, understood)) is not None:
            return with_topics
        if record.question == first.question:
            return understood
        return await self._understand_again(record, understood)

    async def _read_topics(
        self, record: DecisionRecord, understood: StageResult[Understood]
    ) -> StageResult[Understood] | None:
        """Understand a vague question with its possible topics; None if it is clear or none are found."""
        if self._is_vague(understood.value.understanding) and (probe := await self._calls.probe(record)):
            return _with_degraded(understood, await self._calls.understand(record, probe))
        return None

    def _is_vague(self, understanding: Understanding) -> bool:
        """Whether possible topics of the question are searched."""
        is_refused = understanding.question_rejection.is_reject
        return self._rest is None and understanding.ask_score >= PROBE_SCORE and not is_refused

    async def _condense(self) -> Condensed:
        condensed = await self._calls.condense(self._on_condense_hint)
        self._run.emit(condensed.record)
        return condensed

    async def _look_ahead(self, record: DecisionRecord) -> None:
        self._run.update(record=record)
        if self._speculation is not None:
            await self._speculation.retrieval.look_ahead(record)

    async def _understand(self, record: DecisionRecord) -> StageResult[Understood]:
        """Return what the intent stage understood.

        If its stream breaks after the verdict that the question may be answered, return what its rules understood.
        """
        try:
            return await self._calls.understand(record, hint=self._on_understand_hint)
        except ParleyError as error:
            if not self._passes or self._early is None:
                raise
            degraded = Degraded(Stage.INTENT, error.reason, _MISUNDERSTOOD)
            return StageResult(Understood(self._early.understanding), (degraded,))

    async def _understand_again(
        self, record: DecisionRecord, understood: StageResult[Understood]
    ) -> StageResult[Understood]:
        """Understand another standalone question, reusing the earlier result unless it contains a translation."""
        before = understood.value.understanding
        if before.question_rejection.is_reject or before.courtesy_reply:
            return understood
        if not before.translated_query:
            return _with_degraded(understood, await self._calls.understand(record, earlier=before))
        again = _with_degraded(understood, await self._calls.understand(record))
        return again if self._is_vague(before) else await self._read_topics(record, again) or again

    def _on_condense_hint(self, hint: CondenseHint) -> None:
        if isinstance(hint, PlanVerdict):
            self._is_split = hint.split
            self._is_wording_confirmed = hint.suffices and not hint.split
            self._release()
        elif isinstance(hint, QueryGraph):
            self._graph = hint
            self._begin_answer()
        elif not self._by_rules.done():
            self._by_rules.set_result(hint)

    def _on_condensed(self, first: DecisionRecord, condensed: Condensed) -> None:
        record, graph = condensed.record, condensed.graph
        is_single = len(graph.nodes) == 1 if graph is not None else not self._is_planned
        if is_single and not self._is_split and (record.question, record.query) == (first.question, first.query):
            self._is_wording_confirmed = True
            self._release()

    def _on_understood(self, first: DecisionRecord, understanding: Understanding) -> None:
        """Handle a question that is understood before it is condensed."""
        if not self._is_vague(understanding):
            self._begin_early(first, understanding)
        self._passes |= self._early is not None and self._early.understanding is understanding
        self._release()

    def _on_understand_hint(self, hint: UnderstandHint) -> None:
        if not isinstance(hint, Understanding):
            self._passes = hint.passes
            self._release()
        elif (record := self._run.turn.record) is not None:
            self._begin_early(record, hint)

    @property
    def _is_planned(self) -> bool:
        """Whether a language model plans sub-queries while it condenses the question."""
        return self._by_rules.done() and self._run.request.options.plan is PlanMode.ON

    def _begin_early(self, record: DecisionRecord, understanding: Understanding) -> None:
        """Start an answer with this wording, unless the question would be refused or asked back."""
        if self._early is None and self._run.request.options.answers(understanding):
            self._early = UnderstoodTurn(record, understanding)
            self._begin_answer()

    def _begin_answer(self) -> None:
        """Start answering the whole question, or its sub-queries if it is known to be split."""
        if self._speculation is None or self._early is None or (self._is_split and self._graph is None):
            return
        understanding = self._early.understanding
        record = ground_query(self._early.record, understanding, self._run.view.offered_choices)
        graph = ground_graph(self._graph, understanding, record) if self._graph is not None else None
        self._speculation.begin(UnderstoodTurn(record, understanding, graph), self._is_planned)

    def _release(self) -> None:
        if self._is_wording_confirmed and self._passes and self._speculation is not None:
            self._speculation.release()


def _with_degraded(first: StageResult[Understood], second: StageResult[Understood]) -> StageResult[Understood]:
    """Return the second result, with what was degraded in both."""
    return replace(second, degraded=tuple(dict.fromkeys((*first.degraded, *second.degraded))))
