"""`parley doctor`: what is configured, what answers, and which engine does which task.

Reads the environment, and calls the gateway or else each port of the suite, and what stands behind it; changes nothing.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import grpc
import typer
from grpc_health.v1 import health_pb2, health_pb2_grpc

from cli.backends import backends
from cli.connection.channels import channel_to
from cli.connection.gateway_connection import HOST, PORT, Host, Port, address_of, complain, gateway_channel
from cli.suite.processes import TOGETHER, Process, suite
from cli.variables import known_variables, nearest_variable
from cli.view.output import enum_word, one_line, sentence, tell, tell_table
from libs.runtime.errors import ParleyError
from libs.runtime.extras import EXTRAS, remedy
from libs.runtime.settings import CONFIG_VARIABLE, DEFAULT_CONFIG
from libs.runtime.status import error_from_rpc
from parley.client.gateways import hosts_of
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.runtime.v1 import server_info_pb2, server_info_pb2_grpc

SECRET: Final = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
ASK_SECONDS: Final = 0.8
"""Timeout for the gateway's report on all processes (taste)."""
PROBE_SECONDS: Final = 0.4
"""Timeout for one process; with the gateway's timeout and the start of the command below two seconds (taste)."""

SERVING: Final = "SERVING"
NOT_SERVING: Final = "NOT_SERVING"
UNREACHABLE: Final = "UNREACHABLE"


class ProcessState(NamedTuple):
    """A process: its state (SERVING, NOT_SERVING or UNREACHABLE) and each task's engine, such as "embed: onnx (e5)"."""

    name: str
    """What it serves: `retrieve`, `gateway+intent`."""
    address: str
    state: str
    engines: str = "-"


def doctor(
    quick: Annotated[bool, typer.Option("--quick", help="Ask only whether all processes are SERVING.")] = False,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Show settings, health and engines of the suite, and ask its models and Elasticsearch for a first answer.

    The exit code is 0 only if all processes are SERVING, and what stands behind them answers.
    """
    for line in (*_settings(), *_extras()):
        tell(line)
    with gateway_channel(host, port) as channel:
        processes = _examine(channel, host, port)
        tell_table(("process", "address", "health", "engines"), processes)
        missing = [process.name for process in processes if process.state != SERVING]
        if missing:
            complain(f"Not SERVING: {', '.join(missing)}. Start the suite with `parley up`.")
        asked = () if quick else backends(channel, ", ".join(process.engines for process in processes))
        silent = [name for name, ask in asked if not _answers(name, ask)]
    if missing or silent:
        raise typer.Exit(1)


def _answers(name: str, ask: Callable[[], None]) -> bool:
    """Ask something behind the suite, and tell whether and why not it answers."""
    try:
        ask()
    except (grpc.RpcError, ParleyError, ValueError) as error:
        fault = error_from_rpc(error) if isinstance(error, grpc.RpcError) else error
        complain(sentence(f"{name}: {getattr(fault, 'message', fault)}"))
        return False
    tell(one_line(f"{name}: answers"))
    return True


def _settings() -> Iterator[str]:
    """The settings of this shell, which processes started from it inherit; secrets are not shown."""
    path = Path(os.environ.get(CONFIG_VARIABLE) or DEFAULT_CONFIG)
    yield f"settings file: {path if path.is_file() else f'none ({path} does not exist)'}"
    variables = sorted(name for name in os.environ if name.startswith("PARLEY_") and name != CONFIG_VARIABLE)
    known = known_variables() if variables else frozenset()
    for name in variables:
        near = nearest_variable(name, known)
        unread = f" (nothing in Parley reads it; the nearest name is {near})" if near else ""
        yield one_line(f"{name}: {'set' if SECRET.search(name) else os.environ[name]}{unread}")
    if not variables:
        yield "no PARLEY_ variable is set: the defaults apply"


def _extras() -> Iterator[str]:
    """The extras that are not installed here, with the command that installs each."""
    for name, extra in EXTRAS.items():
        if not all(map(find_spec, extra.modules)):
            yield f"not installed: {remedy(name)}"


def _examine(channel: grpc.Channel, host: str, port: int) -> Sequence[ProcessState]:
    """Return the suite's processes, the gateway's first. Takes at most about 1.2 s.

    Of several gateways one reports; if none does, each port from the first one's on is asked.

    Raises:
        grpc.RpcError: the gateway does not accept the credentials of this command.
    """
    try:
        return _states_by_gateway(channel)
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.UNAUTHENTICATED:
            raise
        address = address_of(host, port)
        first_port = address.partition(",")[0].rpartition(":")[2]
        processes = suite(hosts_of(address)[0], int(first_port) if first_port.isdecimal() else port)
        with ThreadPoolExecutor(len(processes)) as pool:
            return _without_doubles(list(pool.map(_probe, processes)))


def _states_by_gateway(channel: grpc.Channel) -> Sequence[ProcessState]:
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    info = stub.GetServerInfo(gateway_pb2.GetServerInfoRequest(), timeout=ASK_SECONDS)
    stages_by_address: dict[str, list[gateway_pb2.StageInfo]] = {}
    for stage in info.stages:
        stages_by_address.setdefault(stage.address, []).append(stage)
    return [_process_state(stages) for stages in stages_by_address.values()]


def _process_state(stages: Sequence[gateway_pb2.StageInfo]) -> ProcessState:
    name = TOGETHER.join(enum_word(stage, "stage") for stage in stages)
    stage = stages[0]
    state = SERVING if stage.serving else NOT_SERVING if stage.HasField("info") else UNREACHABLE
    return ProcessState(name, stage.address, state, _engines(stage.info))


def _without_doubles(states: Sequence[ProcessState]) -> Sequence[ProcessState]:
    """Leave out unreachable processes whose stages another process serves."""
    elsewhere = {name for state in states for name in state.name.split(TOGETHER) if state.state != UNREACHABLE}
    return [state for state in states if state.state != UNREACHABLE or state.name not in elsewhere]


def _probe(process: Process) -> ProcessState:
    request = server_info_pb2.GetServerInfoRequest()
    with channel_to(process.address) as channel:
        try:
            health = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=PROBE_SECONDS)
            info = server_info_pb2_grpc.ServerInfoServiceStub(channel).GetServerInfo(request, timeout=PROBE_SECONDS)
        except grpc.RpcError:
            return ProcessState(process.name, process.address, UNREACHABLE)
    state = SERVING if health.status == health_pb2.HealthCheckResponse.SERVING else NOT_SERVING
    return ProcessState(info.name or process.name, process.address, state, _engines(info))


def _engines(info: server_info_pb2.GetServerInfoResponse) -> str:
    engines = (f"{task.task}: {task.engine}{f' ({task.detail})' if task.detail else ''}" for task in info.capabilities)
    return ", ".join(engines) or "-"
