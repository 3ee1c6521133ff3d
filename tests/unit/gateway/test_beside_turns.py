"""What stands beside a turn's answer: follow-ups, a timeline, what was done without, and what it took."""

import asyncio

import pytest

from gateway.convert import encoded_event
from gateway.events.events import Event, Recommendation, UsageReport
from gateway.request import TimelineUse, TurnOptions, TurnRequest
from gateway.turn.turn_work import SILENCE
from gateway.turn.turns import Turns
from libs.contracts.evidence import Relevance
from libs.contracts.session import Outcome
from libs.contracts.stages.answer import WriteRequest
from libs.contracts.timeline import Timeline
from libs.contracts.usage import CostSource, Degraded, Stage, Usage, UsageSource
from libs.runtime.errors import ParleyError
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import event_pb2
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.turning import ASK, DOWN, ask, completed, pick


async def test_follow_ups_are_kept_only_where_the_corpus_answers(turns: Turns, stages: ScriptedStages) -> None:
    stages.questions = ("good?", "weak?", "none?", "fine?", "too many?", "far too many?")
    good = {name: [evidence("x")] for name in ("good?", "fine?", "too many?")}
    stages.results = {**stages.results, **good, "weak?": [evidence("x", relevance=Relevance.LOW)], "none?": []}
    events = await ask(turns)
    assert pick(events, Recommendation) == [Recommendation(("good?", "fine?", "too many?"))]


@pytest.mark.parametrize(("limit", "proposal_count"), [(None, 3), (2, 2), (6, 3), (0, 0)])
async def test_a_request_may_want_fewer_follow_ups_than_the_setting(
    turns: Turns, stages: ScriptedStages, limit: int | None, proposal_count: int
) -> None:
    stages.questions = ("one?", "two?", "three?", "four?")
    stages.results = {**stages.results, **{name: [evidence("x")] for name in stages.questions}}
    events = await ask(turns, TurnRequest("?", options=TurnOptions(recommendations=limit)))
    assert sum(len(event.questions) for event in pick(events, Recommendation)) == proposal_count
    assert stages.count("gauge_questions") == (1 if proposal_count else 0)
    (order,) = [argument for method, argument in stages.calls if method == "write"]
    assert isinstance(order, WriteRequest)
    assert order.follow_ups == proposal_count


@pytest.mark.parametrize(("timeline", "count"), [(TimelineUse.AS_ASKED, 1), (TimelineUse.OFF, 0)])
async def test_a_pro_turn_gets_a_timeline_unless_the_request_wants_none(
    turns: Turns, stages: ScriptedStages, timeline: TimelineUse, count: int
) -> None:
    events = await ask(turns, TurnRequest("?", options=TurnOptions(pro=True, timeline=timeline)))
    assert (len(pick(events, Timeline)), stages.count("build")) == (count, count)


async def test_a_late_timeline_is_left_out(turns: Turns, stages: ScriptedStages) -> None:
    stages.delays["build"] = 5
    events = await ask(turns, TurnRequest("?", options=TurnOptions(pro=True)))
    assert completed(events).outcome is Outcome.ANSWERED
    assert [event.reason for event in pick(events, Degraded)] == ["DEADLINE_EXCEEDED"]


async def test_usage_tells_the_time_of_each_task(turns: Turns, stages: ScriptedStages) -> None:
    stages.questions = ("good?",)
    (report,) = pick(await ask(turns), UsageReport)
    tasks = {usage.task for usage in report.tasks}
    assert tasks == {"condense", "understand", "decompose", "detect_range", "retrieve", "recommend", "write"}
    assert report.milliseconds > 0


def test_what_rewriting_and_answering_cost_is_kept_apart() -> None:
    sources = UsageSource.PROVIDER, CostSource.PRICE_TABLE
    tasks = (
        Usage(Stage.DECOMPOSE, "condense", 3.0),
        Usage(Stage.DECOMPOSE, "condense", 0.0, 100, 10, 0.25, *sources),
        Usage(Stage.DECOMPOSE, "rewrite_synonyms", 0.0, 50, 5, 0.5, *sources),
        Usage(Stage.ANSWER, "write", 0.0, 900, 90, 0.0, UsageSource.PROVIDER, CostSource.UNKNOWN),
        Usage(Stage.INTENT, "understand", 0.0, 7, 7, 0.125, *sources),
    )
    usage = event_pb2.Event.FromString(encoded_event(Event("q", 1, UsageReport.of(tasks, 4.0))).encoded).usage
    rewriting, answering = usage.rewriting, usage.answering
    assert (rewriting.input_tokens, rewriting.output_tokens, rewriting.cost_usd) == (150, 15, 0.75)
    assert (answering.input_tokens, answering.output_tokens, answering.cost_usd) == (900, 90, 0.0)
    assert (rewriting.cost_source, answering.cost_source) == (
        usage_pb2.COST_SOURCE_PRICE_TABLE,
        usage_pb2.COST_SOURCE_UNKNOWN,
    )
    assert (usage.input_tokens, usage.cost_usd) == (1057, 0.875)


async def test_a_models_tokens_are_counted_and_its_time_only_once(turns: Turns, stages: ScriptedStages) -> None:
    stages.condense_usage = (Usage(Stage.DECOMPOSE, "condense", 5000.0, 100, 10, model="m"),)
    (report,) = pick(await ask(turns), UsageReport)
    assert (report.rewriting.input_tokens, report.answering.input_tokens) == (100, 0)
    assert sum(usage.milliseconds for usage in report.tasks) < 5000


@pytest.mark.parametrize("failures", [{}, {"read_ahead": DOWN}])
async def test_what_was_said_is_read_ahead_unless_another_turn_comes_first(
    turns: Turns, stages: ScriptedStages, failures: dict[str, ParleyError]
) -> None:
    stages.failures = failures
    for _ in range(2):
        assert completed(await ask(turns)).outcome is Outcome.ANSWERED
    assert not stages.read_views
    await asyncio.sleep(2 * SILENCE)
    (view,) = stages.read_views
    assert [message.text for message in view.messages] == [ASK.question, stages.text]
    assert not any(message.passages for message in view.messages)
