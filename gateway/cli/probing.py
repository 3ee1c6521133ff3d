"""The state of a suite's processes: told by the gateway or, where that does not answer, asked of each port."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from gateway.cli.processes import Process, suite
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc

ASK_SECONDS: Final = 0.8
"""What the gateway may take to tell of all."""
PROBE_SECONDS: Final = 0.4
"""What a process may take to tell of itself; with the gateway's time and the start of the command below two seconds."""

SERVING: Final = "SERVING"
NOT_SERVING: Final = "NOT_SERVING"
UNREACHABLE: Final = "UNREACHABLE"


@dataclass(frozen=True, slots=True)
class Found:
    """A process: SERVING, NOT_SERVING or UNREACHABLE, and the engine behind each task, such as "embed: onnx (e5)"."""

    name: str
    address: str
    state: str
    engines: tuple[str, ...] = ()


def examine(host: str, port: int) -> Sequence[Found]:
    """All six processes, the gateway first. Takes at most about 1.2 s."""
    processes = suite(host, port)
    try:
        return _told_by_gateway(processes[0])
    except grpc.RpcError:
        with ThreadPoolExecutor(len(processes)) as pool:
            return list(pool.map(_probe, processes))


def _told_by_gateway(gateway: Process) -> Sequence[Found]:
    with grpc.insecure_channel(gateway.address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        told = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=ASK_SECONDS)
    return [_found(stage) for stage in told.stages]


def _found(stage: gateway_pb2.StageInfo) -> Found:
    name = usage_pb2.Stage.Name(stage.stage).removeprefix("STAGE_").lower()
    otherwise = NOT_SERVING if stage.HasField("info") else UNREACHABLE
    return Found(name, stage.address, SERVING if stage.serving else otherwise, _engines(stage.info))


def _probe(process: Process) -> Found:
    with grpc.insecure_channel(process.address) as channel:
        try:
            health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=PROBE_SECONDS)
        except grpc.RpcError:
            return Found(process.name, process.address, UNREACHABLE)
        serving = health.status == health_pb2.HealthCheckResponse.SERVING
        return Found(process.name, process.address, SERVING if serving else NOT_SERVING, _own_engines(channel))


def _own_engines(channel: grpc.Channel) -> tuple[str, ...]:
    stub = server_info_pb2_grpc.ServerInfoServiceStub(channel)
    try:
        return _engines(stub.GetServerInfo(server_info_pb2.GetServerInfoRequest(), timeout=PROBE_SECONDS))
    except grpc.RpcError:
        return ()


def _engines(info: server_info_pb2.GetServerInfoResponse) -> tuple[str, ...]:
    return tuple(
        f"{found.task}: {found.engine}" + (f" ({found.detail})" if found.detail else "") for found in info.capabilities
    )
