"""One process of a suite as the supervisor runs it: started, signalled, killed, with its log."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from cli.suite.processes import Process

FIRST_PAUSE: Final = 0.5  # seconds before the second restart in a row (taste)
MAX_PAUSE: Final = 10.0  # seconds; pauses double up to it (taste)
STEADY_SECONDS: Final = 30.0  # of running, after which the pause starts anew (taste)
LOG_LINES: Final = 12  # that an error shows (taste)


@dataclass(slots=True)
class Supervised:
    """A process with its log.

    Args:
        process: what it serves.
        log: file that its output is appended to.
        liveness: address at which its liveness is served.
        environment: variables that it gets besides this process's own environment.
        arguments: what it is started with besides its host and port.
        niceness: how much less urgent the system takes it than this process; 0 to 19.
    """

    process: Process
    log: Path
    liveness: str
    environment: Mapping[str, str]
    arguments: Sequence[str]
    niceness: int = 0
    is_restarting: bool = False
    """Whether it is ended to be started again."""
    has_served: bool = False
    """Whether it has been SERVING since its start."""
    is_asked_to_end: bool = False
    """Whether SIGTERM has been sent to it."""
    _running: asyncio.subprocess.Process | None = None
    _pause: float = 0.0
    _start_time: float = 0.0

    @property
    def name(self) -> str:
        """Its name: `gateway`, `gateway+intent`."""
        return self.process.name

    @property
    def health(self) -> str:
        """Where its health is served; a process that speaks HTTP serves its liveness once it serves."""
        return self.liveness if self.process.speaks_http else self.process.address

    async def start(self) -> None:
        """Start the process, which must not be running; it is ended at once if that is asked for meanwhile.

        Raises:
            OSError: its log cannot be opened, or the system has no process left.
        """
        self.has_served = self.is_asked_to_end = self.is_restarting = False
        self._start_time = time.monotonic()
        process = self.process
        command = [sys.executable, "-P", "-m", "cli.suite.child", str(os.getpid()), str(self.niceness)]
        command += [*process.command, "--host", process.host, "--port", str(process.port), *self.arguments]
        with self.log.open("ab") as log:
            self._running = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.environment, "PARLEY_SERVER_LIVENESS_ADDRESS": self.liveness},
                process_group=0,  # not a session: Linux may weigh niceness within a session only (sched(7), autogroup)
            )
        if self.is_asked_to_end:
            self.signal(signal.SIGTERM)

    @property
    def pid(self) -> int:
        """The id of the process that was started last; 0 before the first start."""
        return self._running.pid if self._running is not None else 0

    @property
    def is_running(self) -> bool:
        """Whether the process has been started and has not ended."""
        return self._running is not None and self._running.returncode is None

    async def wait(self) -> int:
        """Return its exit code once it has ended; negative for a signal."""
        assert self._running is not None
        return await self._running.wait()

    def ask_to_end(self) -> None:
        """Send SIGTERM, unless that was done before: a second one would cut its draining short."""
        if not self.is_asked_to_end:
            self.signal(signal.SIGTERM)
        self.is_asked_to_end = True

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended."""
        if self._running is not None and self.is_running:
            self._running.send_signal(number)

    def next_pause(self) -> float:
        """Return the seconds to wait before the next start: none after a steady life, else longer each time."""
        if time.monotonic() - self._start_time > STEADY_SECONDS:
            self._pause = 0.0
        pause, self._pause = self._pause, min(max(2 * self._pause, FIRST_PAUSE), MAX_PAUSE)
        return pause

    def note(self, text: str) -> None:
        """Add a line to its log; one on a full disk loses it."""
        with suppress(OSError), self.log.open("a", encoding="utf-8") as log:
            log.write(f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S} [supervisor] {text}\n")

    def end_of_log(self) -> str:
        """Return the last lines of its log."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-LOG_LINES:])
