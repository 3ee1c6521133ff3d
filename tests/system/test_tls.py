"""A whole suite over mTLS: turns and the command line."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from tests.fakes.certificates import Authority, CertificateFiles
from tests.system.docs_pages import block_beginning
from tests.system.docs_reader import reader_in
from tests.system.door import ingest, parley

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
