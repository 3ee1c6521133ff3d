"""Channels to the stages: over the network, or in-process if this process serves the stage."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final, Self

import grpc

from gateway.clients import AnswerClient, DecomposeClient, IntentClient, RetrieveClient, TimelineClient
from gateway.names import STAGES
from gateway.settings import GatewaySettings
from gateway.stages import Stages
from libs.runtime.channel import open_channel
from libs.runtime.local import LocalServices
from libs.runtime.outgoing import OutgoingChannel
from libs.runtime.settings import ServerSettings

IDEMPOTENT: Final = (
    "parley.intent.v1.IntentService",
    "parley.decompose.v1.DecomposeService",
    "parley.retrieve.v1.RetrieveService",
    "parley.answer.v1.AnswerService",
    "parley.timeline.v1.TimelineService",
)
"""Services whose calls may be retried if no response arrived; a stream only before its first message."""


@dataclass(frozen=True, slots=True)
class StageChannels:
    """How each stage is reached."""

    addresses: Mapping[str, str]
    """Addresses by stage name."""
    local: LocalServices | None = None
    hosted: frozenset[str] = frozenset()
    """Stages that `local` serves."""

    @classmethod
    def of(
        cls, settings: GatewaySettings, server: ServerSettings, hosted: Collection[str], local: LocalServices | None
    ) -> Self:
        """Use the configured address, else this process for a stage it hosts, else a port after the gateway's."""
        configured = {name: getattr(settings, name) for name in STAGES}
        here = frozenset(name for name in hosted if name in STAGES and not configured[name])
        ports = {name: server.port + (0 if name in here else place) for place, name in enumerate(STAGES, start=1)}
        return cls({name: configured[name] or f"{server.host}:{ports[name]}" for name in STAGES}, local, here)

    def open(self, name: str, idempotent: Iterable[str] = ()) -> AbstractAsyncContextManager[grpc.aio.Channel]:
        """Return a channel to a stage; it connects when first used."""
        if self.local is not None and name in self.hosted:
            return OutgoingChannel(self.local.channel(), self.addresses[name])
        return open_channel(self.addresses[name], idempotent=idempotent)


@asynccontextmanager
async def open_stages(settings: GatewaySettings, stages: StageChannels) -> AsyncIterator[Stages]:
    """Open clients of all five stages."""
    async with AsyncExitStack() as stack:
        channels = {
            name: await stack.enter_async_context(stages.open(name, idempotent=IDEMPOTENT)) for name in stages.addresses
        }
        seconds = settings.stage_seconds
        yield Stages(
            intent=IntentClient(channels["intent"], seconds),
            decompose=DecomposeClient(channels["decompose"], seconds),
            retrieve=RetrieveClient(channels["retrieve"], seconds),
            answer=AnswerClient(channels["answer"], seconds, settings.write_seconds),
            timeline=TimelineClient(channels["timeline"], seconds),
        )
