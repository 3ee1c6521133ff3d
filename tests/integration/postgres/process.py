"""A real PostgreSQL for tests, from the package pgserver: one server on a port of loopback, over a folder."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import psutil

from bench.suite import free_ports

START_SECONDS = 60.0
USER = "postgres"


@dataclass
class PostgresProcess:
    """One server; start it again after a kill, and it has its data and its port again."""

    work: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="parley-postgres-")))
    port: int = field(default_factory=lambda: free_ports(1))
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """A connection string."""
        return f"postgresql://{self.authority}/postgres"

    @property
    def authority(self) -> str:
        """The user, host and port of its connection strings."""
        return f"{USER}@127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and return when it answers.

        Raises:
            RuntimeError: it is not installed, or it did not start.
        """
        data, folder = self.work / "data", programs()
        self.work.chmod(0o755)
        if not data.exists():
            data.mkdir()
            _give_away(data)
            initdb = [
                f"{folder / 'initdb'}",
                "-D",
                f"{data}",
                "--auth=trust",
                "--encoding=utf8",
                "--no-locale",
                "-U",
                USER,
            ]
            subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, user=_account())
        with (self.work / "postgres.log").open("ab") as log:
            arguments = ["-D", f"{data}", "-h", "127.0.0.1", "-p", f"{self.port}", "-k", ""]
            self.process = subprocess.Popen(
                [f"{folder / 'postgres'}", *arguments], stdout=log, stderr=log, user=_account(), cwd=data
            )
        end = time.monotonic() + START_SECONDS
        while subprocess.run([folder / "pg_isready", "-q", "-h", "127.0.0.1", "-p", f"{self.port}"]).returncode:
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start: {(self.work / 'postgres.log').read_text()[-2000:]}")
            time.sleep(0.1)

    def kill(self) -> None:
        """End it by SIGKILL, and wait for its children, which end when they notice: they hold its shared memory."""
        assert self.process is not None
        children = psutil.Process(self.process.pid).children(recursive=True)
        self.process.kill()
        self.process.wait()
        psutil.wait_procs(children, timeout=START_SECONDS)
        (self.work / "data" / "postmaster.pid").unlink()

    def stop(self) -> None:
        """Stop it at once, with a checkpoint."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()

    def close(self) -> None:
        """Stop it, and delete its data."""
        self.stop()
        shutil.rmtree(self.work, ignore_errors=True)


def programs() -> Path:
    """The folder of the programs of its version, pg_dump among them; the package itself is not needed.

    Raises:
        RuntimeError: it is not installed.
    """
    package = find_spec("pgserver")
    if package is None or package.origin is None:
        raise RuntimeError("pgserver is not installed: `make integration` installs it")
    return Path(package.origin).parent / "pginstall" / "bin"


def _account() -> str | None:
    """The user who runs the server: it refuses to run as root."""
    return "nobody" if os.geteuid() == 0 else None


def _give_away(folder: Path) -> None:
    folder.chmod(0o700)
    if (account := _account()) is not None:
        os.chown(folder, pwd.getpwnam(account).pw_uid, -1)
