"""A stage of another process: what of its answers the gateway takes, and what it refuses."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from gateway.calling.callers import RemoteStage, seconds_for
from gateway.settings import GatewaySettings
from libs.contracts.stages.answer import EXTRACT, VERIFY, WRITE
from libs.contracts.stages.intent import JUDGE, UNDERSTAND, JudgeRequest, UnderstandRequest, Verdict
from libs.runtime.calling.peer import open_peer
from libs.runtime.errors import Unavailable
from libs.runtime.serving.server import running
from libs.runtime.settings import ServerSettings
from libs.runtime.telemetry.telemetry_names import PROGRESS
from parley.context.v1 import usage_pb2
from parley.intent.v1 import intent_pb2, intent_pb2_grpc

SETTINGS = GatewaySettings(stage_seconds=5, write_seconds=50)


class Newer(intent_pb2_grpc.IntentServiceServicer):
    """A stage that reports progress, sends a step that nobody knows yet, and judges without saying what."""

    metadata: tuple[Any, ...] = ()

    async def Understand(self, request: Any, context: Any) -> AsyncIterator[intent_pb2.UnderstandResponse]:
        self.metadata = context.invocation_metadata()
        yield intent_pb2.UnderstandResponse(state=usage_pb2.Progress(activity="reading"))
        yield intent_pb2.UnderstandResponse.FromString(b"\xfa\x06\x02\x08\x01")  # field 111
        yield intent_pb2.UnderstandResponse(verdict=intent_pb2.Verdict(passes=True))

    async def Judge(self, request: Any, context: Any) -> intent_pb2.JudgeResponse:
        return intent_pb2.JudgeResponse(engine="rules")


@pytest.fixture
async def stage() -> AsyncIterator[tuple[RemoteStage, Newer]]:
    servicer = Newer()
    async with (
        running(ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1), servicer) as server,
        open_peer(server.target, "intent") as peer,
    ):
        yield RemoteStage(peer, SETTINGS), servicer


async def test_steps_of_a_newer_version_and_progress_are_left_out(stage: tuple[RemoteStage, Newer]) -> None:
    remote, servicer = stage
    request = UnderstandRequest("When did it land?")
    assert [step async for step in remote.stream(UNDERSTAND, request)] == [Verdict(passes=True)]
    assert (PROGRESS, "off") in [tuple(item) for item in servicer.metadata]


async def test_an_answer_without_a_needed_field_is_a_failure_of_the_stage(stage: tuple[RemoteStage, Newer]) -> None:
    with pytest.raises(Unavailable, match=r"intent stage sent an answer without .*: question_rejection") as failure:
        await stage[0].unary(JUDGE, JudgeRequest("When did it land?"))
    assert failure.value.reason == "STAGE_FAILED"


def test_what_is_written_may_take_longer_than_other_calls() -> None:
    assert [seconds_for(method, SETTINGS) for method in (UNDERSTAND, EXTRACT, WRITE, VERIFY)] == [5, 5, 50, 50]
