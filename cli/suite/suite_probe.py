"""The state of a suite's processes: from the gateway or, if it does not answer, from each port."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from cli.connection.channels import authorized_channel_to, channel_to
from cli.connection.gateway_connection import CommandError, explain
from cli.suite.processes import TOGETHER, Process, suite
from cli.view.output import enum_word
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc

ASK_SECONDS: Final = 0.8
"""Timeout for the gateway's report on all processes."""
PROBE_SECONDS: Final = 0.4
"""Timeout for one process; with the gateway's timeout and the start of the command it stays below two seconds."""

SERVING: Final = "SERVING"
NOT_SERVING: Final = "NOT_SERVING"
UNREACHABLE: Final = "UNREACHABLE"


@dataclass(frozen=True, slots=True)
class ProcessState:
    """A process: its state (SERVING, NOT_SERVING or UNREACHABLE) and each task's engine, such as "embed: onnx (e5)"."""

    name: str
    """What it serves: `retrieve`, `gateway+intent`."""
    address: str
    state: str
    engines: tuple[str, ...] = ()


def examine(host: str, port: int) -> Sequence[ProcessState]:
    """Return the suite's processes, the gateway's first. Takes at most about 1.2 s.

    Raises:
        CommandError: the gateway does not accept the credentials of this command.
    """
    processes = suite(host, port)
    try:
        return _states_by_gateway(processes[0])
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.UNAUTHENTICATED:
            raise CommandError(explain(error, processes[0].address)) from None
        with ThreadPoolExecutor(len(processes)) as pool:
            return _without_doubles(list(pool.map(_probe, processes)))


def _states_by_gateway(gateway: Process) -> Sequence[ProcessState]:
    with authorized_channel_to(gateway.address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        info = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=ASK_SECONDS)
    stages_by_address: dict[str, list[gateway_pb2.StageInfo]] = {}
    for stage in info.stages:
        stages_by_address.setdefault(stage.address, []).append(stage)
    return [_process_state(stages) for stages in stages_by_address.values()]


def _process_state(stages: Sequence[gateway_pb2.StageInfo]) -> ProcessState:
    """Return the process of stages that share one address."""
    names = (enum_word(stage, "stage") for stage in stages)
    stage = stages[0]
    otherwise = NOT_SERVING if stage.HasField("info") else UNREACHABLE
    return ProcessState(
        TOGETHER.join(names), stage.address, SERVING if stage.serving else otherwise, _engines(stage.info)
    )


def _without_doubles(states: Sequence[ProcessState]) -> Sequence[ProcessState]:
    """Leave out unreachable processes whose stages another process serves."""
    elsewhere = {name for state in states for name in state.name.split(TOGETHER) if state.state != UNREACHABLE}
    return [state for state in states if state.state != UNREACHABLE or state.name not in elsewhere]


def _probe(process: Process) -> ProcessState:
    with channel_to(process.address) as channel:
        try:
            health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=PROBE_SECONDS)
        except grpc.RpcError:
            return ProcessState(process.name, process.address, UNREACHABLE)
        serving = health.status == health_pb2.HealthCheckResponse.SERVING
        info = _own_info(channel)
        return ProcessState(
            info.name or process.name, process.address, SERVING if serving else NOT_SERVING, _engines(info)
        )


def _own_info(channel: grpc.Channel) -> server_info_pb2.GetServerInfoResponse:
    """Return a process's report about itself; empty if it does not answer."""
    stub = server_info_pb2_grpc.ServerInfoServiceStub(channel)
    try:
        return stub.GetServerInfo(server_info_pb2.GetServerInfoRequest(), timeout=PROBE_SECONDS)
    except grpc.RpcError:
        return server_info_pb2.GetServerInfoResponse()


def _engines(info: server_info_pb2.GetServerInfoResponse) -> tuple[str, ...]:
    return tuple(
        f"{task.task}: {task.engine}" + (f" ({task.detail})" if task.detail else "") for task in info.capabilities
    )
