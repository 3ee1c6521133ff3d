"""Where the gateway finds each stage, and whether it needs a network."""

from gateway.settings import GatewaySettings
from gateway.stage_channels import StageChannels
from libs.runtime.local import LocalServices
from libs.runtime.settings import ServerSettings

SERVER = ServerSettings(port=7000)


def test_stages_of_their_own_have_the_ports_after_the_gateways() -> None:
    channels = StageChannels.of(GatewaySettings(), SERVER, ["gateway"], LocalServices())
    assert channels.addresses["intent"] == "127.0.0.1:7001"
    assert channels.addresses["timeline"] == "127.0.0.1:7005"
    assert channels.hosted == frozenset()


def test_what_the_gateways_process_serves_is_called_there_unless_the_settings_want_it_elsewhere() -> None:
    settings = GatewaySettings(retrieve="search.example.org:443")
    channels = StageChannels.of(settings, SERVER, ["gateway", "intent", "retrieve"], LocalServices())
    assert channels.hosted == {"intent"}
    assert channels.addresses["intent"] == "127.0.0.1:7000"
    assert channels.addresses["retrieve"] == "search.example.org:443"
    assert channels.addresses["decompose"] == "127.0.0.1:7002"


async def test_a_channel_leads_to_what_is_served_here_without_a_connection() -> None:
    channels = StageChannels({"intent": "nowhere.invalid:1"}, LocalServices(), frozenset({"intent"}))
    async with channels.open("intent") as channel:
        await channel.channel_ready()
