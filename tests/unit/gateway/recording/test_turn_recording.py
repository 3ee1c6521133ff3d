"""Turns are recorded on request or by a setting, and run again by those who may read them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gateway.events.events import Event
from gateway.recording.recordings import CallEnd, Recording
from gateway.recording.replaying import ReplayedCall, Replays, ReplayVerdict
from gateway.recording.turn_recording import TurnRecordings
from gateway.request import TurnOptions, TurnRequest
from gateway.store.stores import Stores
from gateway.turn.turns import Turns
from libs.contracts.usage import Stage
from libs.runtime.errors import NotFound, ParleyError, Unavailable
from parley.intent.v1 import intent_pb2
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.turning import DOWN, ask, recorded_turns, stored_turns

RECORDED = TurnRequest("When did it land?", "s", options=TurnOptions(record=True))
ANN = ("ann",)
METHODS = ["CondenseInSteps", "Understand", "DetectRange", "Decompose", "Retrieve", "Write", "GaugeQuestions"]


@dataclass
class AllVisible:
    """Says whether a passage may be seen, and keeps how often it was asked."""

    visible: bool = True

    async def are_visible(self, messages: Any, principals: tuple[str, ...]) -> bool:
        return self.visible


@dataclass
class Recorded:
    """Turns over scripted stages that are recorded, and their replays over the same stages."""

    turns: Turns
    recordings: TurnRecordings
    stages: ScriptedStages
    visibility: AllVisible

    async def ask(self, request: TurnRequest = RECORDED) -> str:
        """The id of a turn."""
        return (await ask(self.turns, request))[0].turn_id

    async def recording(self, turn_id: str, principals: tuple[str, ...] = ()) -> Recording:
        return await self.recordings.recording(turn_id, principals)

    async def replay(self, turn_id: str, stage: Stage | None = None) -> list[ReplayedCall]:
        replays = Replays(self.stages.stages(), self.visibility)
        return [call async for call in replays.replay(await self.recording(turn_id), stage, ())]


def over(stores: Stores, stages: ScriptedStages, always: bool = False, limit: int = 1 << 20) -> Recorded:
    recorder = TurnRecordings(stores.recordings, always, limit)
    turns = recorded_turns(stores, stages, recorder)
    return Recorded(turns, recorder, stages, AllVisible())


@pytest.fixture
def suite(stores: Stores, stages: ScriptedStages) -> Recorded:
    stages.questions = ("And when did it start?",)
    return over(stores, stages)


async def collect(events: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in events]


def methods(recording: Recording) -> list[str]:
    return [item.call.method for item in recording.calls]


async def test_a_turn_is_recorded_call_by_call(suite: Recorded) -> None:
    recording = await suite.recording(await suite.ask())
    assert sorted(methods(recording)) == sorted(METHODS)
    assert methods(recording)[0] == "CondenseInSteps"
    assert [item.call.number for item in recording.calls] == list(range(1, 8))
    assert (recording.question, recording.session_id, recording.omitted) == ("When did it land?", "s", 0)
    assert {item.call.end for item in recording.calls} == {CallEnd.RESULT}
    assert all(len(item.call.request_hash) == 64 for item in recording.calls)


async def test_a_turn_is_not_recorded_unless_somebody_wants_it(suite: Recorded) -> None:
    turn_id = await suite.ask(replace(RECORDED, options=TurnOptions()))
    with pytest.raises(NotFound, match="RECORDING_NOT_FOUND"):
        await suite.recording(turn_id)


async def test_a_setting_records_every_turn(stores: Stores, stages: ScriptedStages) -> None:
    suite = over(stores, stages, always=True)
    assert (await suite.recording(await suite.ask(TurnRequest("When?")))).calls


async def test_both_phases_of_a_question_are_one_recording(suite: Recorded) -> None:
    supplied = await suite.turns.supply(RECORDED)
    assert sorted(methods(await suite.recording(supplied.question_id))) == ["CondenseInSteps", "Understand"]
    await collect(await suite.turns.answer(supplied.question_id, "", ()))
    recording = await suite.recording(supplied.question_id)
    assert sorted(methods(recording)) == sorted(METHODS)
    assert [item.call.number for item in recording.calls] == list(range(1, 8))


async def test_the_same_question_has_the_same_hashes(suite: Recorded) -> None:
    now = datetime(2026, 3, 2, tzinfo=UTC)
    request = replace(RECORDED, session_id="", options=TurnOptions(record=True, now=now))
    first, second = [await suite.recording(await suite.ask(request)) for _ in range(2)]

    def hashes(recording: Recording) -> list[tuple[str, str, str]]:
        calls = [item.call for item in recording.calls]
        return sorted((call.method, call.request_hash, call.response_hash) for call in calls)

    assert hashes(first) == hashes(second)


async def test_a_question_without_a_moment_is_recorded_with_its_own(suite: Recorded) -> None:
    recording = await suite.recording(await suite.ask())
    (request,) = [item.request for item in recording.calls if item.call.method == "Understand"]
    moment = intent_pb2.UnderstandRequest.FromString(request).setting.now.ToDatetime(UTC)
    assert abs(moment - recording.started_at) < timedelta(seconds=10)


async def test_a_turn_that_fails_is_recorded_with_the_error(suite: Recorded) -> None:
    suite.stages.failures["write"] = DOWN
    supplied = await suite.turns.supply(RECORDED)
    with pytest.raises(Unavailable):
        await collect(await suite.turns.answer(supplied.question_id, "", ()))
    recording = await suite.recording(supplied.question_id)
    (call,) = [item.call for item in recording.calls if item.call.method == "Write"]
    assert (call.end, call.reason) == (CallEnd.ERROR, "STAGE_UNAVAILABLE")


async def test_a_turn_that_is_cancelled_is_recorded_up_to_there(suite: Recorded) -> None:
    suite.stages.delays["write"] = 30
    turn_ids: list[str] = []

    async def listen() -> None:
        async for event in await suite.turns.ask(RECORDED):
            turn_ids.append(event.turn_id)

    listening = asyncio.create_task(listen())
    while not (turn_ids and suite.stages.count("write")):  # noqa: ASYNC110 - the scripted stages have no event
        await asyncio.sleep(0.01)
    listening.cancel()
    await asyncio.wait({listening})
    turn_id = turn_ids[0]
    recording = await suite.recording(turn_id)
    assert {item.call.method: item.call.end for item in recording.calls}["Write"] is CallEnd.CANCELLED
    verdicts = {call.call.method: call.verdict for call in await suite.replay(turn_id)}
    assert verdicts.pop("Write") is ReplayVerdict.NOT_COMPARED
    assert set(verdicts.values()) == {ReplayVerdict.SAME}


async def test_calls_beyond_the_limit_are_left_out_and_counted(stores: Stores, stages: ScriptedStages) -> None:
    stages.text = "It landed. " * 1000
    suite = over(stores, stages, limit=10_000)
    recording = await suite.recording(await suite.ask())
    assert "Write" not in methods(recording)
    assert recording.omitted == 1


async def test_a_store_that_is_down_fails_no_turn(suite: Recorded) -> None:
    class Down:
        async def put(self, part: object) -> None:
            raise Unavailable("ENGINE_UNAVAILABLE", "it is down")

    down: Any = Down()
    suite.turns.worker.recorder = TurnRecordings(down, True, 1 << 20)
    assert await suite.ask()


async def test_only_its_principals_may_read_a_recording(suite: Recorded) -> None:
    turn_id = await suite.ask(replace(RECORDED, principals=ANN))
    assert (await suite.recording(turn_id, ("bob", "ann"))).calls
    public = await suite.ask(replace(RECORDED, session_id=""))
    assert (await suite.recording(public)).calls
    with pytest.raises(NotFound, match="RECORDING_NOT_FOUND"):
        await suite.recording(public, ANN)
    for foreign in ((), ("bob",)):
        with pytest.raises(NotFound, match="RECORDING_NOT_FOUND"):
            await suite.recording(turn_id, foreign)


async def test_turns_side_by_side_keep_their_recordings_apart(suite: Recorded) -> None:
    questions = [f"What about number {number}?" for number in range(5)]
    turns = await asyncio.gather(*(suite.ask(replace(RECORDED, question=q, session_id="")) for q in questions))
    for question, turn_id in zip(questions, turns, strict=True):
        recording = await suite.recording(turn_id)
        assert recording.question == question
        assert sorted(methods(recording)) == sorted(METHODS)


async def test_the_same_code_gives_the_same_answers(suite: Recorded) -> None:
    replayed = await suite.replay(await suite.ask())
    assert [call.verdict for call in replayed] == [ReplayVerdict.SAME] * len(METHODS)


async def test_a_changed_stage_is_found_where_it_differs_first(suite: Recorded) -> None:
    turn_id = await suite.ask()
    suite.stages.text = "It fell. [1]"
    replayed = {call.call.method: call for call in await suite.replay(turn_id)}
    write = replayed.pop("Write")
    assert write.verdict is ReplayVerdict.DIFFERENT
    assert [difference.path for difference in write.differences] == ["text.delta", "result.answer.text"]
    assert (write.differences[0].recorded_value, write.differences[0].replayed_value) == (
        "It landed. [1]",
        "It fell. [1]",
    )
    assert {call.verdict for call in replayed.values()} == {ReplayVerdict.SAME}


async def test_a_call_that_fails_today_differs_by_its_reason(suite: Recorded) -> None:
    turn_id = await suite.ask()
    suite.stages.failures["write"] = ParleyError("LLM_TOO_SLOW", "it was too slow")
    (write,) = await suite.replay(turn_id, Stage.ANSWER)
    assert write.differences[-1].path == "reason"
    assert write.differences[-1].replayed_value == "LLM_TOO_SLOW"


async def test_one_stage_alone_is_asked_again(suite: Recorded) -> None:
    turn_id = await suite.ask()
    suite.stages.calls.clear()
    assert [call.call.method for call in await suite.replay(turn_id, Stage.ANSWER)] == ["Write"]
    assert [method for method, _ in suite.stages.calls] == ["write"]


async def test_a_replay_is_not_recorded_and_stores_no_turn(suite: Recorded, stores: Stores) -> None:
    turn_id = await suite.ask()
    before = await stored_turns(stores, "s")
    await suite.replay(turn_id)
    assert await stored_turns(stores, "s") == before


async def test_values_of_passages_that_may_no_longer_be_seen_are_withheld(suite: Recorded) -> None:
    turn_id = await suite.ask()
    suite.stages.text, suite.visibility.visible = "It fell. [1]", False
    (write,) = await suite.replay(turn_id, Stage.ANSWER)
    assert write.verdict is ReplayVerdict.DIFFERENT
    assert {(d.recorded_value, d.replayed_value, d.withheld) for d in write.differences} == {("", "", True)}


async def test_a_deleted_session_leaves_no_recording(suite: Recorded, stores: Stores) -> None:
    turn_id = await suite.ask()
    for data in stores.session_data:
        await data.forget(["s"])
    with pytest.raises(NotFound):
        await suite.recording(turn_id)
