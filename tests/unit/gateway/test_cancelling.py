"""Turns that are cancelled: by their stream's end, by Cancel here or elsewhere, by their deadline."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from gateway.events.events import Event, SubQuery
from gateway.request import TurnOptions, TurnRequest
from gateway.session.row_codec import unpack_turn
from gateway.settings import GatewaySettings
from gateway.store.event_log import EventLog
from gateway.store.logged_turns import Appended, Batch, TurnState
from gateway.store.session_store import SessionStore
from gateway.store.sessions import Addition
from gateway.store.stores import Stores
from gateway.turn.turns import Turns
from libs.contracts.answers import TextDelta
from libs.contracts.conversation import ConversationView
from libs.contracts.session import Outcome, Turn
from libs.contracts.usage import Degraded
from libs.contracts.wire.codec import from_message
from libs.runtime import deadline
from libs.runtime.errors import Cancelled, Unavailable
from libs.runtime.limits.admission import AdmissionSettings, admission_of
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.turning import ask, completed, follow, kinds, pick, stop_as_if_killed, turns_over

ASK = TurnRequest("When did it land?", session_id="s-1")
RESUMABLE = replace(ASK, options=TurnOptions(resumable=True))
SETTINGS = GatewaySettings(stage_seconds=60, search_ahead=False)


@pytest.fixture
def hanging(stores: Stores, stages: ScriptedStages) -> Turns:
    """A gateway whose answers never come."""
    stages.delays["write"] = 60
    return turns_over(stores, stages, SETTINGS, grace_seconds=0.3)


@pytest.fixture
def interrupted(hanging: Turns, stages: ScriptedStages) -> Turns:
    """A gateway whose answers stop behind their first sentence."""
    stages.delays = {"cite": 60}
    return hanging


@pytest.fixture
def other(stores: Stores, stages: ScriptedStages) -> Turns:
    """Another gateway over the same stores."""
    return turns_over(stores, stages, SETTINGS, grace_seconds=0.3)


@asynccontextmanager
async def watched(turns: Turns) -> AsyncIterator[None]:
    """The gateway looks in the log, as it does while it is open."""
    watch = asyncio.create_task(turns.resuming.runs.watch())
    try:
        yield
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def begin(turns: Turns, request: TurnRequest, until: type = SubQuery) -> str:
    """Begin a turn, leave it when it searches or tells something else, and return its id."""
    async with aclosing(await turns.ask(request)) as events:
        async for event in events:
            if isinstance(event.content, until):
                return event.turn_id
    raise AssertionError("the turn did not get there")


async def stored(turns: Turns, session_id: str = "s-1") -> list[Turn]:
    store = turns.worker.conversations.store
    session = await store.session(session_id)
    rows = await store.turns(session, 1, session.version) if session is not None else []
    return [from_message(unpack_turn(row), Turn) for row in rows]


async def outcomes(turns: Turns) -> list[Outcome | None]:
    return [turn.outcome for turn in await stored(turns)]


def condensed(stages: ScriptedStages) -> list[ConversationView]:
    """The conversations that the questions so far came from."""
    return [view for method, view in stages.calls if method == "condense" and isinstance(view, ConversationView)]


async def state(turns: Turns, turn_id: str) -> TurnState:
    return (await turns.resuming.log.progress([turn_id]))[turn_id].state


async def following(turns: Turns, turn_id: str) -> list[Event]:
    return [event async for event in await turns.resume(turn_id, 0, ())]


def running_tasks() -> set[str]:
    return {task.get_coro().__qualname__ for task in asyncio.all_tasks() if task is not asyncio.current_task()}  # type: ignore[union-attr]


async def test_a_turn_is_cancelled_when_its_stream_ends(hanging: Turns) -> None:
    turn_id = await begin(hanging, ASK)
    assert await state(hanging, turn_id) is TurnState.CANCELLED
    assert await outcomes(hanging) == []
    assert hanging.resuming.runs.get(turn_id) is None
    assert running_tasks() == set()


async def test_a_cancelled_turn_without_an_answer_leaves_nothing_in_its_session(
    hanging: Turns, stages: ScriptedStages
) -> None:
    await begin(hanging, ASK)
    stages.delays.clear()
    await ask(hanging, ASK)
    assert await outcomes(hanging) == [Outcome.ANSWERED]
    assert [view.messages for view in condensed(stages)] == [(), ()]


async def test_the_question_of_a_cancelled_answer_can_be_answered_again(hanging: Turns, stages: ScriptedStages) -> None:
    supplied = await hanging.supply(ASK)
    async with aclosing(await hanging.answer(supplied.question_id, "", ())) as events:
        await anext(events)
    stages.delays.clear()
    again = [event async for event in await hanging.answer(supplied.question_id, "", ())]
    assert completed(again).outcome is Outcome.ANSWERED


@pytest.mark.parametrize("request_", [ASK, RESUMABLE])
async def test_a_cancelled_turn_keeps_the_text_that_was_shown(
    interrupted: Turns, stages: ScriptedStages, request_: TurnRequest
) -> None:
    turn_id = await begin(interrupted, request_, TextDelta)
    assert await interrupted.cancel(turn_id, ()) is TurnState.CANCELLED
    (turn,) = await stored(interrupted)
    assert (turn.question, turn.outcome, turn.answer and turn.answer.text) == (
        ASK.question,
        Outcome.CANCELLED,
        stages.text,
    )
    stages.delays.clear()
    await ask(interrupted, ASK)
    assert await outcomes(interrupted) == [Outcome.CANCELLED, Outcome.ANSWERED]
    assert [message.text for message in condensed(stages)[-1].messages] == [ASK.question, stages.text]


async def test_a_turn_that_nobody_reads_gives_its_place_back_when_its_work_ends(other: Turns) -> None:
    admission = admission_of(AdmissionSettings())
    async with admission.place("ann"):
        unread = await other.ask(ASK)
        assert admission.running == 1
        running = other.resuming.runs.get((await anext(unread)).turn_id)
        assert running is not None
        await running.until_ended()
        await asyncio.sleep(0)
        assert admission.running == 0
        await unread.aclose()


async def test_a_retry_that_only_reads_holds_no_place(other: Turns) -> None:
    request = replace(ASK, request_id="r-1")
    first = await ask(other, request)
    admission = admission_of(AdmissionSettings())
    async with admission.place("ann"):
        again = await other.ask(request)
        assert admission.running == 0
        assert [event.seq async for event in again] == [event.seq for event in first]


async def test_a_resumable_turn_goes_on_for_a_while(hanging: Turns) -> None:
    turn_id = await begin(hanging, RESUMABLE)
    assert await state(hanging, turn_id) is TurnState.RUNNING
    await asyncio.sleep(0.5)
    assert await state(hanging, turn_id) is TurnState.CANCELLED
    assert await outcomes(hanging) == []
    assert running_tasks() == set()


async def test_a_resumable_turn_that_is_followed_again_is_not_cancelled(hanging: Turns, other: Turns) -> None:
    turn_id = await begin(hanging, RESUMABLE)
    async with watched(hanging):
        follower = asyncio.create_task(following(other, turn_id))
        await asyncio.sleep(0.6)
        assert await state(hanging, turn_id) is TurnState.RUNNING
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)
        assert await hanging.cancel(turn_id, ()) is TurnState.CANCELLED


async def test_cancel_stops_a_turn_and_its_followers(hanging: Turns) -> None:
    turn_id = await begin(hanging, RESUMABLE)
    follower = asyncio.create_task(following(hanging, turn_id))
    await asyncio.sleep(0.01)
    assert await hanging.cancel(turn_id, ()) is TurnState.CANCELLED
    with pytest.raises(Cancelled):
        await follower
    with pytest.raises(Cancelled):
        await following(hanging, turn_id)
    assert await outcomes(hanging) == []
    assert running_tasks() == set()


async def test_cancel_by_another_gateway(hanging: Turns, other: Turns) -> None:
    turn_id = await begin(hanging, RESUMABLE)
    async with watched(hanging):
        assert await other.cancel(turn_id, ()) is TurnState.CANCELLED
    assert await outcomes(other) == []
    assert hanging.resuming.runs.get(turn_id) is None


async def test_cancel_of_a_turn_whose_gateway_went_down(hanging: Turns, other: Turns) -> None:
    turn_id = await begin(hanging, RESUMABLE)
    await stop_as_if_killed(hanging, turn_id)
    assert await other.cancel(turn_id, ()) is TurnState.CANCELLED
    assert await outcomes(other) == []


async def test_cancel_of_a_turn_that_ended_changes_nothing(other: Turns) -> None:
    turn_id = (await ask(other, ASK))[0].turn_id
    assert await other.cancel(turn_id, ()) is TurnState.COMPLETED
    assert await outcomes(other) == [Outcome.ANSWERED]


@pytest.mark.parametrize("request_", [ASK, RESUMABLE])
async def test_a_turn_ends_with_its_deadline(hanging: Turns, request_: TurnRequest) -> None:
    events: list[Event] = []
    with deadline.limited(0.2), pytest.raises(Cancelled):
        await follow(await hanging.ask(request_), events)
    assert await state(hanging, events[0].turn_id) is TurnState.CANCELLED
    assert await outcomes(hanging) == []


async def test_a_turn_that_is_being_stored_completes(
    hanging: Turns, stages: ScriptedStages, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages.delays.clear()
    add, is_saving = SessionStore.add, asyncio.Event()

    async def slow_add(self: SessionStore, addition: Addition) -> None:
        is_saving.set()
        await asyncio.sleep(0.05)
        await add(self, addition)

    monkeypatch.setattr(SessionStore, "add", slow_add)
    events: list[Event] = []
    asking = asyncio.create_task(follow(await hanging.ask(ASK), events))
    await is_saving.wait()
    assert await hanging.cancel(events[0].turn_id, ()) is TurnState.COMPLETED
    await asking
    assert kinds(events)[-1] == "completed"
    assert await outcomes(hanging) == [Outcome.ANSWERED]


async def test_turns_are_left_to_other_gateways_when_this_one_stops(hanging: Turns, other: Turns) -> None:
    turn_id = await begin(hanging, RESUMABLE)
    await hanging.resuming.runs.hand_over()
    assert await state(hanging, turn_id) is TurnState.RUNNING
    assert await outcomes(other) == []
    assert await other.cancel(turn_id, ()) is TurnState.CANCELLED


async def test_a_turn_whose_log_was_deleted_stops_and_is_not_stored(hanging: Turns) -> None:
    turn_id = await begin(hanging, RESUMABLE)
    async with watched(hanging):
        await hanging.resuming.log.forget(["s-1"])
        await asyncio.sleep(0.1)
    assert hanging.resuming.runs.get(turn_id) is None
    assert await outcomes(hanging) == []


async def test_a_turn_goes_on_without_a_log_that_is_down(
    tmp_path: Path, other: Turns, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def append(turn_id: str, owner: str, batch: Batch) -> Appended:
        raise Unavailable("ENGINE_UNAVAILABLE", "It is down.")

    monkeypatch.setattr(type(log), "append", lambda self, *arguments: append(*arguments))
    events = await ask(other, ASK)
    assert kinds(events)[-1] == "completed"
    assert [degraded.reason for degraded in pick(events, Degraded)] == ["ENGINE_UNAVAILABLE"]
    assert await outcomes(other) == [Outcome.ANSWERED]
