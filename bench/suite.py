"""A suite of its own for a measurement: started, timed, weighed, stopped. Blocks; waiting times are taste."""

import io
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from pathlib import Path

import grpc
import psutil
from grpc_health.v1 import health_pb2, health_pb2_grpc

from cli.connection.channels import channel_to
from cli.suite.processes import STAGES, suite

ROOT = Path(__file__).resolve().parent.parent
PARLEY = (sys.executable, "-m", "cli")
"""The command line of the checkout whose environment it is given."""
START_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class RunningSuite:
    """A suite that is SERVING."""

    port: int
    supervisor: subprocess.Popen[bytes]
    start_seconds: float
    tree: Path | None = None
    """The checkout whose code it runs; None for this one's."""

    @property
    def address(self) -> str:
        """The gateway's."""
        return f"127.0.0.1:{self.port}"

    @property
    def addresses(self) -> str:
        """Those of two gateways, as clients take them."""
        return f"{self.address},127.0.0.1:{self.port + len(STAGES)}"

    def parley(self, *arguments: str) -> None:
        """A command of the command line, against this suite.

        Raises:
            subprocess.CalledProcessError: it failed.
        """
        command = [*PARLEY, *arguments, "--port", str(self.port)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.tree, env=environment_of(self.tree))

    def processes(self) -> dict[str, psutil.Process]:
        """Its processes by what they serve."""
        lines = {child: _command_line(child) for child in psutil.Process(self.supervisor.pid).children()}
        processes: dict[str, psutil.Process] = {}
        for child, words in sorted(lines.items(), key=lambda line: _port(line[1])):
            if words:
                name = _name(words)
                processes[f"{name}-2" if name in processes else name] = child
        return processes

    def processor_seconds(self) -> float:
        """What its processes have computed so far."""
        times = [process.cpu_times() for process in self.processes().values()]
        return float(sum(cpu_times.user + cpu_times.system for cpu_times in times))

    def resident_megabytes(self) -> dict[str, float]:
        """Resident memory by process, in 10^6 bytes; pages that processes share are counted in each."""
        return {name: process.memory_info().rss / 1e6 for name, process in self.processes().items()}


@contextmanager
def running_suite(
    data: Path,
    environment: dict[str, str] | None = None,
    processes: int = len(STAGES),
    tree: Path | None = None,
    gateways: int = 1,
    arguments: Sequence[str] = (),
) -> Iterator[RunningSuite]:
    """`parley up` over `data` on free ports, stopped at the end.

    Args:
        data: its folder.
        environment: more than this process's own.
        processes: how many; one of `cli.suite.processes.LAYOUTS`.
        tree: another checkout whose code is run; None for this one's.
        gateways: how many, at most two.
        arguments: further ones for `parley up`.

    Raises:
        RuntimeError: it did not serve in time, or did not end with 0.
    """
    port = free_ports(len(STAGES) + gateways - 1)  # however many processes there are
    start = time.perf_counter()
    command = [*PARLEY, "up", "--data", str(data), "--port", str(port), "--processes", str(processes)]
    command += ["--gateways", str(gateways), *arguments]
    with (data.parent / f"{data.name}.up.log").open("wb") as log:
        supervisor = subprocess.Popen(
            command, stdout=log, stderr=log, cwd=tree, env={**environment_of(tree), **(environment or {})}
        )
    try:
        _wait_until_serving(supervisor, [process.address for process in suite("127.0.0.1", port, processes, gateways)])
        yield RunningSuite(port, supervisor, time.perf_counter() - start, tree)
    finally:
        supervisor.send_signal(signal.SIGTERM)
        code = supervisor.wait(timeout=60)
    if code != 0:
        raise RuntimeError(f"parley up ended with {code}")


@contextmanager
def tree_of(commit: str) -> Iterator[Path]:
    """The files of a commit of this repository, in a folder of their own.

    Raises:
        subprocess.CalledProcessError: there is no such commit.
    """
    archive = subprocess.run(
        ["git", "archive", "--format=zip", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout
    with tempfile.TemporaryDirectory(prefix="parley-commit-") as folder:
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            files.extractall(folder)
        yield Path(folder)


def environment_of(tree: Path | None) -> dict[str, str]:
    """This process's environment, in which the modules of `tree` come before those that are installed."""
    if tree is None:
        return dict(os.environ)
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (tree, tree / "protos" / "gen", tree / "clients" / "python"))),
    }


def free_ports(count: int) -> int:
    """The first of `count` free ports in a row, below those that Linux gives connections by itself (32768 on)."""
    while True:
        port = random.randrange(10_000, 30_000)
        if all(_is_free(port + offset) for offset in range(count)):
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _wait_until_serving(supervisor: subprocess.Popen[bytes], addresses: Sequence[str]) -> None:
    end = time.monotonic() + START_SECONDS
    while not all(is_serving(address) for address in addresses):
        if supervisor.poll() is not None or time.monotonic() > end:
            raise RuntimeError("the suite did not start")
        time.sleep(0.05)


def is_serving(address: str) -> bool:
    """Whether a process's health says SERVING; over TLS if this process's environment says so."""
    with channel_to(address) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=1)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _command_line(process: psutil.Process) -> list[str]:
    """The words of its command line; none if it has ended."""
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def _name(words: Sequence[str]) -> str:
    """`answer` of `… cli.suite.child PARENT NICENESS services.answer …`, `gateway+intent` of a host."""
    child = next((place for place, word in enumerate(words) if word.endswith("cli.suite.child")), None)
    if child is None:
        return words[-1].rpartition(".")[2]
    module, *more = dropwhile(str.isdecimal, words[child + 1 :])
    together = "+".join(takewhile(lambda word: not word.startswith("-"), more))
    return together or module.rpartition(".")[2]


def _port(words: Sequence[str]) -> int:
    return int(words[words.index("--port") + 1]) if "--port" in words else 0
