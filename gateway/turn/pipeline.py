"""The way of a turn, from its question to its answer: read it from top to bottom.

`ask` does both phases; `understand` and `answer` do one each. Each step takes frozen values and returns one; the run
collects the events and the usage, and holds the result so far.

Precedence: reject, ask back, answer, abstain. Every successful turn emits references (maybe none), text and its end.
"""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Final

from gateway.calling.stages import StageResult, Stages
from gateway.events.events import Plan, References, TextEnd
from gateway.graph.evidence import merge_evidence, merge_rankings, number
from gateway.graph.executor import Execution, Executor
from gateway.request import Act, PlanMode, TimelineUse
from gateway.settings import GatewaySettings
from gateway.turn.deadline_steps import ANSWER, TURN, Step, StepTimes
from gateway.turn.event_dates import tell_event_date, with_event_date
from gateway.turn.question_calls import QuestionCalls, languages_of
from gateway.turn.retrieval import TurnRetrieval
from gateway.turn.speculation import Speculation
from gateway.turn.timeline import Timeliner
from gateway.turn.turn_run import Found, TurnRun, UnderstoodTurn
from gateway.turn.turn_usage import is_used_up
from gateway.turn.understanding import QuestionReading
from gateway.turn.writing import FollowUpCheck, Writer
from libs.contracts.answers import Answer, TextDelta
from libs.contracts.options import Scene
from libs.contracts.query import NodeSearch, PassageScore, QueryGraph, QueryNode, WeightedQuery
from libs.contracts.session import Outcome
from libs.contracts.stages.retrieve import RECALLED
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage
from libs.llm.usage import Meter
from libs.runtime import deadline
from libs.runtime.errors import ParleyError

MAX_RECOMMENDATIONS: Final = 3
"""Follow-ups proposed at most: what fits on one line of a console (taste)."""

