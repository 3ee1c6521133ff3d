"""Two callers of one suite, known by their tokens: neither reaches what is the other's."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from gateway.identity.api_keys import new_key
from parley.client.evaluation.gateway import Gateway
from parley.context.v1 import evidence_pb2
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc, session_pb2, session_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2, retrieve_pb2_grpc
from tests.fakes.token_issuer import AUDIENCE, ISSUER, Issuer
from tests.system.door import parley

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("identity")]
QUESTION = "When did Phoenix land on Mars?"
PASSAGE = evidence_pb2.Passage(passage_id="a#0", document_id="a", text="Phoenix landed on Mars on 25 May 2008.")
Metadata = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Caller:
    """Calls a suite by its credentials; what its header claims is somebody else's name."""

    channel: grpc.Channel
    token: str

    @property
    def metadata(self) -> Metadata:
        return ("authorization", f"Bearer {self.token}"), ("x-parley-principal", "alice")

    def search(self) -> list[str]:
        """The documents that it finds."""
        request = corpus_pb2.SearchRequest(query="Phoenix landed on Mars")
        response = corpus_pb2_grpc.CorpusServiceStub(self.channel).Search(request, metadata=self.metadata, timeout=30)
        return sorted({each.passage.document_id for each in response.evidence})

    def ask(self, **request: object) -> gateway_pb2.WholeTurn:
        """A whole turn."""
        ask = gateway_pb2.AskRequest(question=QUESTION, **request)  # type: ignore[arg-type]
        once = gateway_pb2.AskOnceRequest(ask=ask)
        return self.gateway.AskOnce(once, metadata=self.metadata, timeout=30).turn

    @property
    def gateway(self) -> gateway_pb2_grpc.GatewayServiceStub:
        return gateway_pb2_grpc.GatewayServiceStub(self.channel)

    def call(self, method: str, **fields: object) -> Any:
        """The response of a method of the service of sessions."""
        stub, request = session_pb2_grpc.SessionServiceStub(self.channel), getattr(session_pb2, f"{method}Request")
        return getattr(stub, method)(request(**fields), metadata=self.metadata)


@dataclass(frozen=True)
class Suite:
    """A suite with the credentials of its callers."""

    running: RunningSuite
    alice: Caller
    bob: Caller


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    folder, issuer = tmp_path_factory.mktemp("identity"), Issuer()
    (folder / "secret").write_text("s" * 32)
    (folder / "issuer.json").write_bytes(issuer.key_set())
    bobs_key, entry = new_key({"bob"})
    (folder / "keys").write_text(entry.line())
    settings = {
        "PARLEY_TRUST_SECRET": str(folder / "secret"),
        "PARLEY_AUTH_KEYS": str(folder / "keys"),
        "PARLEY_AUTH_JWKS": str(folder / "issuer.json"),
        "PARLEY_AUTH_ISSUER": ISSUER,
        "PARLEY_AUTH_AUDIENCE": f'["{AUDIENCE}"]',
    }
    with (
        running_suite(folder / "data", settings, processes=2) as running,
        grpc.insecure_channel(running.address) as channel,
    ):
        alice, bob = Caller(channel, issuer.token("alice")), Caller(channel, bobs_key)
        for caller, name, readers in ((alice, "alices", ["alice"]), (bob, "bobs", ["bob"]), (alice, "public", [])):
            text = f"# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. This is the note {name}.\n"
            document = corpus_pb2.Document(document_id=name, title=name, text=text, principals=readers)
            request = corpus_pb2.PutDocumentRequest(document=document)
            corpus_pb2_grpc.CorpusServiceStub(channel).PutDocument(request, metadata=caller.metadata, timeout=30)
        yield Suite(running, alice, bob)


def code_of(error: pytest.ExceptionInfo[grpc.RpcError]) -> grpc.StatusCode:
    code: grpc.StatusCode = error.value.code()
    return code


def test_a_replayed_request_id_gives_the_others_answer_to_nobody(suite: Suite) -> None:
    first = suite.alice.ask(request_id="once")
    assert suite.alice.ask(request_id="once").turn_id == first.turn_id
    other = suite.bob.ask(request_id="once")
    assert other.turn_id != first.turn_id
    assert "alices" not in {each.evidence.passage.document_id for each in other.references}


def test_nobody_goes_round_the_gateway_to_a_stage(suite: Suite) -> None:
    request = retrieve_pb2.RetrieveRequest()
    request.options.principals.append("alice")
    stub = retrieve_pb2_grpc.RetrieveServiceStub(suite.alice.channel)
    with pytest.raises(grpc.RpcError) as error:
        list(stub.Retrieve(request, metadata=suite.bob.metadata, timeout=10))
    assert code_of(error) is grpc.StatusCode.PERMISSION_DENIED


def test_the_command_line_and_the_python_client_send_credentials(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("PARLEY_CLIENT_TOKEN", "PARLEY_CLIENT_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    port = suite.running.port
    refusal = parley(port, "search", "Phoenix")
    assert refusal.returncode == 1
    assert "CREDENTIALS_MISSING" in refusal.stderr
    assert "CREDENTIALS_MISSING" in parley(port, "doctor").stderr
    (tmp_path / "key").write_text(suite.bob.token)
    monkeypatch.setenv("PARLEY_CLIENT_TOKEN_FILE", str(tmp_path / "key"))
    listing = _output(parley(port, "documents"))
    assert "bobs" in listing
    assert "alices" not in listing
    assert "2008" in _output(parley(port, "ask", QUESTION))
    (tmp_path / "rover.md").write_text("Curiosity landed on Mars in 2012.")
    _output(parley(port, "ingest", str(tmp_path / "rover.md")))  # it is bob's now
    document = corpus_pb2.Document(document_id="rover.md", text="Never.")
    corpus = corpus_pb2_grpc.CorpusServiceStub(suite.alice.channel)
    with pytest.raises(grpc.RpcError) as error:
        corpus.PutDocument(corpus_pb2.PutDocumentRequest(document=document), metadata=suite.alice.metadata, timeout=30)
    assert code_of(error) is grpc.StatusCode.PERMISSION_DENIED
    corpus.PutDocument(corpus_pb2.PutDocumentRequest(document=document), metadata=suite.bob.metadata, timeout=30)
    assert "rules" in _output(parley(port, "doctor"))
    with Gateway(suite.running.address, token=suite.alice.token).open() as client:
        verdicts = client.verify(["Phoenix landed on Mars."], [PASSAGE])
        assert len(verdicts) == 1
    with Gateway(suite.running.address, token="wrong").open() as client, pytest.raises(grpc.RpcError) as error:
        client.verify(["Phoenix landed on Mars."], [PASSAGE])
    assert code_of(error) is grpc.StatusCode.UNAUTHENTICATED


def _output(process: subprocess.CompletedProcess[str]) -> str:
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_one_process_for_all_needs_the_secret_of_the_suite(tmp_path: Path) -> None:
    _, entry = new_key({"bob"})
    (tmp_path / "keys").write_text(entry.line())
    settings = {**os.environ, "PARLEY_AUTH_KEYS": str(tmp_path / "keys"), "PARLEY_GATEWAY_DATA": str(tmp_path)}
    command = [sys.executable, "-m", "cli.suite.serving", "gateway", "timeline", "--port", "0"]
    process = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=60, check=False)
    assert process.returncode != 0
    assert "PARLEY_TRUST_SECRET: must be set" in process.stderr
