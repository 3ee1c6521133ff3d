"""Keeps a suite's processes running: starts them, checks their health, restarts dead ones, stops all.

A process that dies before it has ever served is not restarted: its port is taken or its settings are wrong, and its log
says which. A process that dies later is restarted after a pause. The pause doubles from half a second up to ten
seconds, and is reset once the process has lived for half a minute.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cli.processes import Process

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 10.0
STEADY_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.1
STOP_SECONDS: Final = 45.0
"""More than a process's lame-duck and drain time together; processes that still run afterwards are killed."""
LOG_LINES: Final = 12


class ProcessDiedError(Exception):
    """A process died before it ever served; the message contains the end of its log."""


@dataclass(slots=True)
class Child:
    """A process with its log."""

    process: Process
    log: Path
    running: asyncio.subprocess.Process | None = None
    pause: float = FIRST_PAUSE
    started_at: float = 0.0


@dataclass(slots=True)
class Supervisor:
    """Runs a suite.

    Args:
        processes: what to run.
        logs: folder for one log file per process.
        environment: variables that the children get besides this process's own environment.
        arguments: what every child is started with besides its host and port.
        serving: returns whether the health of an address is SERVING; may block briefly.
        tell: receives messages about deaths and restarts.
    """

    processes: Sequence[Process]
    logs: Path
    environment: Mapping[str, str]
    arguments: Sequence[str]
    serving: Callable[[str], bool]
    tell: Callable[[str], None]
    children: list[Child] = field(default_factory=list)

    async def start(self) -> None:
        """Start all processes and return when all are SERVING.

        Raises:
            ProcessDiedError: a process died during the start, or its port is taken by another program.
        """
        for process in self.processes:
            if _is_taken(process):
                raise ProcessDiedError(f"The process {process.name} could not start: {process.address} is in use.")
        self.logs.mkdir(parents=True, exist_ok=True)
        self.children = [Child(process, self.logs / f"{process.name}.log") for process in self.processes]
        for child in self.children:
            child.log.write_bytes(b"")
            await self._spawn(child)
        await asyncio.gather(*(self._until_serving(child) for child in self.children))

    async def watch(self) -> None:
        """Restart processes that die, until cancelled."""
        await asyncio.gather(*(self._keep_alive(child) for child in self.children))

    async def stop(self) -> None:
        """Ask all processes to stop, wait, and kill those that do not."""
        running = [child.running for child in self.children if child.running is not None]
        for process in running:
            _signal(process, signal.SIGTERM)
        waiting = asyncio.gather(*(process.wait() for process in running))
        try:
            await asyncio.wait_for(waiting, STOP_SECONDS)
        except TimeoutError:
            for process in running:
                _signal(process, signal.SIGKILL)

    async def _spawn(self, child: Child) -> None:
        process = child.process
        command = [sys.executable, "-P", "-m", "cli.child", str(os.getpid()), *process.command]
        command += ["--host", process.host, "--port", str(process.port), *self.arguments]
        with child.log.open("ab") as log:
            child.running = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment},
                start_new_session=True,
            )
        child.started_at = time.monotonic()

    async def _until_serving(self, child: Child) -> None:
        while not await self._is_serving(child):
            if child.running is not None and child.running.returncode is not None:
                raise ProcessDiedError(f"The process {child.process.name} could not start:\n{_end_of(child.log)}")
            await asyncio.sleep(POLL_SECONDS)

    async def _is_serving(self, child: Child) -> bool:
        return await asyncio.to_thread(self.serving, child.process.address)

    async def _keep_alive(self, child: Child) -> None:
        while child.running is not None:
            code = await child.running.wait()
            if time.monotonic() - child.started_at > STEADY_SECONDS:
                child.pause = FIRST_PAUSE
            self.tell(f"{child.process.name} ended with {code}; restarting in {child.pause:g} s")
            await asyncio.sleep(child.pause)
            child.pause = min(child.pause * 2, LONGEST_PAUSE)
            await self._spawn(child)


def _is_taken(process: Process) -> bool:
    """Whether another program listens on the address, whose health must not be mistaken for the process's."""
    with socket.socket(socket.AF_INET6 if ":" in process.host else socket.AF_INET) as probe:
        return probe.connect_ex((process.host, process.port)) == 0


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    if process.returncode is None:
        process.send_signal(number)


def _end_of(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:])
