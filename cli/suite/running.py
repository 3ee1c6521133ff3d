"""Runs the processes of a suite until a signal, with what each has to know of the others.

Makes a folder of logs below the data, and a temporary one for the sockets of livenesses.
"""

import asyncio
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from cli.connection.channels import channel_to
from cli.connection.gateway_connection import complain
from cli.suite.processes import DOORS, Process, metrics_port
from cli.suite.supervised import Supervised
from cli.suite.supervisor import ProcessDiedError, Supervisor
from cli.view.output import tell, tell_table
from doors.settings import DoorsSettings
from gateway.settings import GatewaySettings
from libs.runtime.security.tls import TlsSettings
from libs.runtime.serving.liveness import UNIX
from libs.runtime.serving.process import SIGNALS
from libs.runtime.settings import ServerSettings

STOP_SECONDS: Final = 10.0
"""Time to end in addition to the lame-duck and drain time; a process that still runs afterwards is killed (taste)."""
STAGE_NICENESS: Final = 10
"""How much lower the priority of the stages is than that of what clients call, so that refusals, health and the first
words of answers do not wait for processors on which the stages compute. At four times the load that two cores carry,
95 % of refusals took at most 75 ms with 0, 28 ms with 5, 13 ms with 10."""
INFERENCE: Final = ("PARLEY_DECOMPOSE_INFERENCE", "PARLEY_ANSWER_PICTURES_INFERENCE")


def run_suite(layout: tuple[Process, ...], data: Path, *, insecure: bool, web: bool, web_port: int | None) -> int:
    """Run the processes, with `web` the HTTP server too, and return the exit code.

    Raises:
        SettingsError: a setting is wrong.
    """
    if web:
        layout = (*layout, Process((DOORS,), layout[0].host, web_port or DoorsSettings().port))
    with TemporaryDirectory(prefix="parley-") as sockets:
        supervisor = _supervisor(layout, data, Path(sockets), ["--insecure"] if insecure else [])
        return asyncio.run(_run(supervisor, layout, data))


def _supervisor(layout: tuple[Process, ...], data: Path, sockets: Path, arguments: list[str]) -> Supervisor:
    server = ServerSettings()
    TlsSettings()  # fails here, and not in each process, if the settings do not fit each other
    logs = data / "logs"
    logs.mkdir(exist_ok=True)
    environment = _environment(data, layout)
    children = [
        Supervised(
            process,
            log=logs / f"{process.name}.log",
            liveness=f"unix:{sockets / process.name}.sock",
            environment={**environment, **_own_environment(process, layout, server.prometheus_port)},
            arguments=arguments,
            niceness=0 if process.is_called_by_clients else STAGE_NICENESS,
        )
        for process in layout
    ]
    stop_seconds = server.lame_duck_seconds + server.drain_seconds + STOP_SECONDS
    return Supervisor(children, stop_seconds, serving=_is_serving, tell=_say)


def _environment(data: Path, processes: tuple[Process, ...]) -> dict[str, str]:
    """Where the processes store data, and where they find the retrieve process's model unless that is already set."""
    (retrieve,) = (process for process in processes if "retrieve" in process.names)
    inference = {name: os.environ.get(name) or retrieve.address for name in INFERENCE}
    gateways = ",".join(process.address for process in processes if "gateway" in process.names)
    doors = {name: os.environ.get(name) or gateways for name in (DoorsSettings.variable("gateway"),)}
    return {"PARLEY_GATEWAY_DATA": str(data), "PARLEY_RETRIEVE_DATA": str(data), **inference, **doors}


def _own_environment(process: Process, processes: tuple[Process, ...], scraped: int) -> dict[str, str]:
    """What a process has to know that another one of the suite has not.

    Args:
        process: one of `processes`.
        processes: those of the suite.
        scraped: the port at which the first gateway's metrics are scraped; 0: none are.
    """
    own: dict[str, str] = {}
    if scraped:
        own[ServerSettings.variable("prometheus_port")] = f"{metrics_port(process, processes, scraped)}"
    if "gateway" not in process.names:
        # Nothing balances load over stages: they need not be seen as NOT_SERVING before they stop.
        lame_duck_seconds = ServerSettings.load({"lame_duck_seconds": 0.0}).lame_duck_seconds
        own[ServerSettings.variable("lame_duck_seconds")] = f"{lame_duck_seconds}"
    elif process.number > 1:  # it cannot compute the addresses of the stages from its own
        addresses = {name: stage.address for stage in processes for name in stage.names if name != "gateway"}
        variables = {GatewaySettings.variable(name): address for name, address in addresses.items()}
        own |= {name: address for name, address in variables.items() if not os.environ.get(name)}
    return own


async def _run(supervisor: Supervisor, processes: tuple[Process, ...], data: Path) -> int:
    loop, stop, restart = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    for number in SIGNALS:
        loop.add_signal_handler(number, lambda: supervisor.hurry() if stop.is_set() else stop.set())
    loop.add_signal_handler(signal.SIGUSR1, restart.set)
    working = asyncio.create_task(_work(supervisor, processes, data))
    restarting = asyncio.create_task(_restart_on(restart, supervisor))
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
        return 0
    except ProcessDiedError as error:
        complain(str(error))
        return 1
    finally:
        _say("Stopping …")
        tasks = (working, restarting, stopping)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await supervisor.stop()


async def _restart_on(request: asyncio.Event, supervisor: Supervisor) -> None:
    while True:
        await request.wait()
        await supervisor.restart()
        request.clear()


async def _work(supervisor: Supervisor, processes: tuple[Process, ...], data: Path) -> None:
    start = time.perf_counter()
    count = "one process" if len(processes) == 1 else f"{len(processes)} processes"
    _say(f"Starting {count}; data and logs in {data}")
    await supervisor.start()
    with suppress(OSError):
        tell_table(("process", "listens on"), ((process.name, process.address) for process in processes))
    for process in processes:
        if process.speaks_http:
            _say(f"Console: {DoorsSettings().scheme}://{process.address}/")
    _say(f"All SERVING after {time.perf_counter() - start:.1f} s. Ctrl-C stops them.")
    await supervisor.watch()


def _say(text: str) -> None:
    """Tell something, even if nobody reads it any more: the suite goes on."""
    with suppress(OSError):
        tell(text)


def _is_serving(address: str) -> bool:
    is_local = address.startswith(UNIX)  # a liveness, which is never encrypted
    with grpc.insecure_channel(address) if is_local else channel_to(address) as channel:
        try:
            request = health_pb2.HealthCheckRequest()
            answer = health_pb2_grpc.HealthStub(channel).Check(request, timeout=0.5)  # taste
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
