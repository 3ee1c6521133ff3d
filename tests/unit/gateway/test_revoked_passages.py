"""Logged events obey the rule of stored turns: no words of documents that are gone or closed to the caller by now."""

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from gateway.events.events import Event, References
from gateway.request import TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.store.stores import Stores
from gateway.turn.turns import Turns
from libs.contracts.answers import TextDelta
from libs.contracts.evidence import NearDuplicate
from libs.contracts.session import Outcome
from libs.runtime.errors import Conflict, NotFound, Unavailable
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.stored_sessions import ScriptedCorpus
from tests.unit.gateway.turning import ask, completed, pick, turns_over

ASK = TurnRequest("What does band C earn?", session_id="s-1", request_id="r-1", principals=("ann",))
SECRET = "About salary."
SALARY, GATE = evidence("salary"), evidence("gate", 0.5, rank=2)


@pytest.fixture
def stages() -> ScriptedStages:
    return ScriptedStages(results={"*": [SALARY, GATE]})


@pytest.fixture
def turns(stores: Stores, stages: ScriptedStages, corpus: ScriptedCorpus) -> Turns:
    settings = GatewaySettings(stage_seconds=60, search_ahead=False)
    return turns_over(stores, stages, settings, corpus=corpus)


def take_away(corpus: ScriptedCorpus, stages: ScriptedStages) -> None:
    """From now on the document is neither visible nor found."""
    corpus.closed.add("doc-salary")
    stages.results = {"*": [GATE]}


async def told(stream: AsyncGenerator[Event, None]) -> str:
    return "".join([str(event.content) async for event in stream])


async def test_a_retry_gets_the_logged_events_while_all_of_them_may_be_seen(turns: Turns) -> None:
    first = await ask(turns, ASK)
    again = await ask(turns, ASK)
    assert [event.encoded for event in again] == [event.encoded for event in first]
    assert SECRET in str(pick(again, References))


async def test_a_retry_runs_anew_when_a_passage_is_closed_or_gone(
    turns: Turns, stages: ScriptedStages, corpus: ScriptedCorpus
) -> None:
    first = await ask(turns, ASK)
    take_away(corpus, stages)
    again = await ask(turns, ASK)
    assert completed(again).outcome is Outcome.ANSWERED
    assert again[0].turn_id != first[0].turn_id
    assert SECRET not in str([event.content for event in again])
    assert [event.encoded for event in await ask(turns, ASK)] == [event.encoded for event in again]


async def test_what_may_not_be_seen_cannot_be_resumed(
    turns: Turns, stages: ScriptedStages, corpus: ScriptedCorpus
) -> None:
    turn_id = (await ask(turns, ASK))[0].turn_id
    assert SECRET in await told(await turns.resume(turn_id, 0, ("ann",)))
    take_away(corpus, stages)
    for after_seq in (0, 3, 2**31):
        with pytest.raises(NotFound) as error:
            await turns.resume(turn_id, after_seq, ("ann",))
        assert error.value.reason == "TURN_NOT_FOUND"


async def test_a_turn_without_that_passage_is_resumed(turns: Turns, corpus: ScriptedCorpus) -> None:
    turn_id = (await ask(turns, ASK))[0].turn_id
    corpus.closed.add("doc-other")
    assert SECRET in await told(await turns.resume(turn_id, 0, ("ann",)))


async def test_a_near_duplicate_counts_as_well(turns: Turns, stages: ScriptedStages, corpus: ScriptedCorpus) -> None:
    stages.results = {"*": [replace(GATE, near_duplicates=(NearDuplicate(SALARY.passage, 0.9),))]}
    turn_id = (await ask(turns, ASK))[0].turn_id
    take_away(corpus, stages)
    with pytest.raises(NotFound):
        await turns.resume(turn_id, 0, ("ann",))


async def test_an_answer_of_phase_two_is_not_told_again(
    turns: Turns, stages: ScriptedStages, corpus: ScriptedCorpus
) -> None:
    supplied = await turns.supply(replace(ASK, session_id="", request_id="", history=()))
    assert SECRET in await told(await turns.answer(supplied.question_id, "", ("ann",)))
    take_away(corpus, stages)
    with pytest.raises(Conflict, match="ask again"):
        await told(await turns.answer(supplied.question_id, "", ("ann",)))


async def test_a_turn_that_still_runs_is_cancelled_and_run_anew_by_a_retry(
    turns: Turns, stages: ScriptedStages, corpus: ScriptedCorpus
) -> None:
    stages.delays = {"cite": 60}
    request = replace(ASK, options=TurnOptions(resumable=True))
    stream = await turns.ask(request)
    async for event in stream:
        if isinstance(event.content, TextDelta):
            break
    turn_id = event.turn_id
    take_away(corpus, stages)
    stages.delays.clear()
    with pytest.raises(NotFound):
        await turns.resume(turn_id, 0, ("ann",))
    again = await ask(turns, request)
    assert completed(again).outcome is Outcome.ANSWERED
    assert again[0].turn_id != turn_id
    assert SECRET not in str([event.content for event in again])
    assert turns.resuming.runs.get(turn_id) is None
    await stream.aclose()


async def test_while_nobody_knows_what_may_be_seen_nothing_is_told(
    turns: Turns, corpus: ScriptedCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_id = (await ask(turns, ASK))[0].turn_id

    async def down(self: ScriptedCorpus, request: object, context: None) -> None:
        raise Unavailable("STAGE_UNAVAILABLE", "down")

    monkeypatch.setattr(ScriptedCorpus, "LookUpPassages", down)
    for call in (turns.resume(turn_id, 0, ("ann",)), turns.ask(ASK)):
        with pytest.raises(Unavailable):
            await call
