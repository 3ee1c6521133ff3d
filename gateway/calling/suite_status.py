"""Readiness and status of the suite's processes, which are asked by gRPC; nothing blocks, and nothing is kept."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from libs.runtime.calling.channel import open_channel, unary
from libs.runtime.errors import ParleyError
from libs.runtime.serving.health import health_of, until_serving
from libs.runtime.serving.server_info import own_version
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc

NEEDED: Final = ("intent", "retrieve", "answer")
"""Stages without which no turn can be answered."""
DISPENSABLE_SECONDS: Final = 15.0
"""How long the gateway's start waits for the other stages, so that its first turns are not degraded (taste)."""
PROBE_SECONDS: Final = 1.0  # for each of the two questions that a process is asked (taste)


@dataclass(frozen=True, slots=True)
class SuiteStatus:
    """Addresses of the suite's processes, and the status they report."""

    gateway: str
    """The gateway's own address."""
    stages: Mapping[str, str]
    """The stages' addresses by name, in their order."""
    local_stages: Collection[str] = ()
    """Stages that this process serves."""
    needed: Collection[str] = NEEDED
    """Stages without which this gateway serves no turns."""

    async def until_complete(self) -> None:
        """Return once every stage that a turn needs has been SERVING, without a limit; the others get some time."""
        dispensable = asyncio.create_task(self._until_serving(set(self.stages) - set(self.needed)))
        try:
            await self._until_serving(self.needed)
            await asyncio.wait({dispensable}, timeout=DISPENSABLE_SECONDS)
        finally:
            dispensable.cancel()

    async def _until_serving(self, names: Collection[str]) -> None:
        await asyncio.gather(*(until_serving(self.stages[name]) for name in names if name not in self.local_stages))

    async def info(self) -> gateway_pb2.GetServerInfoResponse:
        """Return the status of the gateway and all stages; all are probed concurrently, none raises."""
        addresses = {"gateway": self.gateway, **self.stages}
        distinct = set(addresses.values())
        processes = dict(zip(distinct, await asyncio.gather(*map(_process, distinct)), strict=True))
        response = gateway_pb2.GetServerInfoResponse(version=own_version())
        for name, address in addresses.items():
            response.stages.add(stage=usage_pb2.Stage.Value(f"STAGE_{name.upper()}")).MergeFrom(processes[address])
        return response


async def _process(address: str) -> gateway_pb2.StageInfo:
    """Return the status of the process at an address, whichever stages it serves."""
    health = await health_of(address, timeout=PROBE_SECONDS)
    info = gateway_pb2.StageInfo(address=address, serving=health == "SERVING")
    if health == "UNREACHABLE":
        return info
    try:
        async with open_channel(address) as channel:
            stub = server_info_pb2_grpc.ServerInfoServiceStub(channel)
            request = server_info_pb2.GetServerInfoRequest()
            info.info.CopyFrom(await unary(stub.GetServerInfo, request, timeout=PROBE_SECONDS))
    except ParleyError:
        info.ClearField("info")
    return info
