"""What a turn leaves out as its deadline comes near, and that the answer is given all the same."""

from dataclasses import replace

import pytest

from gateway.events.events import Event, Recommendation
from gateway.request import TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.store.stores import Stores
from gateway.turn.deadline_steps import ANSWER, Step, StepTimes
from libs.contracts.evidence import Evidence, ImageReference
from libs.contracts.query import QueryGraph, QueryNode
from libs.contracts.session import Outcome
from libs.contracts.stages.answer import WriteRequest
from libs.contracts.timeline import Timeline
from libs.contracts.usage import Degraded, Stage, Usage
from libs.runtime import deadline
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.turning import ask, completed, pick, turns_over

SECONDS = {
    (Stage.RETRIEVE, "retrieve"): 0.5,
    (Stage.ANSWER, "write"): 3.0,
    (Stage.TIMELINE, "build"): 2.0,
    (Stage.ANSWER, "place"): 1.0,
    (Stage.RETRIEVE, "recommend"): 1.0,
    (Stage.RETRIEVE, "rerank"): 2.0,
    (Stage.DECOMPOSE, "decompose"): 1.0,
}
PRO = TurnRequest("Which craft landed on Mars in 2008?", options=TurnOptions(pro=True))


def usage(**seconds: float) -> list[Usage]:
    times = {**SECONDS, **{task: seconds[task[1]] for task in SECONDS if task[1] in seconds}}
    return [Usage(stage, task, 1000 * each) for (stage, task), each in times.items()]


def times_after(turns: int) -> StepTimes:
    times = StepTimes()
    for _ in range(turns):
        times.observe(usage())
    return times


def test_shorter_deadlines_leave_out_more_steps_in_their_order() -> None:
    times, steps = times_after(50), list(Step)
    omissions = [times.omissions(tenths / 10, ANSWER) for tenths in range(600, 0, -1)]
    distinct = list(dict.fromkeys(omissions))
    assert distinct == [frozenset(steps[:count]) for count in range(len(steps) + 1)]


def test_nothing_is_left_out_without_a_deadline_or_before_it_was_measured() -> None:
    assert times_after(50).omissions(None, ANSWER) == frozenset()
    assert StepTimes().omissions(0.1, ANSWER) == frozenset()


def test_one_slow_turn_changes_little_and_many_change_what_is_left_out() -> None:
    times = times_after(50)
    assert Step.TIMELINE not in times.omissions(12.0, ANSWER)
    times.observe(usage(write=5.0))
    assert Step.TIMELINE not in times.omissions(12.0, ANSWER)
    for _ in range(50):
        times.observe(usage(write=20.0))
    assert Step.TIMELINE in times.omissions(12.0, ANSWER)


def test_only_the_longest_time_of_a_repeated_task_counts() -> None:
    once, often = StepTimes(), StepTimes()
    for _ in range(20):
        once.observe([Usage(Stage.RETRIEVE, "retrieve", 900.0)])
        often.observe([Usage(Stage.RETRIEVE, "retrieve", each) for each in (900.0, 10.0, 500.0)])
    assert often == once


class TestTurns:
    """Whole turns whose stages take some time, after some that had enough of it."""

    WRITE, BUILD, CHECK, PLAN = 0.05, 0.1, 0.1, 0.3
    """Seconds that the stages take."""
    REPORTS = (Stage.TIMELINE, Stage.ANSWER, Stage.ANSWER, Stage.DECOMPOSE)

    @pytest.fixture
    def stages(self) -> ScriptedStages:
        scripted = ScriptedStages(
            results={"*": [_pictured("a")]},
            questions=("And in 2012?",),
            graph=QueryGraph((QueryNode("1", "Which craft?"), QueryNode("2", "Which year?"))),
        )
        scripted.delays = {
            "write": self.WRITE,
            "build": self.BUILD,
            "gauge_questions": self.CHECK,
            "decompose": self.PLAN,
        }
        return scripted

    async def asked(self, stores: Stores, stages: ScriptedStages, seconds: float) -> list[Event]:
        turns = turns_over(stores, stages, GatewaySettings(search_ahead=False))
        turns.worker.pipeline.step_times.observe([Usage(Stage.ANSWER, "place", 300.0)])  # scripted stages place nothing
        for _ in range(3):
            await ask(turns, PRO)
        stages.calls.clear()
        with deadline.limited(seconds):
            return await ask(turns, PRO)

    async def test_a_turn_with_enough_time_leaves_nothing_out(self, stores: Stores, stages: ScriptedStages) -> None:
        events = await self.asked(stores, stages, 60.0)
        assert pick(events, Degraded) == []
        assert (len(pick(events, Timeline)), len(pick(events, Recommendation))) == (1, 1)

    async def test_a_turn_with_time_for_its_answer_only_reports_what_is_left_out(
        self, stores: Stores, stages: ScriptedStages
    ) -> None:
        events = await self.asked(stores, stages, 0.8)
        assert completed(events).outcome is Outcome.ANSWERED
        degraded = pick(events, Degraded)
        assert {each.reason for each in degraded} == {"DEADLINE_NEAR"}
        assert sorted(each.stage for each in degraded) == sorted(self.REPORTS)
        assert pick(events, Timeline) == []
        assert pick(events, Recommendation) == []
        (request,) = [argument for method, argument in stages.calls if method == "write"]
        assert isinstance(request, WriteRequest)
        assert (request.without_images, request.follow_ups, len(request.graph.nodes)) == (True, 0, 1)  # type: ignore[union-attr]


def _pictured(name: str) -> Evidence:
    item = evidence(name)
    image = ImageReference("a-0")
    return replace(item, passage=replace(item.passage, images=(image,)))
