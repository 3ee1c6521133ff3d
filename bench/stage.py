"""One stage as a process of its own, for a measurement."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.suite import START_SECONDS, free_ports, is_serving


@dataclass(frozen=True, slots=True)
class RunningStage:
    """A stage that is SERVING."""

    port: int
    pid: int

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"


@contextmanager
def running_stage(name: str, data: Path) -> Iterator[RunningStage]:
    """`parley serve NAME` over `data` on a free port, stopped at the end.

    Raises:
        RuntimeError: it did not serve in time.
    """
    port = free_ports(1)
    command = [sys.executable, "-m", "cli.app", "serve", name, "--port", str(port)]
    with (data.parent / f"{data.name}.{name}.log").open("wb") as log:
        environment = {**os.environ, "PARLEY_RETRIEVE_DATA": str(data)}
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        end = time.monotonic() + START_SECONDS
        while not is_serving(f"127.0.0.1:{port}"):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{name} did not start")
            time.sleep(0.05)
        yield RunningStage(port, process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
