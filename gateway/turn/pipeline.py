"""Phase 2 of a turn: plan, search, write and propose follow-ups, with a concurrent timeline if one is wanted.

Precedence: reject, ask back, answer, abstain. Every successful turn emits references (maybe none), text and its end.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from gateway.calling.stages import StageResult, Stages, result_of
from gateway.events.event_buffer import EventBuffer
from gateway.events.event_stream import Emit
from gateway.events.events import Plan, References, TextEnd
from gateway.request import Act, PlanMode
from gateway.settings import GatewaySettings
from gateway.turn.budgets import is_used_up
from gateway.turn.draft import Draft
from gateway.turn.execution import Execution
from gateway.turn.executor import Executor, Searcher
from gateway.turn.follow_ups import FollowUps
from gateway.turn.ladder import ANSWER, TURN, Ladder, Step, dispensable
from gateway.turn.merging import merge_evidence, merge_rankings, number
from gateway.turn.routing import RoutedRetrieve
from gateway.turn.speculation import Speculation, single_node_graph
from gateway.turn.turn_timeline import Timeliner
from gateway.turn.writing import Writing
from libs.contracts.answers import Answer, TextDelta
from libs.contracts.options import Scene
from libs.contracts.query import NodeSearch, PassageScore, QueryGraph, QueryNode
from libs.contracts.session import Outcome
from libs.contracts.stages.decompose import DECOMPOSE, DecomposeRequest, Planned
from libs.contracts.stages.retrieve import RetrieveResult
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage
from libs.graph.placeholders import fill_in
from libs.llm.usage import Meter
from libs.runtime import deadline
from libs.runtime.errors import ParleyError
from libs.runtime.lazy_task import LazyTask

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Drives an understood turn over the stages."""

    stages: Stages
    settings: GatewaySettings
    meter: Meter = field(default_factory=lambda: Meter(Stage.ANSWER, {}))
    """Prices the discarded usage of language models."""
    ladder: Ladder = field(default_factory=Ladder)

    def open_speculation(self, draft: Draft, retrieve: RoutedRetrieve, emit: Emit) -> Speculation:
        """Return the speculation that starts before the turn is understood."""
        options = draft.request.options
        is_requested = self.settings.speculate if options.speculate is None else options.speculate
        is_allowed = is_requested and options.budget is None and self.settings.search_ahead and not options.web
        return Speculation(self._answer, draft, retrieve, emit, self.meter, is_allowed)

    def open_retrieval(self, draft: Draft, emit: Emit) -> RoutedRetrieve:
        """Return the turn's retrieval, used from its first search to its end."""
        draft.omitted = self.ladder.omissions(deadline.remaining(), TURN)
        return RoutedRetrieve(self.stages, draft, emit, self.settings.search_ahead)

    async def run(
        self, draft: Draft, retrieve: RoutedRetrieve, emit: Emit, speculation: Speculation | None = None
    ) -> None:
        """Fill in the rest of the draft and emit its events.

        Args:
            draft: an understood turn.
            retrieve: the turn's retrieval.
            emit: receives the events.
            speculation: the answers started before the turn was understood, if any.

        Raises:
            ParleyError: retrieval or writing failed as a whole.
        """
        understanding = draft.understanding or Understanding(grounded_query=draft.request.question)
        options = draft.request.options
        is_answered = options.answers(understanding) or (speculation is not None and speculation.is_released)
        if not is_answered:
            if speculation is not None:
                speculation.give_up()
            self._reply_instead(draft, understanding, emit)
        elif speculation is None or not await speculation.settle():
            await self._answer(draft, understanding, retrieve, emit)

    def _reply_instead(self, draft: Draft, understanding: Understanding, emit: Emit) -> None:
        """Reply to a question that is refused, is a courtesy or is asked back."""
        if understanding.question_rejection.is_reject and draft.request.options.reject is Act.ACT:
            self._reply(draft, understanding.question_rejection.reject_reason, Outcome.REJECTED, emit)
        elif understanding.courtesy_reply:
            self._reply(draft, understanding.courtesy_reply, Outcome.ANSWERED, emit)
        else:
            self._reply(draft, _question_back(understanding), Outcome.ASKED, emit)

    def _reply(self, draft: Draft, text: str, outcome: Outcome, emit: Emit) -> None:
        """End the turn with a fixed text instead of an answer."""
        emit(References())
        emit(TextDelta(1, 1, text))
        emit(TextEnd(text))
        draft.answer = Answer(text)
        draft.outcome = outcome

    async def _answer(self, draft: Draft, understanding: Understanding, retrieve: RoutedRetrieve, emit: Emit) -> None:
        draft.omitted |= self.ladder.omissions(deadline.remaining(), ANSWER)
        retrieve.begin()
        timeline = self._start_timeline(draft, understanding, retrieve, emit)
        try:
            await self._retrieve(draft, understanding, retrieve, emit)
            recommender = FollowUps(self.stages, self._recommendations(draft, emit))
            with LazyTask(_delay_until_shown(emit, partial(recommender.propose, draft))) as proposal:
                await Writing(self.stages, recommender.limit, proposal.begin).run(draft, understanding, emit)
                for event in await proposal:
                    emit(event)
            if timeline is not None:
                await timeline
        finally:
            if timeline is not None:
                timeline.cancel()

    def _recommendations(self, draft: Draft, emit: Emit) -> int:
        """Return how many follow-ups are wanted and can be had."""
        limit, count = self.settings.recommendations, draft.request.options.recommendations
        wanted = limit if count is None else min(count, limit)
        if not wanted or Step.FOLLOW_UPS not in draft.omitted:
            return wanted
        emit(Step.FOLLOW_UPS.degraded)
        return 0

    def _start_timeline(
        self, draft: Draft, understanding: Understanding, retrieve: Searcher, emit: Emit
    ) -> asyncio.Task[None] | None:
        if not draft.request.options.draws_timeline(understanding):
            return None
        if Step.TIMELINE in draft.omitted:
            emit(Step.TIMELINE.degraded)
            return None
        timeliner = Timeliner(self.stages, self._executor(retrieve), self.settings)
        return asyncio.create_task(_delay_until_shown(emit, partial(timeliner.run, draft, understanding, emit))())

    async def _retrieve(self, draft: Draft, understanding: Understanding, retrieve: Searcher, emit: Emit) -> None:
        plan = await self._plan(draft, understanding)
        draft.graph = plan.value
        emit(Plan(plan.value))
        for degraded in plan.degraded:
            emit(degraded)
        options = draft.retrieval(understanding)
        if Step.RERANKING in draft.omitted:
            emit(Step.RERANKING.degraded)
        execution = await self._executor(retrieve).run(draft, plan.value, options, emit)
        draft.graph = _with_answers(plan.value, execution)
        evidence = merge_evidence(execution.results, execution.answers)
        draft.references = number(evidence, self.settings.references)
        draft.searches = tuple(_node_search(node_id, result) for node_id, result in execution.results.items())
        draft.ranking = merge_rankings(execution.results, options.ranking)

    async def _plan(self, draft: Draft, understanding: Understanding) -> StageResult[QueryGraph]:
        question = draft.forms(understanding).grounded
        record = draft.record
        if draft.graph is not None and (Step.SPLITTING not in draft.omitted or len(draft.graph.nodes) == 1):
            return StageResult(draft.graph)
        single = single_node_graph(question, record.query if record else None)
        if draft.request.options.plan is PlanMode.OFF or record is None:
            return StageResult(single)
        if Step.SPLITTING in draft.omitted:
            return StageResult(single, (Step.SPLITTING.degraded,))
        if is_used_up(draft.budget_left):
            effect = "The budget was used up before the question could be split; it was searched as one."
            return StageResult(single, (Degraded(Stage.DECOMPOSE, "BUDGET_EXHAUSTED", effect),))
        try:
            with draft.timed(Stage.DECOMPOSE, "decompose"), dispensable():
                request = DecomposeRequest(question, record, understanding, Scene.GENERAL)
                result = await result_of(self.stages.stream(DECOMPOSE, request), Planned)
        except ParleyError as error:
            effect = "The question was searched as one; its parts may be answered unevenly."
            return StageResult(single, (Degraded(Stage.DECOMPOSE, error.reason, effect),))
        draft.add_usage(result.value.usage)
        return StageResult(result.value.graph, result.degraded)

    def _executor(self, retrieve: Searcher) -> Executor:
        return Executor(retrieve, self.stages, self.settings.node_seconds)


