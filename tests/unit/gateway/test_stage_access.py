"""Where the gateway finds each stage, and whether it needs a network."""

import pytest

from gateway.calling.access import StageAccess, open_stages
from gateway.settings import GatewaySettings
from libs.contracts.stages.intent import UNDERSTAND, UnderstandRequest, Understood
from libs.contracts.stages.retrieve import DETECT_RANGE, DetectRangeRequest
from libs.runtime.errors import ParleyError
from libs.runtime.serving.service import Service
from libs.runtime.serving.stage import StageServices
from libs.runtime.settings import ServerSettings
from parley.retrieve.v1 import corpus_pb2_grpc
from tests.fakes.stages import ScriptedStages

SERVER = ServerSettings(port=7000)


def services_of(name: str, *servicers: object) -> StageServices:
    return StageServices(name, servicers, tasks=ScriptedStages())


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


async def test_a_hosted_corpus_handles_what_is_passed_on_itself() -> None:
    class Corpus(corpus_pb2_grpc.CorpusServiceServicer):
        """Stands for the stage's servicer."""

    corpus = Corpus()  # type: ignore[abstract]
    services = [Service("other", lambda *_: None, object()), Service.of(corpus)]
    access = StageAccess.of(GatewaySettings(), SERVER, {"retrieve": services_of("retrieve", *services)})
    async with access.corpus() as servicer:
        assert servicer is corpus
