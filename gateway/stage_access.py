"""How the gateway reaches each stage: over the network, or directly if this process hosts it."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeVar

import grpc

from gateway.clients import AnswerClient, DecomposeClient, IntentClient, RetrieveClient, TimelineClient
from gateway.local_stages import LocalAnswer, LocalDecompose, LocalIntent, LocalRetrieve, LocalTimeline
from gateway.names import STAGES
from gateway.relays import Forwarding
from gateway.settings import GatewaySettings
from gateway.stages import Stages
from libs.runtime.calling.channel import open_channel
from libs.runtime.calling.peer import Peer, open_peer
from libs.runtime.serving.service import as_service
from libs.runtime.serving.stage import StageServices
from libs.runtime.settings import ServerSettings

IDEMPOTENT: Final = (
    "parley.intent.v1.IntentService",
    "parley.decompose.v1.DecomposeService",
    "parley.retrieve.v1.RetrieveService",
    "parley.answer.v1.AnswerService",
    "parley.timeline.v1.TimelineService",
)
"""Services whose calls may be retried if no response arrived; a stream only before its first message."""

T = TypeVar("T")


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
    async def servicer(
        self, name: str, base: type[object], stub: Callable[[grpc.aio.Channel], object]
    ) -> AsyncIterator[Any]:
        """Yield a servicer of a stage's service: the stage's own, or one that forwards calls to its process.

        Args:
            name: the stage.
            base: the service's generated base class.
            stub: the service's generated stub.
        """
        if name in self.local_services:
            servicers = [as_service(servicer).servicer for servicer in self.local_services[name].servicers]
            yield next(servicer for servicer in servicers if isinstance(servicer, base))
            return
        async with open_channel(self.addresses[name]) as channel:
            yield Forwarding(stub(channel))


@asynccontextmanager
async def open_stages(settings: GatewaySettings, access: StageAccess) -> AsyncIterator[Stages]:
    """Open all five stages; a channel connects when it is first used."""
    seconds, write_seconds = settings.stage_seconds, settings.write_seconds
    async with AsyncExitStack() as stack:

        async def reach(name: str, local: Callable[[Any], T], client: Callable[[Peer], T]) -> T:
            if name in access.local_services:
                return local(access.local_services[name].tasks)
            peer = open_peer(access.addresses[name], name, idempotent=IDEMPOTENT)
            return client(await stack.enter_async_context(peer))

        yield Stages(
            await reach("intent", lambda t: LocalIntent(t, seconds), lambda p: IntentClient(p, seconds)),
            await reach("decompose", lambda t: LocalDecompose(t, seconds), lambda p: DecomposeClient(p, seconds)),
            await reach("retrieve", lambda t: LocalRetrieve(t, seconds), lambda p: RetrieveClient(p, seconds)),
            await reach(
                "answer",
                lambda t: LocalAnswer(t, seconds, write_seconds),
                lambda p: AnswerClient(p, seconds, write_seconds),
            ),
            await reach("timeline", lambda t: LocalTimeline(t, seconds), lambda p: TimelineClient(p, seconds)),
        )
