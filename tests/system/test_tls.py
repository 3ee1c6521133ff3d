"""A whole suite over mTLS: turns, the command line, and certificates that change under it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from cli.connection.channels import channel_to
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.fakes.certificates import Authority, CertificateFiles
from tests.system.docs_pages import block_beginning
from tests.system.docs_reader import reader_in
from tests.system.door import ingest, parley

CALLERS = 8
SETTLE_SECONDS = 2.0
"""Longer than a process goes without looking at its files."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, authority: Authority) -> CertificateFiles:
    return CertificateFiles(tmp_path_factory.mktemp("tls")).trust(authority).hold(authority)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory, files: CertificateFiles) -> Iterator[RunningSuite]:
    folder = tmp_path_factory.mktemp("encrypted")
    (folder / "note.md").write_text("# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. It dug for water ice there.\n")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in files.variables().items():
            patch.setenv(name, value)
        with running_suite(folder / "data", processes=3) as running:
            ingest(running.port, str(folder / "note.md"))
            yield running


def ask(channel: grpc.Channel) -> str:
    turn = gateway_pb2.AskRequest(question="When did Phoenix land on Mars?")
    request = gateway_pb2.AskOnceRequest(ask=turn)
    return gateway_pb2_grpc.GatewayServiceStub(channel).AskOnce(request, timeout=30).turn.answer.text


def test_the_commands_reach_the_suite_and_without_certificates_they_do_not(
    suite: RunningSuite, monkeypatch: pytest.MonkeyPatch, files: CertificateFiles
) -> None:
    assert parley(suite.port, "doctor").returncode == 0
    assert "2008" in parley(suite.port, "ask", "When did Phoenix land on Mars?").stdout
    probe = [sys.executable, "-m", "libs.runtime.serving.health", suite.address]
    assert subprocess.run(probe, check=False).returncode == 0
    for name in files.variables():
        monkeypatch.delenv(name)
    assert parley(suite.port, "doctor").returncode == 1
    assert parley(suite.port, "ask", "When did Phoenix land on Mars?").returncode == 1


def test_no_turn_fails_while_authority_and_certificates_are_renewed_under_eight_callers(
    suite: RunningSuite, files: CertificateFiles, authority: Authority
) -> None:
    successor = Authority("successor")
    turns, is_over = 0, False

    def call_on() -> int:
        own = 0
        with channel_to(suite.address) as lasting:
            while not is_over:
                assert "2008" in ask(lasting)
                with channel_to(suite.address) as fresh:
                    assert "2008" in ask(fresh)
                own += 2
        return own

    with ThreadPoolExecutor(CALLERS) as pool:
        callers = [pool.submit(call_on) for _ in range(CALLERS)]
        for step in (
            partial(files.trust, authority, successor),
            partial(files.hold, successor),
            partial(files.trust, successor),
        ):
            time.sleep(SETTLE_SECONDS)
            step()
        time.sleep(SETTLE_SECONDS)
        is_over = True
        turns = sum(caller.result() for caller in callers)
    assert turns > CALLERS
    print(f"{turns} turns")  # noqa: T201


def test_the_commands_of_the_guide_reach_it(tmp_path: Path, authority: Authority) -> None:
    reader = reader_in(tmp_path)
    CertificateFiles(tmp_path / "tls").trust(authority).hold(authority, "localhost")
    exports = block_beginning("export PARLEY_TLS_CERTIFICATE")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in CertificateFiles(tmp_path / "tls").variables().items():
            patch.setenv(name, value)
        with reader.running(exports):
            listing = reader.run(block_beginning("grpcurl -cacert"))
            assert "parley.gateway.v1.GatewayService" in listing.stdout, listing.stderr
            example = f"{block_beginning('import grpc')}\ngrpc.channel_ready_future(channel).result(timeout=10)"
            code = example.replace("localhost:50051", f"localhost:{reader.port}")
            python = subprocess.run(
                [sys.executable, "-c", code], cwd=tmp_path, env=reader.environment, capture_output=True, text=True
            )
            assert python.returncode == 0, python.stderr
