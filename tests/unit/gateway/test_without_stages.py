"""Turns while a stage cannot be reached: which go on, in which way, and which end without a word."""

import pytest

from gateway.events.events import Event, Recommendation
from gateway.request import TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.store.stores import Stores
from gateway.turn.turns import Turns
from libs.contracts.answers import TextDelta
from libs.contracts.session import Outcome
from libs.contracts.timeline import Timeline
from libs.contracts.usage import Degraded, Stage
from libs.runtime.errors import ParleyError, Unavailable
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.turning import DOWN, ask, completed, follow, pick, turns_over

PRO = TurnRequest("Which craft landed on Mars in 2008?", session_id="s-1", options=TurnOptions(pro=True))


def reasons(events: list[Event]) -> set[tuple[Stage, str]]:
    return {(event.stage, event.reason) for event in pick(events, Degraded)}


async def test_without_decompose_the_original_question_is_searched(turns: Turns, stages: ScriptedStages) -> None:
    stages.failures |= {"condense": DOWN, "decompose": DOWN}
    events = await ask(turns, PRO)
    assert completed(events).outcome is Outcome.ANSWERED
    assert reasons(events) == {(Stage.DECOMPOSE, "STAGE_UNAVAILABLE")}
    assert {query for method, query in stages.calls if method == "retrieve"} == {PRO.question}
    assert len(pick(events, Timeline)) == 1


async def test_without_timeline_the_turn_is_answered(turns: Turns, stages: ScriptedStages) -> None:
    stages.failures["build"] = DOWN
    events = await ask(turns, PRO)
    assert completed(events).outcome is Outcome.ANSWERED
    assert reasons(events) == {(Stage.TIMELINE, "STAGE_UNAVAILABLE")}
    assert pick(events, Timeline) == []


async def test_follow_ups_that_cannot_be_checked_are_not_proposed(turns: Turns, stages: ScriptedStages) -> None:
    stages.failures["gauge_questions"], stages.questions = DOWN, ("good?",)
    events = await ask(turns)
    assert completed(events).outcome is Outcome.ANSWERED
    assert reasons(events) == {(Stage.RETRIEVE, "STAGE_UNAVAILABLE")}
    assert pick(events, Recommendation) == []


@pytest.mark.parametrize("method", ["understand", "retrieve", "write"])
async def test_without_a_needed_stage_the_turn_fails_without_text_and_the_next_one_works(
    turns: Turns, stages: ScriptedStages, method: str
) -> None:
    stages.failures[method] = DOWN
    events: list[Event] = []

    with pytest.raises(Unavailable, match="STAGE_UNAVAILABLE"):
        await follow(await turns.ask(PRO), events)
    assert pick(events, TextDelta) == []
    del stages.failures[method]
    assert completed(await ask(turns, PRO)).outcome is Outcome.ANSWERED


async def test_intent_may_be_made_optional(stores: Stores, stages: ScriptedStages) -> None:
    turns = turns_over(stores, stages, GatewaySettings(require_intent=False))
    stages.failures["understand"] = DOWN
    events = await ask(turns)
    assert completed(events).outcome is Outcome.ANSWERED
    assert reasons(events) == {(Stage.INTENT, "STAGE_UNAVAILABLE")}


async def test_an_error_of_an_optional_intent_still_ends_the_turn(stores: Stores, stages: ScriptedStages) -> None:
    turns = turns_over(stores, stages, GatewaySettings(require_intent=False))
    stages.failures["understand"] = ParleyError("STAGE_FAILED", "It broke.")
    with pytest.raises(ParleyError, match="STAGE_FAILED"):
        await ask(turns)
