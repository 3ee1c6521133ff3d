"""Where each stage is: at an address, or in this process if it hosts it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Self

from gateway.calling.callers import AllStages, LocalStage, RemoteStage
from gateway.calling.relays import Forwarding
from gateway.calling.stages import Stages
from gateway.names import STAGES
from gateway.settings import GatewaySettings
from libs.runtime.calling.channel import open_channel
from libs.runtime.calling.peer import open_peer
from libs.runtime.serving.stage import StageServices
from libs.runtime.settings import ServerSettings
from parley.retrieve.v1 import corpus_pb2_grpc, inference_pb2_grpc


@dataclass(frozen=True, slots=True)
class StageAccess:
    """Where each stage is."""

    addresses: Mapping[str, str]
    """Addresses by stage name."""
    local_services: Mapping[str, StageServices] = field(default_factory=dict)
    """The stages that this process serves and that are called directly."""

    @classmethod
    def of(cls, settings: GatewaySettings, server: ServerSettings, local_services: Mapping[str, StageServices]) -> Self:
        """Use the configured address, else this process for a stage it hosts, else a port after the gateway's."""
        configured = {name: getattr(settings, name) for name in STAGES}
        local = {name: stage for name, stage in local_services.items() if not configured[name]}
        ports = {name: server.port + (0 if name in local else place) for place, name in enumerate(STAGES, start=1)}
        return cls({name: configured[name] or f"{server.host}:{ports[name]}" for name in STAGES}, local)

    @asynccontextmanager
    async def retrieval(self) -> AsyncIterator[tuple[Any, Any]]:
        """Yield servicers of CorpusService and InferenceService: the stage's own, or ones that forward to it."""
        if (stage := self.local_services.get("retrieve")) is not None:
            own = {service.name.rpartition(".")[2]: service.servicer for service in stage.services}
            yield own["CorpusService"], own["InferenceService"]
            return
        async with open_channel(self.addresses["retrieve"]) as channel:
            stubs = corpus_pb2_grpc.CorpusServiceStub(channel), inference_pb2_grpc.InferenceServiceStub(channel)
            yield Forwarding(stubs[0]), Forwarding(stubs[1])


@asynccontextmanager
async def open_stages(settings: GatewaySettings, access: StageAccess) -> AsyncIterator[Stages]:
    """Open all five stages; a channel connects when it is first used.

    Raises:
        SettingsError: certificates or the suite's secret cannot be used.
    """
    stages = dict[str, Stages]()
    async with AsyncExitStack() as stack:
        for name, address in access.addresses.items():
            if name in access.local_services:
                stages[name] = LocalStage(access.local_services[name].tasks, settings)
            else:
                peer = await stack.enter_async_context(open_peer(address, name))
                stages[name] = RemoteStage(peer, settings)
        yield AllStages(stages)
