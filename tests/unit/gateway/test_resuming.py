"""Turns that are resumed: where they run, at another gateway, and after their gateway went down."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace

import pytest

from gateway.events.events import Event, References, Restarted, State, TextEnd, UsageReport
from gateway.request import TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.store.event_log import EventLog
from gateway.store.logged_turns import Lease
from gateway.store.session_store import SessionStore
from gateway.store.sessions import Addition
from gateway.store.stores import Stores
from gateway.turn.turns import Turns
from libs.contracts.answers import Answer, Citation, TextDelta, Verdict
from libs.contracts.session import Outcome
from libs.contracts.stages.answer import FollowUps, WriteRequest, WriteResult, WriteStep
from libs.contracts.usage import Stage
from libs.runtime.errors import FailedPrecondition, ParleyError, Unavailable
from tests.fakes.stages import ScriptedStages, evidence
from tests.unit.gateway.turning import (
    DOWN,
    ask,
    completed,
    follow,
    kinds,
    pick,
    stop_as_if_killed,
    stored_turns,
    turns_over,
)

SETTINGS = GatewaySettings(stage_seconds=5, search_ahead=False)
ASK = TurnRequest("When did it land?", session_id="s-1", principals=("ann",))
SENTENCES = ("It landed.", " It dug.", " It froze.")

OpenGateway = Callable[..., Turns]


@dataclass
class SlowStages(ScriptedStages):
    """Writes three sentences, each in two pieces, with a pause before each piece."""

    pause: float = 0.0
    writes: int = 0

    async def write(self, request: WriteRequest) -> AsyncGenerator[WriteStep, None]:
        await self._called("write", request)
        self.writes += 1
        for number, sentence in enumerate(SENTENCES, start=1):
            for piece in (sentence[:4], sentence[4:]):
                await asyncio.sleep(self.pause)
                yield TextDelta(1, number, piece)
            yield Citation(number, verdict=Verdict.VERIFIED)
        yield FollowUps(("And then?",))
        yield WriteResult(Answer("".join(SENTENCES)))


@pytest.fixture
def stages() -> SlowStages:
    return SlowStages(results={"*": [evidence("a"), evidence("b", 0.5, rank=2)]})


@pytest.fixture
def open_gateway(stores: Stores, stages: SlowStages) -> OpenGateway:
    """Opens one more gateway over the same stores, whose stages may be others."""

    def open_it(scripted: ScriptedStages = stages) -> Turns:
        return turns_over(stores, scripted, SETTINGS)

    return open_it


async def resume(turns: Turns, turn_id: str, after_seq: int = 0, principals: tuple[str, ...] = ("ann",)) -> list[Event]:
    return [event async for event in await turns.resume(turn_id, after_seq, principals)]


async def until_it_fails(stream: AsyncGenerator[Event, None]) -> tuple[list[Event], ParleyError | None]:
    """The events of a turn, and the error that it ends with."""
    events: list[Event] = []
    try:
        await follow(stream, events)
    except ParleyError as error:
        return events, error
    return events, None


async def first(turns: Turns, count: int, request: TurnRequest = ASK) -> list[Event]:
    """The first events of a turn whose gateway then stops as if it was killed."""
    return await _first_of(await turns.ask(request), turns, count)


async def first_resumed(turns: Turns, turn_id: str, after_seq: int, count: int) -> list[Event]:
    """The next events of a resumed turn whose gateway then stops as if it was killed."""
    return await _first_of(await turns.resume(turn_id, after_seq, ("ann",)), turns, count)


async def _first_of(followed: AsyncGenerator[Event, None], turns: Turns, count: int) -> list[Event]:
    events: list[Event] = []
    async with aclosing(followed) as stream:
        async for event in stream:
            events.append(event)
            if len(events) == count:
                await stop_as_if_killed(turns, event.turn_id)
                break
    return events


def told(events: list[Event]) -> list[object]:
    """What the events say, without times and turn ids, each text in one piece."""
    contents: list[object] = []
    for event in events:
        content = event.content
        if isinstance(content, UsageReport):
            contents.append((UsageReport, [(task.stage, task.task) for task in content.tasks]))
        elif isinstance(content, TextDelta) and contents and _same_sentence(contents[-1], content):
            contents[-1] = replace(content, delta=contents[-1].delta + content.delta)  # type: ignore[attr-defined]
        else:
            contents.append(content)
    return contents


def _same_sentence(earlier: object, piece: TextDelta) -> bool:
    return isinstance(earlier, TextDelta) and earlier.sentence == piece.sentence


async def test_a_turn_that_ended_is_told_again_from_any_event_on(open_gateway: OpenGateway) -> None:
    events = await ask(open_gateway(), ASK)
    other = open_gateway()
    for seq in range(len(events) + 1):
        assert await resume(other, events[0].turn_id, seq) == events[seq:]


async def test_a_running_turn_is_followed_at_two_gateways(open_gateway: OpenGateway, stages: SlowStages) -> None:
    stages.pause = 0.02
    one, other = open_gateway(), open_gateway()
    events: list[Event] = []
    followers: list[asyncio.Task[list[Event]]] = []
    async for event in await one.ask(ASK):
        events.append(event)
        if isinstance(event.content, TextDelta):
            following = (resume(turns, event.turn_id, after) for turns in (one, other) for after in (0, event.seq))
            followers += [asyncio.create_task(each) for each in following]
    for position, follower in enumerate(followers):
        received = await follower
        assert received == events[-len(received) :]
        assert len(received) == len(events) or position % 2


async def test_a_turn_that_failed_fails_again(open_gateway: OpenGateway, stages: SlowStages) -> None:
    stages.failures["write"] = DOWN
    events, _ = await until_it_fails(await open_gateway().ask(ASK))
    received, error = await until_it_fails(await open_gateway().resume(events[0].turn_id, 1, ("ann",)))
    assert received == events[1:]
    assert isinstance(error, Unavailable)
    assert (error.reason, error.message) == (DOWN.reason, DOWN.message)


def last_run(events: list[Event]) -> list[Event]:
    """The events of the run that ended the turn: those after the last `restarted`."""
    restarts = [place for place, event in enumerate(events) if isinstance(event.content, Restarted)]
    return events[restarts[-1] + 1 :] if restarts else events


async def test_after_a_kill_at_any_event_the_turn_ends_whole(open_gateway: OpenGateway, stages: SlowStages) -> None:
    stages.pause = 0.02  # the turn must still run when it is killed, on a busy machine, too
    whole = await ask(open_gateway(), ASK)
    for count in range(1, len(whole)):
        before = await first(open_gateway(), count, replace(ASK, session_id=f"s-{count}"))
        after = await resume(open_gateway(), before[0].turn_id, len(before))
        assert [event.seq for event in before + after] == list(range(1, len(before + after) + 1))
        may_be_stored = kinds(before)[-1] in ("recommendation", "usage")
        assert kinds(before + after).count("restarted") in ((0, 1) if may_be_stored else (1,))
        assert told(last_run(before + after))[:-1] == told(whole)[:-1]
        assert completed(after) == replace(completed(whole), session_id=f"s-{count}")
        assert {event.turn_id for event in after} == {before[0].turn_id}


async def test_each_kill_restarts_the_turn_once(open_gateway: OpenGateway, stages: SlowStages, stores: Stores) -> None:
    stages.pause = 0.05
    before = await first(open_gateway(), 3)
    turn_id = before[0].turn_id
    again = await first_resumed(open_gateway(), turn_id, after_seq=3, count=5)
    events = [*before, *again, *await resume(open_gateway(), turn_id, 8)]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert kinds(events).count("restarted") == 2
    assert await resume(open_gateway(), turn_id) == events
    (turn,) = await stored_turns(stores, "s-1")
    assert turn.answer is not None
    assert turn.answer.text == pick(events, TextEnd)[-1].text


async def test_a_restarted_turn_whose_writer_fails_fails(open_gateway: OpenGateway, stages: SlowStages) -> None:
    before = await first(open_gateway(), 9)
    stages.failures["write"] = DOWN
    after, error = await until_it_fails(await open_gateway().resume(before[0].turn_id, 9, ("ann",)))
    assert "restarted" in kinds(after)
    assert isinstance(error, Unavailable)


async def test_a_turn_of_phase_two_goes_on_as_well(open_gateway: OpenGateway, stages: SlowStages) -> None:
    turns = open_gateway()
    supplied = await turns.supply(ASK)
    events: list[Event] = []
    async with aclosing(await turns.answer(supplied.question_id, "", ("ann",))) as stream:
        async for event in stream:
            events.append(event)
            if isinstance(event.content, References):
                await stop_as_if_killed(turns, event.turn_id)
                break
    other = open_gateway()
    events += await resume(other, supplied.question_id, len(events))
    assert kinds(last_run(events))[:3] == ["condensed", "understanding", "plan"]
    assert completed(events).session_id == "s-1"
    assert await resume(other, supplied.question_id) == events


async def test_one_gateway_of_several_takes_a_turn_over(open_gateway: OpenGateway, stages: SlowStages) -> None:
    stages.pause = 0.01
    before = await first(open_gateway(), 9)
    stages.writes = 0
    gateways = [open_gateway() for _ in range(4)]
    received = await asyncio.gather(*(resume(turns, before[0].turn_id, 9) for turns in gateways * 2))
    assert stages.writes == 1
    assert all(events == received[0] for events in received)
    assert kinds(received[0])[-1] == "completed"


async def test_of_a_turn_that_was_stored_only_the_end_is_told(
    open_gateway: OpenGateway, stores: Stores, stages: SlowStages, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, add = open_gateway(), SessionStore.add
    before: list[Event] = []

    async def add_and_die(self: SessionStore, addition: Addition) -> None:
        await add(self, addition)
        running = turns.resuming.runs.get(before[0].turn_id)
        assert running is not None
        running.detach()

    monkeypatch.setattr(SessionStore, "add", add_and_die)
    asking = asyncio.create_task(follow(await turns.ask(ASK), before))
    await asyncio.wait({asking}, timeout=0.5)
    asking.cancel()
    turn_id = before[0].turn_id
    await turns.resuming.log.renew([turn_id], Lease(turns.resuming.runs.owner, 0.0))
    stages.calls.clear()
    after = await resume(open_gateway(), turn_id, len(before))
    assert kinds(before)[-1] == "recommendation"
    assert kinds(after) == ["usage", "completed"]
    assert completed(after).outcome is Outcome.ANSWERED
    assert stages.calls == []
    assert [turn.question_id for turn in await stored_turns(stores, "s-1")] == [turn_id]


async def test_a_resumable_turn_tells_its_id_at_once(open_gateway: OpenGateway, stages: SlowStages) -> None:
    stages.delays["condense"], turns = 30, open_gateway()
    async with aclosing(await turns.ask(replace(ASK, options=TurnOptions(resumable=True)))) as events:
        event = await asyncio.wait_for(anext(events), 5)
        assert (event.seq, event.content) == (1, State(Stage.GATEWAY, "accepted"))
        await turns.cancel(event.turn_id, ("ann",))


async def test_a_retry_follows_the_turn_that_runs(open_gateway: OpenGateway, stages: SlowStages) -> None:
    stages.pause = 0.02
    request = replace(ASK, request_id="r-1")
    one, other = open_gateway(), open_gateway()
    first_call, second, third = await asyncio.gather(ask(one, request), ask(one, request), ask(other, request))
    assert first_call == second == third
    assert stages.writes == 1


async def test_a_turn_larger_than_the_log_is_not_resumed(stores: Stores, stages: SlowStages, log: EventLog) -> None:
    log._max_bytes = 700
    turns = turns_over(stores, stages, SETTINGS)
    events = await ask(turns, ASK)
    assert kinds(events)[-1] == "completed"
    with pytest.raises(FailedPrecondition) as error:
        await resume(turns, events[0].turn_id)
    assert error.value.reason == "TURN_LOG_FULL"
