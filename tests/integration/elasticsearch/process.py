"""A real Elasticsearch for tests: the server of its own integration tests, as one node on this machine.

`make integration` fetches it. It has no machine learning, no scripts and few analyzers; what the engine sends works on
it and on a full distribution alike. It refuses to run as root, so root's tests run it as `nobody`.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[3]
HOME = ROOT / "build" / "elasticsearch"
"""Where `make integration` unpacks it."""
OLDEST_JAVA = 21
START_SECONDS = 120.0
MEMORY = "-Xms256m -Xmx256m -XX:-UseG1GC -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""Some 450 MB resident in all."""

_SETTINGS = """\
cluster.name: parley-test
node.name: n1
node.portsfile: true
discovery.type: single-node
network.host: 127.0.0.1
http.port: {port}
transport.port: 0
path.data: {work}/data
path.logs: {work}/logs
path.repo: {work}/snapshots
xpack.security.enabled: false
cluster.routing.allocation.disk.threshold_enabled: false
node.store.allow_mmap: false
"""


@dataclass
class ElasticsearchProcess:
    """One node over one folder; start it again after a kill, and it has its data and its port again."""

    work: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="parley-elasticsearch-")))
    port: int = 0
    pid: int = 0

    @property
    def snapshots(self) -> Path:
        """The folder in which repositories of snapshots may be."""
        return self.work / "snapshots"

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and return when it answers, its indices too.

        Raises:
            RuntimeError: it is not there, there is no Java for it, or it did not start; says why.
        """
        self._prepare()
        log = self.work / "logs" / "start.log"
        with log.open("wb") as out:
            starting = subprocess.Popen(
                [str(_home() / "bin" / "elasticsearch"), "-d", "-p", str(self.work / "pid")],
                cwd=self.work,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                **_as_somebody(),
            )
        try:
            if starting.wait():
                raise RuntimeError(f"Elasticsearch did not start:\n{log.read_text(errors='replace')[-4000:]}")
            self.pid = int((self.work / "pid").read_text())
            self._wait_until_it_answers()
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(starting.pid, signal.SIGKILL)
            starting.wait()
            raise

    def kill(self) -> None:
        """`kill -9`, as a power cut would; returns when it is gone."""
        self._end(signal.SIGKILL)

    def close(self) -> None:
        """Stop it and delete its folder."""
        if self.pid:
            self._end(signal.SIGTERM)
        shutil.rmtree(self.work, ignore_errors=True)

    def _end(self, how: signal.Signals) -> None:
        try:
            process = psutil.Process(self.pid)
            process.send_signal(how)
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.02)
        except psutil.NoSuchProcess:
            pass
        self.pid = 0

    def _prepare(self) -> None:
        home = _home()
        for name in ("config", "data", "logs", "snapshots", "tmp"):
            (self.work / name).mkdir(parents=True, exist_ok=True)
        for left in (self.work / "pid", self.work / "logs" / "http.ports"):
            left.unlink(missing_ok=True)
        config = self.work / "config"
        (config / "elasticsearch.yml").write_text(_SETTINGS.format(port=self.port, work=self.work))
        shutil.copy(home / "config" / "log4j2.properties", config)
        dump_options = ("HeapDump", "-Xlog:gc", "ErrorFile")
        options = (home / "config" / "jvm.options").read_text().splitlines()
        other_options = [line for line in options if not any(word in line for word in dump_options)]
        (config / "jvm.options").write_text("\n".join(other_options) + "\n")
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "nobody", str(self.work)], check=True)

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.work),
            "LANG": "C.UTF-8",
            "ES_JAVA_HOME": str(_java()),
            "ES_JAVA_OPTS": MEMORY,
            "ES_PATH_CONF": str(self.work / "config"),
            "ES_TMPDIR": str(self.work / "tmp"),
        }

    def _wait_until_it_answers(self) -> None:
        ports = self.work / "logs" / "http.ports"
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            try:
                self.port = int(ports.read_text().split()[0].rpartition(":")[2])
                health = f"{self.url}/_cluster/health?wait_for_status=yellow&timeout=30s"
                with urllib.request.urlopen(health, timeout=40) as answer:
                    if answer.status == 200:
                        return
            except (OSError, IndexError, ValueError):
                time.sleep(0.1)
        raise RuntimeError(f"Elasticsearch does not answer:\n{_end_of(self.work / 'logs' / 'parley-test.log')}")


def _home() -> Path:
    """The server's folder where others than root may read it: itself, or a copy."""
    if not (HOME / "bin" / "elasticsearch").is_file():
        raise RuntimeError(f"{HOME} holds no Elasticsearch: `make integration` fetches it")
    if os.getuid() or all(folder.stat().st_mode & 0o005 == 0o005 for folder in (HOME, *HOME.parents)):
        return HOME
    copy = Path(tempfile.gettempdir()) / "parley-elasticsearch-home"
    if not copy.is_dir():
        fresh = Path(tempfile.mkdtemp(prefix=copy.name))
        shutil.copytree(HOME, fresh, dirs_exist_ok=True)
        fresh.chmod(0o755)
        fresh.rename(copy)
    return copy


def _as_somebody() -> dict[str, Any]:
    if os.getuid():
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _java() -> Path:
    """A Java that is new enough: ES_JAVA_HOME's, JAVA_HOME's, or the newest one of those installed."""
    for variable in ("ES_JAVA_HOME", "JAVA_HOME"):
        if variable in os.environ and _version(Path(os.environ[variable])) >= OLDEST_JAVA:
            return Path(os.environ[variable])
    java_home = max(Path("/usr/lib/jvm").glob("*"), key=_version, default=Path())
    if _version(java_home) < OLDEST_JAVA:
        raise RuntimeError(f"no Java of version {OLDEST_JAVA} or later: install one, or name it in ES_JAVA_HOME")
    return java_home


def _version(java: Path) -> int:
    """0 for what is no Java."""
    try:
        lines = (java / "release").read_text().splitlines()
        version_line = next(line for line in lines if line.startswith("JAVA_VERSION="))
        return int(version_line.split('"')[1].split(".")[0])
    except (OSError, StopIteration, IndexError, ValueError):
        return 0


def _end_of(log: Path) -> str:
    return log.read_text(errors="replace")[-4000:] if log.is_file() else "it wrote no log"
