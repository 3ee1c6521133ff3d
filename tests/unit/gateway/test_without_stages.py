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
from tests.unit.gateway.turning import DOWN, ask, completed, pick, turns_over

PRO = TurnRequest("Which craft landed on Mars in 2008?", options=TurnOptions(pro=True))


def reasons(events: list[Event]) -> set[tuple[Stage, str]]:
    return {(event.stage, event.reason) for event in pick(events, Degraded)}


async def test_without_decompose_the_turns_own_words_are_searched_and_a_timeline_is_drawn(
    turns: Turns, stages: ScriptedStages
) -> None:
    stages.failures |= {"condense": DOWN, "decompose": DOWN}
    events = await ask(turns, PRO)
    assert completed(events).outcome is Outcome.ANSWERED
    assert reasons(events) == {(Stage.DECOMPOSE, "STAGE_UNAVAILABLE")}
    assert {query for method, query in stages.calls if method == "retrieve"} == {PRO.question}
    assert len(pick(events, Timeline)) == 1


async def test_without_timeline_the_answer_stands_alone(turns: Turns, stages: ScriptedStages) -> None:
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


@pytest.mark.parametrize("method", ["understand", "retrieve"])
async def test_without_intent_or_retrieve_a_turn_ends_without_a_word(
    turns: Turns, stages: ScriptedStages, method: str
) -> None:
    stages.failures[method] = DOWN
    events: list[Event] = []

    async def receive() -> None:
        async for event in await turns.ask(PRO):
            events.append(event)

    with pytest.raises(Unavailable, match="STAGE_UNAVAILABLE"):
        await receive()
    assert pick(events, TextDelta) == []


async def test_an_operator_may_let_turns_go_on_without_intent(stores: Stores, stages: ScriptedStages) -> None:
    turns = turns_over(stores, stages, GatewaySettings(require_intent=False))
    stages.failures["understand"] = DOWN
    events = await ask(turns)
    assert completed(events).outcome is Outcome.ANSWERED
    assert reasons(events) == {(Stage.INTENT, "STAGE_UNAVAILABLE")}


async def test_what_intent_itself_refuses_ends_the_turn_all_the_same(stores: Stores, stages: ScriptedStages) -> None:
    turns = turns_over(stores, stages, GatewaySettings(require_intent=False))
    stages.failures["understand"] = ParleyError("STAGE_FAILED", "It broke.")
    with pytest.raises(ParleyError, match="STAGE_FAILED"):
        await ask(turns)
