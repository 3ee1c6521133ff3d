"""The ways to a running suite: stubs of its gateway, and the command line."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import grpc
from typer.testing import CliRunner

from cli.app import command_line
from parley.answer.v1 import answer_pb2_grpc
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2_grpc

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
NOTES = SAMPLES / "corpus"


class Reachable(Protocol):
    """A suite, by its gateway."""

    @property
    def port(self) -> int:
        """The gateway's."""

    @property
    def address(self) -> str:
        """The gateway's."""


@dataclass(frozen=True)
class Door:
    """The stubs of a gateway."""

    port: int
    gateway: gateway_pb2_grpc.GatewayServiceStub
    corpus: corpus_pb2_grpc.CorpusServiceStub
    answer: answer_pb2_grpc.AnswerServiceStub

    @classmethod
    @contextlib.contextmanager
    def of(cls, suite: Reachable) -> Iterator[Self]:
        """The door of a running suite, for as long as the context lasts."""
        with grpc.insecure_channel(suite.address) as channel:
            yield cls(
                suite.port,
                gateway_pb2_grpc.GatewayServiceStub(channel),
                corpus_pb2_grpc.CorpusServiceStub(channel),
                answer_pb2_grpc.AnswerServiceStub(channel),
            )

    def ask(self, question: str, session: str = "", **options: object) -> list[event_pb2.Event]:
        """All events of a turn."""
        request = gateway_pb2.AskRequest(question=question, session_id=session)
        request.options.MergeFrom(gateway_pb2.RequestOptions(**options))  # type: ignore[arg-type]
        return [response.event for response in self.gateway.Ask(request, timeout=30)]


def parley(port: int, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command line against a running suite, run in this process: to start one of its own takes half a second."""
    with contextlib.chdir(cwd or Path.cwd()):
        result = CliRunner().invoke(command_line(), [*arguments, "--port", str(port)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)


def ingest(port: int, *arguments: str) -> None:
    """Documents are taken in by the command line."""
    process = parley(port, "ingest", *arguments)
    assert process.returncode == 0, process.stdout + process.stderr


def parley_process(port: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, for a thread."""
    command = [sys.executable, "-m", "cli", *arguments, "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


def one(events: list[event_pb2.Event], kind: str) -> event_pb2.Event:
    """The only event of a kind."""
    (event,) = [event for event in events if event.WhichOneof("event") == kind]
    return event


def last(events: list[event_pb2.Event], kind: str) -> event_pb2.Event:
    """The event of a kind that holds in the end, having replaced those before it."""
    return [event for event in events if event.WhichOneof("event") == kind][-1]