AGAIN: Final = "again"
"""The node of the search that a language model asks for."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Runs turns over the stages; one instance serves all turns, on the event loop."""

    stages: Stages
    settings: GatewaySettings
    meter: Meter = field(default_factory=lambda: Meter(Stage.ANSWER, {}))
    """Prices the discarded usage of language models."""
    step_times: StepTimes = field(default_factory=StepTimes)

    async def ask(self, run: TurnRun) -> None:
        """Understand a question, and answer it.

        Raises:
            ParleyError: the question cannot be judged, or retrieval or writing failed as a whole.
        """
        async with run.tasks_cancelled():
            retrieval = self._retrieval(run)
            with self._speculation(run, retrieval) as speculation:
                reading = self._reading(run, speculation)
                understood = await reading.read()
                run.note(understood)
                await self._respond(run, understood, retrieval, speculation)
                understood = await reading.finish(understood)
                await tell_event_date(run, understood.understanding)

    async def understand(self, run: TurnRun) -> UnderstoodTurn:
        """Phase 1 alone: condense and understand a question.

        Raises:
            ParleyError: the question cannot be judged.
        """
        async with run.tasks_cancelled():
            understood = await self._reading(run).read()
        run.note(understood)
        return understood

    async def answer(self, run: TurnRun, understood: UnderstoodTurn) -> None:
        """Phase 2 alone: answer a question that is understood.

        Raises:
            ParleyError: retrieval or writing failed as a whole.
        """
        async with run.tasks_cancelled():
            retrieval = self._retrieval(run)
            run.emit_all((understood.record, understood.understanding, *understood.degraded))
            await self._respond(run, understood, retrieval, self._speculation(run, retrieval))
            await tell_event_date(run, understood.understanding)

    async def _respond(
        self, run: TurnRun, understood: UnderstoodTurn, retrieval: TurnRetrieval, speculation: Speculation
    ) -> None:
        """Refuse, ask back or answer: by a speculative answer that fits, or else by a new one."""
        if not (run.request.options.answers(understood.understanding) or speculation.is_released):
            speculation.give_up()
            self._reply(run, understood.understanding)
        elif not await speculation.settle(understood):
            await self._answer(run, understood, retrieval)

    def _reply(self, run: TurnRun, understanding: Understanding) -> None:
        """End the turn with a fixed text instead of an answer."""
        if understanding.question_rejection.is_reject and run.request.options.reject is Act.ACT:
            text, outcome = understanding.question_rejection.reject_reason, Outcome.REJECTED
        elif understanding.courtesy_reply:
            text, outcome = understanding.courtesy_reply, Outcome.ANSWERED
        else:
            text, outcome = _question_back(understanding), Outcome.ASKED
        run.emit_all((References(), TextDelta(1, 1, text), TextEnd(text)))
        run.update(answer=Answer(text), outcome=outcome)

    async def _answer(self, run: TurnRun, understood: UnderstoodTurn, retrieval: TurnRetrieval) -> None:
        """Plan, search, write and propose follow-ups, with a concurrent timeline if one is wanted."""
        run.omitted |= self.step_times.omissions(deadline.remaining(), ANSWER)
        retrieval.begin(understood.standalone)
        executor = Executor(retrieval.search, self.stages, self.settings.stage_seconds)
        timeline = self._begin_timeline(run, understood, executor)
        graph = await self._plan(run, understood)
        execution = await self._search(run, understood, graph, executor)
        found = self._found(run, graph, execution)
        understanding = await with_event_date(run, understood.understanding, found.references)
        understood = replace(understood, understanding=understanding)

        async def search_again(query: str) -> Found:
            node = QueryNode(AGAIN, query, query=WeightedQuery(query))
            more = await self._search(run, understood, QueryGraph((node,)), executor)
            execution.results.update(more.results)
            return self._found(run, graph, execution)

        follow_ups = FollowUpCheck(self.stages, run, self._recommendations(run))
        answer = await Writer(self.stages, run, follow_ups, search_again).write(understood, found)
        run.update(outcome=Outcome.ABSTAINED if answer.abstained else Outcome.ANSWERED)
        run.emit(TextEnd(answer.text, answer.gaps, answer.engine))
        await follow_ups.emit()
        if timeline is not None:
            await timeline

    async def _plan(self, run: TurnRun, understood: UnderstoodTurn) -> QueryGraph:
        """Return the graph of sub-queries, and emit it."""
        plan = await self._planned(run, understood)
        run.update(graph=plan.value)
        run.emit(Plan(plan.value))
        run.emit_all(plan.degraded)
        return plan.value

    async def _planned(self, run: TurnRun, understood: UnderstoodTurn) -> StageResult[QueryGraph]:
        graph, is_omitted = understood.graph, Step.SPLITTING in run.omitted
        if graph is not None and (not is_omitted or len(graph.nodes) == 1):
            return StageResult(graph)
        single = understood.unsplit
        if run.request.options.plan is PlanMode.OFF:
            return StageResult(single)
        if is_omitted:
            return StageResult(single, (Step.SPLITTING.degraded,))
        if is_used_up(run.usage.budget_left):
            effect = "The question was searched as a whole: the budget was used up before it could be split."
            return StageResult(single, (Degraded(Stage.DECOMPOSE, "BUDGET_EXHAUSTED", effect),))
        try:
            return await QuestionCalls(self.stages, run).decompose(understood, Scene.GENERAL)
        except ParleyError as error:
            effect = "The question was searched as a whole, so its parts may be answered unevenly."
            return StageResult(single, (Degraded(Stage.DECOMPOSE, error.reason, effect),))

    async def _search(
        self, run: TurnRun, understood: UnderstoodTurn, graph: QueryGraph, executor: Executor
    ) -> Execution:
        """Run the graph."""
        options = run.retrieval(understood.understanding)
        if Step.RERANKING in run.omitted:
            run.emit(Step.RERANKING.degraded)
        return await executor.run(understood.standalone, graph, options, run.usage, run.emit)

    def _found(self, run: TurnRun, graph: QueryGraph, execution: Execution) -> Found:
        """Return what the answer is written from."""
        evidence = merge_evidence(execution.results, execution.answers)
        ranking = merge_rankings(execution.results, max(run.request.options.ranking, RECALLED))
        found = Found(
            execution.fill_in(graph),
            number(evidence, self.settings.references),
            ranking[: run.request.options.ranking],
            tuple(
                NodeSearch(
                    node.id, result.terms, tuple(PassageScore(e.passage.passage_id, e.scores) for e in result.evidence)
                )
                for node in graph.nodes
                if (result := execution.results.get(node.id)) is not None
            ),
        )
        run.update(graph=found.graph, references=found.references, ranking=ranking[:RECALLED])
        return found

    def _begin_timeline(
        self, run: TurnRun, understood: UnderstoodTurn, executor: Executor
    ) -> asyncio.Task[None] | None:
        """Begin to build the timeline, if one is wanted and there is time for it."""
        options, is_asked_for = run.request.options, understood.understanding.wants_timeline
        if options.timeline is TimelineUse.OFF or not (options.pro or is_asked_for):
            return None
        if Step.TIMELINE in run.omitted:
            run.emit(Step.TIMELINE.degraded)
            return None
        return run.start_task(Timeliner(self.stages, executor, self.settings).build(run, understood))

    def _recommendations(self, run: TurnRun) -> int:
        """Return how many follow-ups are wanted and can be had."""
        count = run.request.options.recommendations
        wanted = MAX_RECOMMENDATIONS if count is None else min(count, MAX_RECOMMENDATIONS)
        if not wanted or Step.FOLLOW_UPS not in run.omitted:
            return wanted
        run.emit(Step.FOLLOW_UPS.degraded)
        return 0

    def _retrieval(self, run: TurnRun) -> TurnRetrieval:
        run.omitted = self.step_times.omissions(deadline.remaining(), TURN)
        return TurnRetrieval(self.stages, run, self.settings.search_ahead)

    def _speculation(self, run: TurnRun, retrieval: TurnRetrieval) -> Speculation:
        options = run.request.options
        is_requested = self.settings.speculate if options.speculate is None else options.speculate
        is_allowed = is_requested and options.budget is None and self.settings.search_ahead and not options.web
        return Speculation(self._answer, run, retrieval, self.meter, is_allowed)

    def _reading(self, run: TurnRun, speculation: Speculation | None = None) -> QuestionReading:
        languages = run.start_task(languages_of(self.stages, run))
        calls = QuestionCalls(self.stages, run, self.settings.require_intent, languages)
        return QuestionReading(calls, run, speculation)


def _question_back(understanding: Understanding) -> str:
    supplement = understanding.question_supplement
    choices = "\n".join(f"{n}. {choice}" for n, choice in enumerate(supplement.supply_choices, start=1))
    return f"{supplement.supply_description}\n{choices}" if choices else supplement.supply_description
