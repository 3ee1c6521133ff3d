"""Where the gateway finds each stage, and whether it needs a network."""

from gateway.clients import RetrieveClient
from gateway.local_stages import LocalIntent
from gateway.settings import GatewaySettings
from gateway.stage_access import StageAccess, open_stages
from libs.runtime.serving.service import Service
from libs.runtime.serving.stage import StageServices
from libs.runtime.settings import ServerSettings
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


async def test_a_hosted_stage_is_called_directly_and_the_others_by_clients() -> None:
    access = StageAccess.of(GatewaySettings(), SERVER, {"intent": services_of("intent")})
    async with open_stages(GatewaySettings(), access) as stages:
        assert isinstance(stages.intent, LocalIntent)
        assert isinstance(stages.retrieve, RetrieveClient)


async def test_a_hosted_stages_own_servicer_handles_what_is_passed_on() -> None:
    class Own:
        """Stands for a servicer."""

    own = Own()
    services = [Service(name, lambda *_: None, servicer) for name, servicer in (("other", object()), ("own", own))]
    access = StageAccess.of(GatewaySettings(), SERVER, {"retrieve": services_of("retrieve", *services)})
    async with access.servicer("retrieve", Own, lambda channel: channel) as servicer:
        assert servicer is own
