"""A real Milvus for tests: Milvus Lite's server, which speaks the protocol of a cluster, as one process.

It keeps what it has acknowledged over `kill -9`. It is slow (.3 to .7 s a search over 20,000 passages) and knows no
indices over arrays; what the engine sends works on it and on a cluster alike.
"""

import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench.suite import free_ports

START_SECONDS = 120.0


@dataclass
class MilvusProcess:
    """One server over one folder; start it again after a kill, and it has its data and its port again."""

    work: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="parley-milvus-")))
    port: int = field(default_factory=lambda: free_ports(1))
    process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and return when it answers.

        Raises:
            RuntimeError: it is not installed, or it did not start; says why.
        """
        program = Path(sys.executable).with_name("milvus-lite")
        if not program.is_file():
            raise RuntimeError("milvus-lite is not installed: `make integration` installs it")
        arguments = ["server", "--data-dir", str(self.work / "data"), "--host", "127.0.0.1", "--port", str(self.port)]
        with (self.work / "milvus.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(program), *arguments], stdout=log, stderr=log, cwd=self.work
            )
        end = time.monotonic() + START_SECONDS
        while not _answers(self.port):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"Milvus did not start:\n{(self.work / 'milvus.log').read_text()[-4000:]}")
            time.sleep(0.05)

    def kill(self) -> None:
        """`kill -9`, as a power cut would; returns when it is gone."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Let it hang: connections are taken, nothing is answered; returns when that is so."""
        running = self._running()
        running.send_signal(signal.SIGSTOP)
        while psutil.Process(running.pid).status() != psutil.STATUS_STOPPED:
            time.sleep(0.01)

    def resume(self) -> None:
        """Let it go on after `pause`."""
        self._running().send_signal(signal.SIGCONT)

    def forget(self) -> None:
        """Kill it and throw away what it has, as when a volume is lost."""
        self.kill()
        shutil.rmtree(self.work / "data")

    def close(self) -> None:
        """Stop it and delete its folder."""
        if self.process is not None:
            self._end(signal.SIGKILL)
        shutil.rmtree(self.work, ignore_errors=True)

    def _running(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            raise RuntimeError("it is not running")
        return self.process

    def _end(self, how: signal.Signals) -> None:
        process = self._running()
        process.send_signal(how)
        process.wait()
        self.process = None


def _answers(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
