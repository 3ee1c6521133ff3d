"""The processes around the gateway: when they are there, how they are, what they are made of."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from libs.runtime.channel import open_channel, unary
from libs.runtime.errors import ParleyError
from libs.runtime.health import health_of, until_serving
from libs.runtime.server_info import own_version
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc

NEEDED: Final = ("intent", "decompose", "retrieve", "answer")
"""Stages without which no turn can be answered; the timeline may come later."""
PROBE_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class SuiteStatus:
    """Where the suite's processes are."""

    gateway: str
    """The gateway's own address."""
    stages: Mapping[str, str]
    """The stages' addresses by name, in their order."""
    hosted: Collection[str] = ()
    """Those that this process serves: they are there when it is."""

    async def until_complete(self) -> None:
        """Return once every stage that a turn needs has been seen SERVING; later losses degrade turns."""
        await asyncio.gather(*(until_serving(self.stages[name]) for name in NEEDED if name not in self.hosted))

    async def info(self) -> gateway_pb2.GetServerInfoResponse:
        """The gateway and all stages; their processes are asked side by side, each for at most a second."""
        addresses = {"gateway": self.gateway, **self.stages}
        asked = set(addresses.values())
        told = dict(zip(asked, await asyncio.gather(*map(_process, asked)), strict=True))
        stages = [_named(name, told[address]) for name, address in addresses.items()]
        return gateway_pb2.GetServerInfoResponse(version=own_version(), stages=stages)


def _named(name: str, process: gateway_pb2.StageInfo) -> gateway_pb2.StageInfo:
    stage = gateway_pb2.StageInfo(stage=usage_pb2.Stage.Value(f"STAGE_{name.upper()}"))
    stage.MergeFrom(process)
    return stage


async def _process(address: str) -> gateway_pb2.StageInfo:
    """Of whichever stages it serves."""
    health = await health_of(address, timeout=PROBE_SECONDS)
    found = gateway_pb2.StageInfo(address=address, serving=health == "SERVING")
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
