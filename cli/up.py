"""`parley up`: run the whole suite on this machine."""

import asyncio
import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Annotated, Final

import grpc
import typer
from grpc_health.v1 import health_pb2, health_pb2_grpc
from rich.console import Console
from rich.table import Table

from cli.gateway_connection import complain
from cli.processes import DEFAULT_PORT, LAYOUTS, STAGES, Process, suite
from cli.supervisor import ProcessDiedError, Supervisor

INFERENCE: Final = ("PARLEY_DECOMPOSE_INFERENCE", "PARLEY_ANSWER_PICTURES_INFERENCE", "PARLEY_TIMELINE_INFERENCE")


def up(
    data: Annotated[Path, typer.Option(help="Folder of corpus, sessions, models and logs; created if missing.")] = Path(
        ".parley"
    ),
    port: Annotated[
        int, typer.Option(help="The gateway's port; the stages use the five ports after it.", min=1, max=65530)
    ] = DEFAULT_PORT,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Allow plain text on an address that other machines can reach.")
    ] = False,
    processes: Annotated[
        int,
        typer.Option(help="6: one per stage; 3: retrieve, answer, the rest; 2: answer, the rest; 1: all in one."),
    ] = len(STAGES),
) -> None:
    """Start the suite's processes, keep them running, and stop them on Ctrl-C."""
    if processes not in LAYOUTS:
        complain(f"There is no layout with {processes} processes, only with {', '.join(map(str, LAYOUTS))}.")
        raise typer.Exit(2)
    data = data.resolve()
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        complain(f"The folder {data} cannot be created: {error.strerror}.")
        raise typer.Exit(1) from None
    layout = suite(host, port, processes)
    console = Console(highlight=False)
    supervisor = Supervisor(
        processes=layout,
        logs=data / "logs",
        environment=_environment(data, layout),
        arguments=["--insecure"] if insecure else [],
        serving=_is_serving,
        tell=console.print,
    )
    raise typer.Exit(asyncio.run(_run(supervisor, layout, data, console)))


def _environment(data: Path, processes: tuple[Process, ...]) -> dict[str, str]:
    """Where the processes store data, and where they find the retrieve process's model unless that is already set."""
    (retrieve,) = (process for process in processes if "retrieve" in process.names)
    inference = {name: os.environ.get(name) or retrieve.address for name in INFERENCE}
    return {"PARLEY_GATEWAY_DATA": str(data), "PARLEY_RETRIEVE_DATA": str(data), **inference}


async def _run(supervisor: Supervisor, processes: tuple[Process, ...], data: Path, console: Console) -> int:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    working = asyncio.create_task(_work(supervisor, processes, data, console))
    waiting = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not stop.is_set():
            await working
        return 0
    except ProcessDiedError as error:
        complain(str(error))
        return 1
    finally:
        for task in (working, waiting):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, ProcessDiedError):
                await task
        console.print("Stopping …")
        await supervisor.stop()


async def _work(supervisor: Supervisor, processes: tuple[Process, ...], data: Path, console: Console) -> None:
    start = time.perf_counter()
    console.print(f"Starting {_count_in_words(processes)}; data and logs in {data}")
    await supervisor.start()
    console.print(_listing(processes))
    console.print(f"All SERVING after {time.perf_counter() - start:.1f} s. Ctrl-C stops them.")
    await supervisor.watch()


def _count_in_words(processes: tuple[Process, ...]) -> str:
    return "one process" if len(processes) == 1 else f"{len(processes)} processes"


def _listing(processes: tuple[Process, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("process")
    table.add_column("listens on")
    for process in processes:
        table.add_row(process.name, process.address)
    return table


def _is_serving(address: str) -> bool:
    with grpc.insecure_channel(address) as channel:
        try:
            request = health_pb2.HealthCheckRequest()
            answer = health_pb2_grpc.HealthStub(channel).Check(request, timeout=0.5)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
