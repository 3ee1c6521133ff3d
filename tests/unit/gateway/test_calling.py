"""How the gateway reaches its stages: where each is, and what it takes of their answers."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from gateway.calling.access import StageAccess, open_stages
from gateway.calling.callers import RemoteStage, seconds_for
from gateway.settings import GatewaySettings
from libs.contracts.stages.answer import EXTRACT, VERIFY, WRITE
from libs.contracts.stages.intent import JUDGE, UNDERSTAND, JudgeRequest, UnderstandRequest, Understood, Verdict
from libs.contracts.stages.retrieve import DETECT_RANGE, DetectRangeRequest
from libs.contracts.usage import PROGRESS_OFF
from libs.runtime.calling.peer import open_peer
from libs.runtime.errors import ParleyError, Unavailable
from libs.runtime.serving.service import Service
from libs.runtime.serving.stage import StageServices
from libs.runtime.settings import ServerSettings
from parley.intent.v1 import intent_pb2, intent_pb2_grpc
from parley.retrieve.v1 import corpus_pb2_grpc, inference_pb2_grpc
from tests.fakes.running_server import running
from tests.fakes.stages import ScriptedStages

SERVER = ServerSettings(port=7000)


def services_of(name: str, *services: Service) -> StageServices:
    return StageServices(name, services, tasks=ScriptedStages())


def test_stages_of_their_own_have_the_ports_after_the_gateways() -> None:
    access = StageAccess.of(GatewaySettings(), SERVER, {})
    assert access.addresses["intent"] == "127.0.0.1:7001"
    assert access.addresses["timeline"] == "127.0.0.1:7005"
    assert not access.local_services


def test_a_stage_of_the_gateways_process_is_called_there_unless_the_settings_name_an_address() -> None:
    settings = GatewaySettings(retrieve="search.example.org:443")
    access = StageAccess.of(settings, SERVER, {name: services_of(name) for name in ("intent", "retrieve")})
    assert access.local_services.keys() == {"intent"}
    assert access.addresses["intent"] == "127.0.0.1:7000"
    assert access.addresses["retrieve"] == "search.example.org:443"
    assert access.addresses["decompose"] == "127.0.0.1:7002"


async def test_a_hosted_stage_is_called_directly_and_the_others_over_the_network(unused_tcp_port: int) -> None:
    nowhere = f"127.0.0.1:{unused_tcp_port}"
    access = StageAccess({"intent": nowhere, "retrieve": nowhere}, {"intent": services_of("intent")})
    async with open_stages(GatewaySettings(stage_seconds=0.2), access) as stages:
        steps = [step async for step in stages.stream(UNDERSTAND, UnderstandRequest("When did it land?"))]
        assert [type(step) for step in steps] == [Understood]
        with pytest.raises(ParleyError):
            await stages.unary(DETECT_RANGE, DetectRangeRequest("When did it land?"))


async def test_a_hosted_stage_handles_what_is_passed_on_itself() -> None:
    class Corpus(corpus_pb2_grpc.CorpusServiceServicer):
        """Stands for a servicer of the stage."""

    class Inference(inference_pb2_grpc.InferenceServiceServicer):
        """Stands for the other one."""

    hosted = Corpus(), Inference()  # type: ignore[abstract]
    services = [Service("other", object()), *map(Service.of, hosted)]
    access = StageAccess.of(GatewaySettings(), SERVER, {"retrieve": services_of("retrieve", *services)})
    async with access.retrieval() as servicers:
        assert servicers == hosted


SETTINGS = GatewaySettings(stage_seconds=5, write_seconds=50)


class Newer(intent_pb2_grpc.IntentServiceServicer):
    """A stage that sends a step that nobody knows yet, and judges without saying what."""

    metadata: tuple[Any, ...] = ()

    async def Understand(self, request: Any, context: Any) -> AsyncIterator[intent_pb2.UnderstandResponse]:
        self.metadata = context.invocation_metadata()
        yield intent_pb2.UnderstandResponse.FromString(b"\xfa\x06\x02\x08\x01")  # field 111
        yield intent_pb2.UnderstandResponse(verdict=intent_pb2.Verdict(passes=True))

    async def Judge(self, request: Any, context: Any) -> intent_pb2.JudgeResponse:
        return intent_pb2.JudgeResponse(engine="rules")


@pytest.fixture
async def stage() -> AsyncIterator[tuple[RemoteStage, Newer]]:
    servicer = Newer()
    async with (
        running(servicer) as server,
        open_peer(server.target, "intent") as peer,
    ):
        yield RemoteStage(peer, SETTINGS), servicer


async def test_steps_of_a_newer_version_are_left_out_and_progress_is_off(
    stage: tuple[RemoteStage, Newer],
) -> None:
    remote, servicer = stage
    request = UnderstandRequest("When did it land?")
    assert [step async for step in remote.stream(UNDERSTAND, request)] == [Verdict(passes=True)]
    assert PROGRESS_OFF in [tuple(item) for item in servicer.metadata]


async def test_an_answer_without_a_needed_field_is_a_failure_of_the_stage(stage: tuple[RemoteStage, Newer]) -> None:
    with pytest.raises(Unavailable, match=r"intent stage sent an answer without .*: question_rejection") as failure:
        await stage[0].unary(JUDGE, JudgeRequest("When did it land?"))
    assert failure.value.reason == "STAGE_FAILED"


def test_what_is_written_may_take_longer_than_other_calls() -> None:
    assert [seconds_for(method, SETTINGS) for method in (UNDERSTAND, EXTRACT, WRITE, VERIFY)] == [5, 5, 50, 50]
