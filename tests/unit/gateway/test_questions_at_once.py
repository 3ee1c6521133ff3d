"""Several questions at once in a session, and retries of what is being cancelled."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from gateway.events.events import Event
from gateway.request import TurnRequest
from gateway.settings import GatewaySettings
from gateway.store.event_log import EventLog
from gateway.store.logged_turns import Appended, Batch
from gateway.store.stores import Stores
from gateway.turn.turns import Turns
from libs.contracts.session import Outcome
from libs.runtime.errors import Conflict, NotFound
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.turning import ask, completed, stored_turns, turns_over

ASK = TurnRequest("When did it land?", session_id="s-1")
ONCE = replace(ASK, request_id="r-1")


@pytest.fixture
def turns(stores: Stores, stages: ScriptedStages) -> Turns:
    """A gateway whose answers come when `stages.delays` is cleared."""
    stages.delays["write"] = 60
    return turns_over(stores, stages, GatewaySettings(stage_seconds=60, search_ahead=False))


@pytest.fixture
def slow_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was cancelled takes a while until it has ended."""
    append = EventLog.append

    async def slow_append(self: EventLog, turn_id: str, owner: str, batch: Batch) -> Appended:
        await asyncio.sleep(0.1 if batch.ending else 0)
        return await append(self, turn_id, owner, batch)

    monkeypatch.setattr(EventLog, "append", slow_append)


async def begun(turns: Turns, request: TurnRequest) -> AsyncGenerator[Event, None]:
    """The further events of a turn that has begun to work."""
    events = await turns.ask(request)
    await anext(events)
    return events


async def cancelled(turns: Turns, stages: ScriptedStages, request: TurnRequest) -> "asyncio.Task[None]":
    """Begin a turn and leave it, and return before it has ended; the next answers come at once."""
    events = await turns.ask(request)
    turn_id = (await anext(events)).turn_id
    stages.delays.clear()
    running = turns.resuming.runs.get(turn_id)
    assert running is not None
    leaving = asyncio.create_task(events.aclose())
    await asyncio.sleep(0)
    assert running.is_cancelling
    return leaving


async def test_a_second_question_in_a_session_is_refused_before_it_is_worked_at(
    turns: Turns, stages: ScriptedStages
) -> None:
    first = await begun(turns, ASK)
    for _ in range(4):
        with pytest.raises(Conflict, match="ask when it has ended"):
            await turns.ask(replace(ASK, question="Where did it land?"))
    assert stages.count("condense") == 1
    await first.aclose()


async def test_of_questions_that_come_together_one_is_answered(turns: Turns, stages: ScriptedStages) -> None:
    stages.delays.clear()
    results = await asyncio.gather(*(ask(turns, ASK) for _ in range(5)), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Conflict"] * 4 + ["list"]
    assert stages.count("condense") == 1
    assert completed(await ask(turns, ASK)).outcome is Outcome.ANSWERED


async def test_other_sessions_and_questions_without_one_do_not_wait(turns: Turns) -> None:
    streams = [await begun(turns, replace(ASK, session_id=name)) for name in ("s-1", "s-2", "", "")]
    for stream in streams:
        await stream.aclose()


async def test_a_stranger_who_names_the_session_does_not_learn_that_it_is_busy(
    turns: Turns, stages: ScriptedStages
) -> None:
    own = replace(ASK, principals=("ann",))
    stages.delays.clear()
    await ask(turns, own)
    stages.delays["write"] = 60
    first = await begun(turns, own)
    with pytest.raises(NotFound):
        await turns.ask(replace(ASK, principals=("bob",)))
    await first.aclose()


@pytest.mark.usefixtures("slow_log")
@pytest.mark.parametrize("request_", [ASK, ONCE], ids=["next question", "retry"])
async def test_what_follows_a_cancel_at_once_is_answered(
    turns: Turns, stages: ScriptedStages, stores: Stores, request_: TurnRequest
) -> None:
    leaving = await cancelled(turns, stages, request_)
    assert completed(await ask(turns, request_)).outcome is Outcome.ANSWERED
    await leaving
    assert [turn.outcome for turn in await stored_turns(stores, "s-1")] == [Outcome.ANSWERED]


async def test_twins_with_one_request_id_get_the_same_turn(turns: Turns, stages: ScriptedStages) -> None:
    stages.delays.clear()
    first, *others = await asyncio.gather(*(ask(turns, ONCE) for _ in range(3)))
    assert [[event.turn_id for event in events] for events in others] == [[event.turn_id for event in first]] * 2
    assert stages.count("condense") == 1
