"""Builds a turn's timeline concurrently with the answer, from its own plan and evidence; it cannot fail the turn."""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from gateway.calling.stages import Stages, result_of
from gateway.events.events import Plan, ignore
from gateway.graph.evidence import merge_evidence
from gateway.graph.executor import Executor
from gateway.settings import GatewaySettings
from gateway.turn.deadline_steps import Step, seconds_before_ending
from gateway.turn.question_calls import QuestionCalls
from gateway.turn.turn_run import TurnRun, UnderstoodTurn
from libs.contracts.options import Depth, Scene
from libs.contracts.query import QueryGraph
from libs.contracts.stages.timeline import BUILD, BuildRequest, Built
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import DeadlineExceeded, ParleyError, Unavailable

TIMELINE_EVIDENCE: Final = 100
"""Passages for a timeline over all its sub-queries, more than for an answer: each event needs a passage of its own.

Twelve timelines over the samples and two changelogs have 219 dates; 189 with 30 for the question
and 30 for each of four canned phases."""


@dataclass(frozen=True, slots=True)
class Timeliner:
    """Plans, searches and builds a timeline."""

    stages: Stages
    executor: Executor
    settings: GatewaySettings

    async def build(self, run: TurnRun, understood: UnderstoodTurn) -> None:
        """Emit the timeline, or the reason why there is none; only when the answer may be shown."""
        await run.until_shown()
        try:
            async with asyncio.timeout(seconds_before_ending(self.settings.stage_seconds)):
                await self._build(run, understood)
        except TimeoutError:
            run.emit(Degraded(Stage.TIMELINE, "DEADLINE_EXCEEDED", "There is no timeline: its stage took too long."))
        except ParleyError as error:
            run.emit(Degraded(Stage.TIMELINE, error.reason, "There is no timeline."))

    async def _build(self, run: TurnRun, understood: UnderstoodTurn) -> None:
        graph = await self._plan(run, understood)
        options = run.retrieval(understood.understanding)
        reranked = options.depth.rerank if options.depth and Step.RERANKING in run.omitted else 0
        share = TIMELINE_EVIDENCE // len(graph.nodes)
        deep = replace(options, depth=Depth(rerank=reranked, evidence=share), ranking=0)
        execution = await self.executor.run(understood.standalone, graph, deep, run.usage, ignore)
        request = BuildRequest(
            understood.grounded,
            tuple(merge_evidence(execution.results)),
            understood.understanding.time_range,
            run.request.options.timeline_events,
        )
        with run.usage.timed(Stage.TIMELINE, "build"):
            result = await result_of(self.stages.stream(BUILD, request), Built)
        run.usage.add(result.value.usage)
        run.update(timeline=result.value.timeline)
        run.emit(result.value.timeline)
        run.emit_all(result.degraded)

    async def _plan(self, run: TurnRun, understood: UnderstoodTurn) -> QueryGraph:
        try:
            graph = (await QuestionCalls(self.stages, run).decompose(understood, Scene.TIMELINE)).value
        except (Unavailable, DeadlineExceeded) as error:
            effect = "The timeline was not planned: it was searched with the question's own words."
            run.emit(Degraded(Stage.DECOMPOSE, error.reason, effect))
            graph = understood.unsplit
        run.emit(Plan(graph, timeline=True))
        return graph
