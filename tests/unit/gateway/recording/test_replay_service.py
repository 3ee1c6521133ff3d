"""ReplayService over the network: what a client receives, and what it may not."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import grpc
import pytest

from gateway.access.guard import AccessGuard
from gateway.recording.replaying import Replays
from gateway.recording.servicer import ReplayServicer
from gateway.recording.turn_recording import TurnRecordings
from gateway.recording.visibility import PassageVisibility
from gateway.request import TurnOptions, TurnRequest
from gateway.session.passage_lookups import CorpusLookups
from gateway.store.stores import Stores
from libs.runtime.serving.server import running
from libs.runtime.settings import ServerSettings
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import recording_pb2, replay_pb2, replay_pb2_grpc
from parley.retrieve.v1 import corpus_pb2
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.turning import ask, recorded_turns

ANN = (("x-parley-principal", "ann"),)
RECORDED = TurnRequest("When did it land?", "s", principals=("ann",), options=TurnOptions(record=True))


class Corpus:
    """A corpus of which some passages are gone."""

    def __init__(self) -> None:
        self.gone: set[str] = set()

    async def LookUpPassages(
        self, request: corpus_pb2.LookUpPassagesRequest, context: Any
    ) -> corpus_pb2.LookUpPassagesResponse:
        assert list(request.principals) == ["ann"]
        lookups = [corpus_pb2.PassageLookup(visible=key.passage_id not in self.gone) for key in request.keys]
        return corpus_pb2.LookUpPassagesResponse(lookups=lookups)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus()


@dataclass
class Recorded:
    """A recorded turn of ann's, and the service that runs it again."""

    turn_id: str
    service: Any

    async def replay(self, **options: Any) -> list[replay_pb2.ReplayResponse]:
        request = replay_pb2.ReplayRequest(turn_id=self.turn_id, **options)
        return [response async for response in self.service.Replay(request, metadata=ANN)]


@pytest.fixture
async def turn(stores: Stores, stages: ScriptedStages, corpus: Corpus) -> AsyncIterator[Recorded]:
    recorder = TurnRecordings(stores.recordings, False, 1 << 20)
    turn_id = (await ask(recorded_turns(stores, stages, recorder), RECORDED))[0].turn_id
    servicer = ReplayServicer(
        recorder, Replays(stages.stages(), PassageVisibility(CorpusLookups(corpus, AccessGuard())))
    )
    async with (
        running(ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1), servicer) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        stub: Any = replay_pb2_grpc.ReplayServiceStub(channel)
        yield Recorded(turn_id, stub)


async def test_a_recording_lists_its_calls(turn: Recorded) -> None:
    request = replay_pb2.GetRecordingRequest(turn_id=turn.turn_id)
    recording = await turn.service.GetRecording(request, metadata=ANN)
    assert (recording.question, recording.session_id) == ("When did it land?", "s")
    assert [call.number for call in recording.calls] == list(range(1, len(recording.calls) + 1))
    assert recording.calls[0].method == "CondenseInSteps"
    assert recording.calls[0].stage == usage_pb2.STAGE_DECOMPOSE
    assert {call.end for call in recording.calls} == {recording_pb2.CALL_END_RESULT}


async def test_a_replay_streams_every_call_with_its_verdict(turn: Recorded) -> None:
    responses = await turn.replay()
    assert {response.verdict for response in responses} == {replay_pb2.REPLAY_VERDICT_SAME}
    assert "Write" in [response.call.method for response in responses]


async def test_a_changed_answer_is_named_by_its_first_place(turn: Recorded, stages: ScriptedStages) -> None:
    stages.text = "It fell. [1]"
    (write,) = await turn.replay(stage=usage_pb2.STAGE_ANSWER)
    assert write.verdict == replay_pb2.REPLAY_VERDICT_DIFFERENT
    assert write.difference_count == 2
    first = write.differences[0]
    assert (first.path, first.recorded_value, first.replayed_value) == ("text.delta", "It landed. [1]", "It fell. [1]")


async def test_values_are_withheld_once_a_passage_is_gone(
    turn: Recorded, stages: ScriptedStages, corpus: Corpus
) -> None:
    stages.text = "It fell. [1]"
    corpus.gone = {"a"}
    (write,) = await turn.replay(stage=usage_pb2.STAGE_ANSWER)
    assert {(d.recorded_value, d.replayed_value, d.withheld) for d in write.differences} == {("", "", True)}


@pytest.mark.parametrize("metadata", [(), (("x-parley-principal", "bob"),)])
async def test_a_foreign_recording_is_not_found(turn: Recorded, metadata: tuple[tuple[str, str], ...]) -> None:
    calls: list[Any] = [
        turn.service.GetRecording(replay_pb2.GetRecordingRequest(turn_id=turn.turn_id), metadata=metadata),
        turn.service.Replay(replay_pb2.ReplayRequest(turn_id=turn.turn_id), metadata=metadata).read(),
    ]
    for call in calls:
        with pytest.raises(grpc.aio.AioRpcError, match="There is no recording") as refusal:
            await call
        assert refusal.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize(
    "request_", [{"turn_id": ""}, {"turn_id": "a b"}, {"turn_id": "q", "stage": usage_pb2.STAGE_GATEWAY}]
)
async def test_a_request_that_names_no_turn_or_no_stage_is_refused(turn: Recorded, request_: dict[str, Any]) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refusal:
        await turn.service.Replay(replay_pb2.ReplayRequest(**request_), metadata=ANN).read()
    assert refusal.value.code() is grpc.StatusCode.INVALID_ARGUMENT
