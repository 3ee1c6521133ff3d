"""Where the gateway finds each stage, and whether it needs a network."""

from gateway.settings import GatewaySettings
from gateway.stage_channels import StageChannels
from libs.runtime.local import LocalServices
from libs.runtime.settings import ServerSettings

SERVER = ServerSettings(port=7000)


def test_stages_of_their_own_have_the_ports_after_the_gateways() -> None:
    doors = StageChannels.of(GatewaySettings(), SERVER, ["gateway"], LocalServices())
    assert doors.addresses["intent"] == "127.0.0.1:7001"
    assert doors.addresses["timeline"] == "127.0.0.1:7005"
    assert doors.hosted == frozenset()


def test_what_the_gateways_process_serves_is_called_there_unless_the_settings_want_it_elsewhere() -> None:
    settings = GatewaySettings(retrieve="search.example.org:443")
    doors = StageChannels.of(settings, SERVER, ["gateway", "intent", "retrieve"], LocalServices())
    assert doors.hosted == {"intent"}
    assert doors.addresses["intent"] == "127.0.0.1:7000"
    assert doors.addresses["retrieve"] == "search.example.org:443"
    assert doors.addresses["decompose"] == "127.0.0.1:7002"


async def test_a_channel_leads_to_what_is_served_here_without_a_connection() -> None:
    doors = StageChannels({"intent": "nowhere.invalid:1"}, LocalServices(), frozenset({"intent"}))
    async with doors.open("intent") as channel:
        await channel.channel_ready()
