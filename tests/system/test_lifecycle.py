"""Processes come and go, and turns end well or clearly."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from bench.suite import RunningSuite, free_ports, is_serving, running_suite
from cli.suite.processes import STAGES
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.system.door import ingest, parley
from tests.system.waiting import wait_for

Options = gateway_pb2.RequestOptions


@contextmanager
def process(
    *command: str, log: Path, cwd: str | Path | None = None, **environment: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A child that is killed at the end if it still runs."""
    with log.open("wb") as out:
        child = subprocess.Popen(
            [sys.executable, *command], stdout=out, stderr=out, cwd=cwd, env={**os.environ, **environment}
        )
    try:
        yield child
    finally:
        if child.poll() is None:
            child.kill()
        child.wait()


@pytest.fixture(scope="module")
def own_suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    """A suite whose processes may be killed."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "note.md").write_text("# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. It dug for water ice there.\n")
    with running_suite(folder / "data", {"PARLEY_GATEWAY_STAGE_SECONDS": "5"}) as suite:
        ingest(suite.port, str(folder / "note.md"))
        yield suite


def ask(suite: RunningSuite) -> list[event_pb2.Event]:
    with grpc.insecure_channel(suite.address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        request = gateway_pb2.AskRequest(question="When did Phoenix land on Mars?", options=Options(pro=True))
        return [response.event for response in stub.Ask(request, timeout=30)]


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["intent", "decompose", "retrieve", "answer", "timeline"])
def test_a_turn_waits_for_a_killed_stage_or_ends_clearly_and_the_next_runs(own_suite: RunningSuite, stage: str) -> None:
    victim = own_suite.processes()[stage]
    victim.suspend()  # so that the turn is in its hands when it dies
    threading.Timer(1.0, victim.kill).start()
    try:
        kinds = [event.WhichOneof("event") for event in ask(own_suite)]
    except grpc.RpcError as error:
        assert (error.code(), _reason(error)) == (grpc.StatusCode.UNAVAILABLE, "STAGE_UNAVAILABLE")  # noqa: PT017
    else:
        assert kinds[-1] == "completed"
    wait_for(lambda: parley(own_suite.port, "doctor").returncode == 0)
    events = ask(own_suite)
    assert events[-1].WhichOneof("event") == "completed"
    assert "degraded" not in [event.WhichOneof("event") for event in events]


def _reason(error: grpc.RpcError) -> str:
    status = rpc_status.from_call(error)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return str(info.reason)


def test_a_suite_whose_port_is_taken_says_so(tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1] - 1
        process = parley(port, "up", "--data", str(tmp_path / "data"))
    assert process.returncode == 1
    assert "The process intent could not start" in process.stderr


@pytest.mark.slow
def test_a_suite_starts_in_a_folder_that_holds_a_checkout(tmp_path: Path) -> None:
    checkout, port = tmp_path / "parley", free_ports(1)
    for package in (checkout / "gateway", checkout / "services", tmp_path / "services"):
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    command = ("-P", "-m", "cli", "up", "--data", str(tmp_path / "data"), "--processes", "1")
    with process(*command, "--port", str(port), log=tmp_path / "up.log", cwd=tmp_path) as supervisor:
        wait_for(lambda: supervisor.poll() is not None or is_serving(f"127.0.0.1:{port}"))
        assert supervisor.poll() is None, (tmp_path / "up.log").read_text()
        supervisor.send_signal(signal.SIGTERM)
        assert supervisor.wait(timeout=30) == 0


@pytest.mark.parametrize("redirection", [">&- 2>&-", ">/dev/full"])
def test_a_suite_serves_whatever_its_output_is(tmp_path: Path, redirection: str) -> None:
    port = free_ports(len(STAGES))
    command = f"exec {sys.executable} -m cli up --processes 1 --port {port} --data {tmp_path}/data {redirection}"
    with process("-c", f"import os; os.execl('/bin/sh', 'sh', '-c', {command!r})", log=tmp_path / "log") as suite:
        wait_for(lambda: suite.poll() is not None or is_serving(f"127.0.0.1:{port}"))
        assert suite.poll() is None
        suite.terminate()
        assert suite.wait(timeout=30) in (0, 120)  # 120: Python could not write the rest of its output
