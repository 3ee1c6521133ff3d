"""A suite's processes under their supervisor: real ones, that serve and stop as a suite's do."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

import grpc
import psutil
import pytest

from bench.suite import free_ports, is_serving
from cli.suite import liveness
from cli.suite.processes import Process
from cli.suite.running import _say
from cli.suite.supervised import Supervised
from cli.suite.supervisor import ProcessDiedError, Supervisor
from parley.answer.v1 import answer_pb2, answer_pb2_grpc
from tests.fakes.slow_stage import PIECES

MAX_MISSES = 2


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(liveness, "CHECK_SECONDS", 0.2)


@dataclass(frozen=True, slots=True)
class Slow(Process):
    """A process that serves `tests.fakes.slow_stage`."""

    @property
    def command(self) -> tuple[str, ...]:
        return ("tests.fakes.slow_stage", self.name)


@dataclass
class Suite:
    """A running supervisor, and what it said."""

    supervisor: Supervisor
    messages: list[str]
    watching: asyncio.Task[None] = field(init=False)

    def child(self, name: str) -> Supervised:
        return next(child for child in self.supervisor.children if child.name == name)

    def pid(self, name: str) -> int:
        return self.child(name).pid

    async def until_serving_as_another_process(self, name: str, pid: int) -> None:
        async with asyncio.timeout(20):
            while self.pid(name) == pid:  # noqa: ASYNC110 - the event is in another process
                await asyncio.sleep(0.02)
            while not await asyncio.to_thread(is_serving, self.child(name).process.address):  # noqa: ASYNC110
                await asyncio.sleep(0.02)


@asynccontextmanager
async def running(
    folder: Path, *names: str, stop_seconds: float = 10.0, niceness: int = 0, **variables: str
) -> AsyncIterator[Suite]:
    port = free_ports(len(names))
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **variables}
    children = [
        Supervised(
            Slow((name,), "127.0.0.1", port + place),
            log=folder / f"{name}.log",
            liveness=f"unix:{folder / name}.sock",
            environment=environment,
            arguments=(),
            niceness=niceness,
        )
        for place, name in enumerate(names)
    ]
    messages: list[str] = []
    suite = Suite(Supervisor(children, stop_seconds, is_serving, messages.append, MAX_MISSES), messages)
    try:
        await suite.supervisor.start()
        suite.watching = asyncio.create_task(suite.supervisor.watch())
        await asyncio.sleep(0)
        yield suite
    finally:
        await suite.supervisor.stop()
    await suite.watching
    assert not any(child.is_running for child in children)


async def words_of(address: str, begun: asyncio.Event) -> int:
    """How many pieces of an answer came; the event is set after the first."""
    async with grpc.aio.insecure_channel(address) as channel:
        call = answer_pb2_grpc.AnswerServiceStub(channel).Write(answer_pb2.WriteRequest(question="When?"))
        pieces = 0
        async for _ in call:
            pieces += 1
            begun.set()
    return pieces


async def test_stages_serve_until_the_gateway_has_ended_its_turns(tmp_path: Path) -> None:
    async with running(tmp_path, "gateway", "answer") as suite:
        begun = asyncio.Event()
        turn = asyncio.create_task(words_of(suite.child("gateway").process.address, begun))
        await begun.wait()
        stopping = asyncio.create_task(suite.supervisor.stop())
        while suite.child("gateway").is_running:
            assert suite.child("answer").is_running
            await asyncio.sleep(0.01)
        assert await turn == PIECES
        await stopping
    assert suite.messages == []


async def test_a_process_is_started_again_when_its_log_is_on_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "intent.log").symlink_to("/dev/full")
    async with running(tmp_path, "intent") as suite:
        pid = suite.pid("intent")
        os.kill(pid, signal.SIGKILL)
        await suite.until_serving_as_another_process("intent", pid)
    assert suite.messages == ["intent ended with -9; it is started again"]


async def test_a_process_that_cannot_be_started_is_started_once_it_can_be(tmp_path: Path) -> None:
    async with running(tmp_path, "intent") as suite:
        pid, log = suite.pid("intent"), tmp_path / "intent.log"
        log.unlink()
        log.mkdir()
        os.kill(pid, signal.SIGKILL)
        while not any("could not be started" in message for message in suite.messages):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        log.rmdir()
        await suite.until_serving_as_another_process("intent", pid)


class Unread(StringIO):
    """A pipe whose reader has left."""

    def flush(self) -> None:
        raise BrokenPipeError


def test_what_nobody_reads_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Unread())
    _say("intent ended with -9; it is started again")


async def test_a_process_and_its_threads_are_as_nice_as_they_are_to_be(tmp_path: Path) -> None:
    async with running(tmp_path, "intent", niceness=3) as suite:
        threads = psutil.Process(suite.pid("intent")).threads()
        expected = min(os.getpriority(os.PRIO_PROCESS, 0) + 3, 19)
        assert {os.getpriority(os.PRIO_PROCESS, thread.id) for thread in threads} == {expected}


async def test_a_process_that_does_not_end_in_its_time_is_killed(tmp_path: Path) -> None:
    async with running(tmp_path, "intent", stop_seconds=0.3) as suite:
        os.kill(suite.pid("intent"), signal.SIGSTOP)
        await suite.supervisor.stop()
    assert suite.messages == ["intent did not end within 0.3 s and is killed"]


async def test_a_process_that_hangs_is_started_again_and_its_log_says_why(tmp_path: Path) -> None:
    async with running(tmp_path, "intent") as suite:
        pid = suite.pid("intent")
        os.kill(pid, signal.SIGSTOP)
        await suite.until_serving_as_another_process("intent", pid)
    reason = "did not answer (DEADLINE_EXCEEDED) in 2 checks in a row, so it was killed; it is started again"
    assert suite.messages == [f"intent {reason}"]
    assert reason in (tmp_path / "intent.log").read_text()


async def test_a_port_that_is_taken_is_named_with_the_option_that_moves_it(tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        host, port = listener.getsockname()
        child = Supervised(Process(("answer",), host, port), tmp_path / "log", "", {}, ())
        with pytest.raises(ProcessDiedError, match=f"{port} is in use. --port moves all of them."):
            await Supervisor([child], 1.0, serving=lambda address: True, tell=print).start()


@pytest.mark.slow
async def test_a_process_that_dies_at_its_start_is_not_started_again(tmp_path: Path) -> None:
    with pytest.raises(ProcessDiedError, match=r"(?s)intent could not start.*MAX_CONCURRENCY: must be a valid integer"):
        async with running(tmp_path, "intent", PARLEY_SERVER_MAX_CONCURRENCY="none"):
            pass
