"""Time of an ingest by one process and by a Ray cluster: `python -m bench.bulk_ingest [--documents N] [--workers N]`.

Needs the extra ray. Both fill a collection of one suite with the same folder: once the suite cuts and embeds, once the
workers. Starting the cluster's processes is part of a run; starting the cluster itself is not. All numbers: taste.
"""

import argparse
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from bench.suite import PARLEY, RunningSuite, free_ports, running_suite

DOCUMENTS: Final = 400
PARAGRAPHS: Final = 8
WORDS: Final = 60
"""Words of a paragraph; a document has about 3,000 characters and nine windows."""
SECONDS: Final = 120.0  # for the cluster to start
SYLLABLES: Final = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "ro", "su", "ta", "ve")


@dataclass(frozen=True, slots=True)
class RayHead:
    """A cluster of this machine."""

    address: str
    process: psutil.Process
    environment: dict[str, str]
    """That of a process which may use it: with the cluster's token."""

    def workers(self, name: str) -> list[psutil.Process]:
        """The worker processes whose class has this name."""
        processes = self.process.children(recursive=True)
        return [process for process in processes if name in _title(process)]


@contextmanager
def ray_head(workers: int) -> Iterator[RayHead]:
    """Start a cluster with that many cores, and stop it at the end.

    Raises:
        RuntimeError: it did not start in time.
    """
    port = free_ports(2)
    environment = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    options = (
        f"start --head --block --port {port} --ray-client-server-port {port + 1} --min-worker-port 0 "
        f"--max-worker-port 0 --num-cpus {workers} --include-dashboard false --disable-usage-stats"
    )
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:  # the paths of its sockets must be short
        command = [sys.executable, "-m", "ray.scripts.scripts", *options.split(), "--temp-dir", folder]
        with (Path(folder) / "head.log").open("wb") as log:
            head = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        try:
            _wait_until_started(head, Path(folder) / "head.log")
            yield RayHead(f"127.0.0.1:{port}", psutil.Process(head.pid), environment)
        finally:
            _stop(head)


def write_documents(folder: Path, count: int, paragraphs: int = PARAGRAPHS) -> None:
    """Write Markdown files of made-up words, always the same."""
    chance = random.Random(7)
    folder.mkdir(parents=True)
    for number in range(count):
        texts = (" ".join(_sentence(chance) for _ in range(WORDS // 12)) for _ in range(paragraphs))
        sections = "\n\n".join(f"## Part {place}\n\n{text}" for place, text in enumerate(texts))
        (folder / f"document-{number:05}.md").write_text(f"# Document {number}\n\n{sections}\n")


def main() -> None:
    """Print a line per way."""
    parser = argparse.ArgumentParser(description="Time of an ingest by one process and by a Ray cluster.")
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "documents"
        write_documents(folder, options.documents)
        with running_suite(Path(place) / "data") as suite, ray_head(options.workers) as head:
            for way, collection, arguments in (
                ("one process", "one", ()),
                (f"{options.workers} workers", "many", ("--ray", head.address)),
                ("one process, again", "one", ()),
                (f"{options.workers} workers, again", "many", ("--ray", head.address)),
            ):
                _report(way, _seconds(suite, head, folder, collection, arguments), options.documents)


def ingest_command(suite: RunningSuite, folder: Path, collection: str, arguments: Sequence[str]) -> list[str]:
    """`parley ingest` of a folder into a collection."""
    return [*PARLEY, "ingest", str(folder), "--collection", collection, *arguments, "--port", str(suite.port)]


def _seconds(suite: RunningSuite, head: RayHead, folder: Path, collection: str, arguments: Sequence[str]) -> float:
    start = time.perf_counter()
    command = ingest_command(suite, folder, collection, arguments)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=head.environment)
    return time.perf_counter() - start


def _report(way: str, seconds: float, documents: int) -> None:
    sys.stdout.write(f"{way:20} {seconds:7.1f} s  {documents / seconds:7.1f} documents/s\n")


def _sentence(chance: random.Random) -> str:
    words = ("".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(12))
    return f"{' '.join(words).capitalize()}."


def _wait_until_started(head: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + SECONDS
    while "Ray runtime started" not in log.read_text():
        if head.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"the cluster did not start: {log.read_text()}")
        time.sleep(0.2)


def _stop(head: "subprocess.Popen[bytes]") -> None:
    """Stop the head, and whatever of its processes remains."""
    children = psutil.Process(head.pid).children(recursive=True) if head.poll() is None else []
    head.send_signal(signal.SIGTERM)
    head.wait(timeout=60)
    _, alive = psutil.wait_procs(children, timeout=10)
    for child in alive:
        child.kill()


def _title(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


if __name__ == "__main__":
    main()
