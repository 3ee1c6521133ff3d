"""Turns are recorded on request or by a setting, and run again by those who may read them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from gateway.access.guard import AccessGuard
from gateway.events.events import Event
from gateway.recording.servicer import ReplayServicer
from gateway.recording.turn_recording import TurnRecordings
from gateway.request import TurnOptions, TurnRequest
from gateway.session.reference_access import PassageLookups
from gateway.store.stores import Stores
from gateway.turn.turns import Turns
from libs.runtime.errors import NotFound, ParleyError, Unavailable
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import replay_pb2, replay_pb2_grpc
from parley.gateway.v1.recording_pb2 import CALL_END_CANCELLED, CALL_END_ERROR, CALL_END_RESULT, StoredRecording
from parley.gateway.v1.replay_pb2 import (
    REPLAY_VERDICT_DIFFERENT,
    REPLAY_VERDICT_NOT_COMPARED,
    REPLAY_VERDICT_SAME,
    ReplayResponse,
)
from parley.intent.v1 import intent_pb2
from tests.fakes.running_server import running
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.stored_sessions import ScriptedCorpus
from tests.unit.gateway.turning import DOWN, ask, follow, recorded_turns

RECORDED = TurnRequest("When did it land?", "s", options=TurnOptions(record=True))
METHODS = [
    *("CondenseInSteps", "ListLanguages", "Understand", "DetectRange"),
    *("Decompose", "Retrieve", "Write", "GaugeQuestions"),
]


@dataclass
class Recorded:
    """Turns over scripted stages that are recorded, and their replays over the same stages by a client."""

    turns: Turns
    recordings: TurnRecordings
    stages: ScriptedStages
    corpus: ScriptedCorpus
    service: Any

    async def ask(self, request: TurnRequest = RECORDED) -> str:
        """The id of a turn."""
        return (await ask(self.turns, request))[0].turn_id

    async def recording(self, turn_id: str, principals: tuple[str, ...] = ()) -> StoredRecording:
        return await self.recordings.recording(turn_id, principals)

    async def replay(self, turn_id: str, stage: usage_pb2.Stage.ValueType = usage_pb2.STAGE_UNSPECIFIED) -> list[Any]:
        request = replay_pb2.ReplayRequest(turn_id=turn_id, stage=stage)
        return [response async for response in self.service.Replay(request)]


def over(stores: Stores, stages: ScriptedStages, recordings: TurnRecordings) -> Recorded:
    """Turns without a service."""
    return Recorded(recorded_turns(stores, stages, recordings), recordings, stages, ScriptedCorpus(), SimpleNamespace())


@pytest.fixture
async def suite(stores: Stores, stages: ScriptedStages) -> AsyncIterator[Recorded]:
    stages.questions = ("And when did it start?",)
    suite = over(stores, stages, TurnRecordings(stores.recordings, False))
    servicer = ReplayServicer(suite.recordings, stages.stages(), PassageLookups(suite.corpus, AccessGuard()))
    async with running(servicer) as server, grpc.aio.insecure_channel(server.target) as channel:
        suite.service = replay_pb2_grpc.ReplayServiceStub(channel)
        yield suite


def methods(recording: Any) -> list[str]:
    """What was recorded, in order; of a StoredRecording or a response."""
    return [getattr(item, "call", item).method for item in recording.calls]


async def test_a_turn_is_recorded_call_by_call(suite: Recorded) -> None:
    turn_id = await suite.ask()
    recording = await suite.service.GetRecording(replay_pb2.GetRecordingRequest(turn_id=turn_id))
    assert sorted(methods(recording)) == sorted(METHODS)
    assert (recording.calls[0].method, recording.calls[0].stage) == ("CondenseInSteps", usage_pb2.STAGE_DECOMPOSE)
    assert [call.number for call in recording.calls] == list(range(1, 9))
    assert (recording.question, recording.session_id, recording.omitted) == ("When did it land?", "s", 0)
    assert {call.end for call in recording.calls} == {CALL_END_RESULT}
    assert all(len(call.request_hash) == 64 for call in recording.calls)


async def test_a_turn_is_not_recorded_unless_somebody_wants_it(suite: Recorded) -> None:
    turn_id = await suite.ask(replace(RECORDED, options=TurnOptions()))
    with pytest.raises(NotFound, match="RECORDING_NOT_FOUND"):
        await suite.recording(turn_id)


async def test_a_setting_records_every_turn(stores: Stores, stages: ScriptedStages) -> None:
    suite = over(stores, stages, TurnRecordings(stores.recordings, records_all=True))
    assert (await suite.recording(await suite.ask(TurnRequest("When?")))).calls


async def test_both_phases_of_a_question_are_one_recording(suite: Recorded) -> None:
    supplied = await suite.turns.supply(RECORDED)
    assert sorted(methods(await suite.recording(supplied.question_id))) == [
        "CondenseInSteps",
        "ListLanguages",
        "Understand",
    ]
    await follow(await suite.turns.answer(supplied.question_id, "", ()), [])
    recording = await suite.recording(supplied.question_id)
    assert sorted(methods(recording)) == sorted(METHODS)
    assert [item.call.number for item in recording.calls] == list(range(1, 9))


async def test_the_same_question_has_the_same_hashes(suite: Recorded) -> None:
    now = datetime(2026, 3, 2, tzinfo=UTC)
    request = replace(RECORDED, session_id="", options=TurnOptions(record=True, now=now))
    first, second = [await suite.recording(await suite.ask(request)) for _ in range(2)]

    def hashes(recording: StoredRecording) -> list[tuple[str, str, str]]:
        calls = [item.call for item in recording.calls]
        return sorted((call.method, call.request_hash, call.response_hash) for call in calls)

    assert hashes(first) == hashes(second)


async def test_a_question_without_a_moment_is_recorded_with_its_own(suite: Recorded) -> None:
    recording = await suite.recording(await suite.ask())
    (request,) = [item.request for item in recording.calls if item.call.method == "Understand"]
    moment = intent_pb2.UnderstandRequest.FromString(request).setting.now.ToDatetime(UTC)
    assert abs(moment - recording.started_at.ToDatetime(UTC)) < timedelta(seconds=10)


async def test_a_turn_that_fails_is_recorded_with_the_error(suite: Recorded) -> None:
    suite.stages.failures["write"] = DOWN
    supplied = await suite.turns.supply(RECORDED)
    with pytest.raises(Unavailable):
        await follow(await suite.turns.answer(supplied.question_id, "", ()), [])
    recording = await suite.recording(supplied.question_id)
    (call,) = [item.call for item in recording.calls if item.call.method == "Write"]
    assert (call.end, call.reason) == (CALL_END_ERROR, "STAGE_UNAVAILABLE")


async def test_a_turn_that_is_cancelled_is_recorded_up_to_there(suite: Recorded) -> None:
    suite.stages.delays["write"] = 30
    events: list[Event] = []
    listening = asyncio.create_task(follow(await suite.turns.ask(RECORDED), events))
    while not (events and suite.stages.count("write")):  # noqa: ASYNC110 - the scripted stages have no event
        await asyncio.sleep(0.01)
    listening.cancel()
    await asyncio.wait({listening})
    recording = await suite.recording(events[0].turn_id)
    assert {item.call.method: item.call.end for item in recording.calls}["Write"] == CALL_END_CANCELLED
    verdicts = {call.call.method: call.verdict for call in await suite.replay(events[0].turn_id)}
    assert verdicts.pop("Write") == REPLAY_VERDICT_NOT_COMPARED
    assert set(verdicts.values()) == {REPLAY_VERDICT_SAME}


async def test_calls_beyond_the_limit_are_left_out_and_counted(stores: Stores, stages: ScriptedStages) -> None:
    stages.text = "It landed. " * 1000
    suite = over(stores, stages, TurnRecordings(stores.recordings, False, max_bytes=10_000))
    recording = await suite.recording(await suite.ask())
    assert "Write" not in methods(recording)
    assert recording.omitted == 1


async def test_a_store_that_is_down_fails_no_turn(suite: Recorded) -> None:
    class Down:
        async def put(self, part: object) -> None:
            raise Unavailable("ENGINE_UNAVAILABLE", "it is down")

    down: Any = Down()
    suite.turns.worker.recorder = TurnRecordings(down, True)
    assert await suite.ask()


@pytest.mark.parametrize(
    "request_", [{"turn_id": ""}, {"turn_id": "a b"}, {"turn_id": "q", "stage": usage_pb2.STAGE_GATEWAY}]
)
async def test_a_request_that_names_no_turn_or_no_stage_is_refused(suite: Recorded, request_: dict[str, Any]) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await suite.service.Replay(replay_pb2.ReplayRequest(**request_)).read()
    assert refusal.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_turns_side_by_side_keep_their_recordings_apart(suite: Recorded) -> None:
    questions = [f"What about number {number}?" for number in range(5)]
    turns = await asyncio.gather(*(suite.ask(replace(RECORDED, question=q, session_id="")) for q in questions))
    for question, turn_id in zip(questions, turns, strict=True):
        recording = await suite.recording(turn_id)
        assert recording.question == question
        assert sorted(methods(recording)) == sorted(METHODS)


async def test_a_changed_stage_is_found_where_it_differs_first(suite: Recorded) -> None:
    turn_id = await suite.ask()
    suite.stages.text = "It fell. [1]"
    replayed: dict[str, ReplayResponse] = {call.call.method: call for call in await suite.replay(turn_id)}
    write = replayed.pop("Write")
    assert (write.verdict, write.difference_count) == (REPLAY_VERDICT_DIFFERENT, 2)
    assert [(d.path, d.recorded_value, d.replayed_value) for d in write.differences] == [
        ("text[1]", "It landed. [1]", "It fell. [1]"),
        ("result.answer.text", "It landed. [1]", "It fell. [1]"),
    ]
    assert {call.verdict for call in replayed.values()} == {REPLAY_VERDICT_SAME}


async def test_a_call_that_fails_today_differs_by_its_error(suite: Recorded) -> None:
    turn_id = await suite.ask()
    suite.stages.failures["write"] = ParleyError("LLM_TOO_SLOW", "it was too slow")
    (write,) = await suite.replay(turn_id, usage_pb2.STAGE_ANSWER)
    assert (write.differences[-1].path, write.differences[-1].replayed_value) == ("error", "LLM_TOO_SLOW")


async def test_values_of_passages_that_may_no_longer_be_seen_are_withheld(suite: Recorded) -> None:
    turn_id = await suite.ask()
    suite.stages.text, suite.corpus.closed = "It fell. [1]", {"doc-a"}
    (write,) = await suite.replay(turn_id, usage_pb2.STAGE_ANSWER)
    assert write.verdict == REPLAY_VERDICT_DIFFERENT
    assert {(d.recorded_value, d.replayed_value, d.withheld) for d in write.differences} == {("", "", True)}
