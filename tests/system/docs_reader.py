"""A reader of the documentation: a folder to work in, programs under the names of the pages, a suite on free ports.

The commands are run word for word by `sh`. Three things differ from a reader's machine: `parley up` gets a free port,
the other commands find it in `PARLEY_PORT`, and the ports 50051 to 50056 in an address are replaced by the suite's.
"""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.suite import free_ports, is_serving
from cli.suite.processes import DEFAULT_PORT, STAGES, suite
from tests.system.docs_pages import block_beginning
from tests.system.door import ROOT, SAMPLES
from tests.system.waiting import wait_for

SECONDS = 60
PARLEY = """#!/bin/sh
if [ "$1" = up ]; then shift; set -- up --port "$PARLEY_PORT" "$@"; fi
exec "{python}" -P -m cli "$@"
"""
PYTHON = """#!/bin/sh
exec "{python}" -P "$@"
"""
GRPCURL = """#!/bin/sh
exec "{python}" -P -m tests.system.reflecting_client "$@"
"""
PROGRAMS = {".venv/bin/parley": PARLEY, ".venv/bin/python": PYTHON, "bin/grpcurl": GRPCURL}

NOTE = """---
date: 2031-06-14
---
# Meeting on the antenna

We decided on 12 May 2031 to replace the antenna by one of carbon fibre. The new antenna is mounted on 3 July 2031.
"""
LEAVE = """# Annual leave

A full-time employee earns 160 hours of annual leave a year. At most 240 hours of annual leave can be carried over.
"""
PASSAGE = {"id": "p1", "title": "Apollo 11", "text": "Apollo 11 landed on the Moon on 20 July 1969."}
TASK: dict[str, Any] = {
    "task_id": "t1",
    "domain": "moon",
    "split": "dev",
    "answerability": "ANSWERABLE",
    "history": [],
    "last_turn": "When did Apollo 11 land on the Moon?",
    "reference_answer": "Apollo 11 landed on the Moon on 20 July 1969.",
    "qrels": {"p1": 1},
}
UNANSWERABLE = TASK | {"task_id": "t2", "answerability": "UNANSWERABLE", "last_turn": "Who baked bread?", "qrels": {}}


@dataclass(frozen=True)
class Reader:
    """Who follows the pages, in a folder that has what they speak of."""

    folder: Path
    port: int
    """The gateway's; the stages have the five after it."""

    @property
    def environment(self) -> dict[str, str]:
        """The programs' paths and the suite's port, and no other setting of Parley."""
        mine = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        path = [self.folder / "bin", self.folder / ".venv" / "bin", os.environ["PATH"]]
        return mine | {
            "PATH": os.pathsep.join(map(str, path)),
            "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in (".", "protos/gen", "clients/python")),
            "PARLEY_PORT": str(self.port),
            "PARLEY_CLIENT_ADDRESS": f"127.0.0.1:{self.port}",
        }

    def run(self, script: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run it to its end, in the folder or in another one; a question is answered with y."""
        command = ["sh", "-e", "-c", self._here(script)]
        where, environment = cwd or self.folder, self.environment
        return subprocess.run(
            command, input="y\n", capture_output=True, text=True, timeout=SECONDS, cwd=where, env=environment
        )

    @contextmanager
    def running(self, script: str) -> Iterator[None]:
        """Run a script whose last line is `parley up` until Ctrl-C; it ends well."""
        *exports, up = script.strip().splitlines()
        command = ["sh", "-e", "-c", "\n".join([*exports, f"exec {up}"])]
        log = self.folder / f"up-{self.port}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=out, cwd=self.folder, env=self.environment)
        try:
            addresses = [each.address for each in suite("127.0.0.1", self.port)]
            wait_for(lambda: process.poll() is not None or all(map(is_serving, addresses)), SECONDS)
            assert process.poll() is None, log.read_text()
            yield
        finally:
            process.send_signal(signal.SIGINT)
            code = process.wait(timeout=SECONDS)
        assert code == 0, log.read_text()

    def _here(self, script: str) -> str:
        return re.sub(r"(?<=localhost:)5005\d", lambda port: str(int(port[0]) - DEFAULT_PORT + self.port), script)


def reader_in(folder: Path) -> Reader:
    """A reader with the programs and files that the pages name."""
    for name, text in PROGRAMS.items():
        _write(folder / name, text.format(python=sys.executable)).chmod(0o755)
    _write(folder / "notes" / "2031" / "june.md", NOTE)
    question = " ".join(block_beginning('{"id": "leave-2"').split())
    _write(folder / "questions" / "questions.jsonl", f"{question}\n")
    _write(folder / "questions" / "corpora" / "handbook" / "leave.md", LEAVE)
    _pack(folder / "MTRAG" / "moon.passages.jsonl.gz", PASSAGE)
    _pack(folder / "MTRAG" / "moon.human.tasks.jsonl.gz", TASK, UNANSWERABLE)
    return Reader(folder, free_ports(len(STAGES)))


def ingest_samples(reader: Reader) -> None:
    """What `make demo` ingests, into the default collection."""
    process = reader.run(f".venv/bin/parley ingest '{SAMPLES / 'corpus'}'")
    assert process.returncode == 0, process.stderr


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _pack(path: Path, *rows: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join(f"{json.dumps(row)}\n" for row in rows).encode()))
