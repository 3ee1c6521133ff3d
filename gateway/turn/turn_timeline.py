"""Builds a turn's timeline concurrently with the answer, from its own plan and evidence; it cannot fail the turn."""

import asyncio
from dataclasses import dataclass, replace

from gateway.calling.stages import Stages, result_of
from gateway.events.event_stream import Emit
from gateway.events.events import Plan
from gateway.settings import GatewaySettings
from gateway.turn.date_conflicts import mark_contradictions
from gateway.turn.draft import Draft
from gateway.turn.executor import Executor
from gateway.turn.ladder import Step, dispensable, seconds_before_ending
from gateway.turn.merging import merge_evidence
from gateway.turn.speculation import single_node_graph
from libs.contracts.options import Depth, Scene
from libs.contracts.query import DecisionRecord
from libs.contracts.stages.decompose import DECOMPOSE, DecomposeRequest, Planned
from libs.contracts.stages.timeline import BUILD, BuildRequest, Built
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import DeadlineExceeded, ParleyError, Unavailable


@dataclass(frozen=True, slots=True)
class Timeliner:
    """Plans, searches and builds a timeline."""

    stages: Stages
    executor: Executor
    settings: GatewaySettings

    async def run(self, draft: Draft, understanding: Understanding, emit: Emit) -> None:
        """Emit the timeline, or the reason why there is none."""
        try:
            async with asyncio.timeout(seconds_before_ending(self.settings.timeline_seconds)):
                await self._build(draft, understanding, emit)
        except TimeoutError:
            emit(Degraded(Stage.TIMELINE, "DEADLINE_EXCEEDED", "There is no timeline: it took too long."))
        except ParleyError as error:
            emit(Degraded(Stage.TIMELINE, error.reason, "There is no timeline."))

    async def _build(self, draft: Draft, understanding: Understanding, emit: Emit) -> None:
        question = draft.forms(understanding).grounded
        record = draft.record
        if record is None:
            raise ParleyError("STAGE_FAILED", "The question was not condensed.")
        graph = (await self._plan(draft, question, record, understanding, emit)).graph
        options = draft.retrieval(understanding)
        reranked = options.depth.rerank if options.depth and Step.RERANKING in draft.omitted else 0
        deep = replace(options, depth=Depth(rerank=reranked, evidence=self.settings.timeline_evidence), ranking=0)
        execution = await self.executor.run(draft, graph, deep, _ignore)
        with draft.timed(Stage.TIMELINE, "build"):
            request = BuildRequest(
                question,
                tuple(merge_evidence(execution.results)),
                understanding.time_range,
                draft.request.options.timeline_events,
            )
            result = await result_of(self.stages.stream(BUILD, request), Built)
        draft.add_usage(result.value.usage)
        timeline = draft.timeline = result.value.timeline
        for event in await mark_contradictions(draft) or (timeline,):
            emit(event)
        for degraded in result.degraded:
            emit(degraded)

    async def _plan(
        self, draft: Draft, question: str, record: DecisionRecord, understanding: Understanding, emit: Emit
    ) -> Plan:
        try:
            with draft.timed(Stage.DECOMPOSE, "decompose"), dispensable():
                request = DecomposeRequest(question, record, understanding, Scene.TIMELINE)
                result = (await result_of(self.stages.stream(DECOMPOSE, request), Planned)).value
        except (Unavailable, DeadlineExceeded) as error:
            emit(Degraded(Stage.DECOMPOSE, error.reason, "The timeline was searched in the question's own words."))
            result = Planned(single_node_graph(question, record.query))
        draft.add_usage(result.usage)
        plan = Plan(result.graph, timeline=True)
        emit(plan)
        return plan


def _ignore(_: object) -> None:
    """Ignore the events of a timeline's sub-queries."""