def _delay_until_shown(emit: Emit, work: Callable[[], Awaitable[T]]) -> Callable[[], Coroutine[Any, Any, T]]:
    """Delay the work until the answer is shown."""

    async def run() -> T:
        if isinstance(emit, EventBuffer):
            await emit.wait_until_open()
        return await work()

    return run


def _node_search(node_id: str, result: RetrieveResult) -> NodeSearch:
    scores = (PassageScore(e.passage.passage_id, e.scores) for e in result.evidence)
    return NodeSearch(node_id, result.terms, tuple(scores))


def _question_back(understanding: Understanding) -> str:
    supplement = understanding.question_supplement
    choices = "\n".join(f"{n}. {choice}" for n, choice in enumerate(supplement.supply_choices, start=1))
    return f"{supplement.supply_description}\n{choices}" if choices else supplement.supply_description


def _with_answers(graph: QueryGraph, execution: Execution) -> QueryGraph:
    """Return the graph as it was executed, with the short answers found or computed."""
    answers = {node_id: short_answer.answer for node_id, short_answer in execution.answers.items()}
    return replace(graph, nodes=tuple(_executed_node(node, answers, execution) for node in graph.nodes))


def _executed_node(node: QueryNode, answers: Mapping[str, str], execution: Execution) -> QueryNode:
    short_answer = execution.answers.get(node.id)
    call = node.function_call
    if call is not None:
        call = replace(call, arguments=tuple(fill_in(argument, answers) for argument in call.arguments))
    return replace(
        node,
        text=execution.texts.get(node.id, node.text),
        function_call=call,
        answer=short_answer.answer if short_answer else node.answer,
        source=short_answer.source if short_answer else node.source,
    )
