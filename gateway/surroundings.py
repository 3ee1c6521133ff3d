"""The processes around the gateway: when they are there, how they are, what they are made of."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc
from services.runtime.channel import open_channel, unary
from services.runtime.errors import ParleyError
from services.runtime.health import health_of, until_serving
from services.runtime.server_info import own_version

NEEDED: Final = ("intent", "decompose", "retrieve", "answer")
"""Stages without which no turn can be answered; the timeline may come later."""
PROBE_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the suite's processes are."""

    gateway: str
    """The gateway's own address."""
    stages: Mapping[str, str]
    """The stages' addresses by name."""
    hosted: Collection[str] = ()
    """Those that this process serves: they are there when it is."""

    async def until_complete(self) -> None:
        """Return once every stage that a turn needs has been seen SERVING; later losses degrade turns."""
        await asyncio.gather(*(until_serving(self.stages[name]) for name in NEEDED if name not in self.hosted))

    async def info(self) -> gateway_pb2.GetServerInfoResponse:
        """The gateway and all stages, asked side by side, each for at most a second."""
        names = ("gateway", *self.stages)
        addresses = {"gateway": self.gateway, **self.stages}
        stages = await asyncio.gather(*(_stage(name, addresses[name]) for name in names))
        return gateway_pb2.GetServerInfoResponse(version=own_version(), stages=_in_order(stages))


def _in_order(stages: Sequence[gateway_pb2.StageInfo]) -> list[gateway_pb2.StageInfo]:
    return sorted(stages, key=lambda info: info.stage)


async def _stage(name: str, address: str) -> gateway_pb2.StageInfo:
    stage = usage_pb2.Stage.Value(f"STAGE_{name.upper()}")
    health = await health_of(address, timeout=PROBE_SECONDS)
    found = gateway_pb2.StageInfo(stage=stage, address=address, serving=health == "SERVING")
    if health == "UNREACHABLE":
        return found
    try:
        async with open_channel(address) as channel:
            stub = server_info_pb2_grpc.ServerInfoServiceStub(channel)
            request = server_info_pb2.GetServerInfoRequest()
            found.info.CopyFrom(await unary(stub.GetServerInfo, request, timeout=PROBE_SECONDS))
    except ParleyError:
        found.ClearField("info")
    return found
