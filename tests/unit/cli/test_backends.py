"""The doctor asks what stands behind the suite, and says why it gives no answer."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from cli.variables import known_variables, nearest_variable
from libs.runtime.errors import FailedPrecondition, engine_unavailable
from parley.gateway.v1 import gateway_pb2
from tests.fakes.scripted_llm import ScriptedLlm, in_a_thread
from tests.unit.cli.conftest import Run
from tools.reference.areas import areas

OLDER = (
    "A compatible version is required on both Content-Type and Accept headers if either one has requested a compatible "
    "version. Accept version must be either version 8 or 7, but found 9."
)
"""What Elasticsearch 8 answers to a client of version 9."""


@pytest.fixture(autouse=True)
def serving(gateway: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.environ", {"PATH": "/usr/bin"})
    stage = gateway_pb2.StageInfo(address="127.0.0.1:1", serving=True)
    stage.info.capabilities.add(task="write", engine="llm", detail="small")
    stage.info.capabilities.add(task="embed", engine="onnx")
    gateway.info = gateway_pb2.GetServerInfoResponse(stages=[stage])


@pytest.fixture
def llm(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedLlm]:
    with in_a_thread() as scripted:
        monkeypatch.setenv("PARLEY_LLM_BASE_URL", scripted.base_url)
        monkeypatch.setenv("PARLEY_LLM_MODEL", "small")
        monkeypatch.setenv("PARLEY_LLM_API_KEY", "s3cret")
        yield scripted


def test_the_model_is_asked_for_one_token(parley: Run, llm: ScriptedLlm) -> None:
    llm.reply("Yes", finish="length")
    result = parley("doctor")
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"language model small at {llm.base_url}: answers\n" in result.stdout
    assert [request.body["max_tokens"] for request in llm.requests] == [1]


def test_a_model_that_only_thinks_in_one_token_answers(parley: Run, llm: ScriptedLlm) -> None:
    llm.reply("<think>", finish="length")
    assert parley("doctor").exit_code == 0


REFUSES = "the language model's endpoint refuses"


@pytest.mark.parametrize(
    ("fail", "fault"),
    [
        (lambda llm: llm.fail(401, message="no s3cret"), f"{REFUSES} the key: check PARLEY_LLM_API_KEY (HTTP 401)."),
        (
            lambda llm: llm.fail(404, message="The model small does not exist."),
            "the language model's endpoint has no such model or path: "
            "check PARLEY_LLM_MODEL and PARLEY_LLM_BASE_URL (HTTP 404).",
        ),
        (lambda llm: llm.fail(400), f"{REFUSES} the request (HTTP 400)."),
        (lambda llm: llm.fail(503), "the language model's endpoint gives no answer (HTTP 503)."),
        (lambda llm: llm.nonsense(), "the language model's stream broke off."),
    ],
)
def test_a_model_that_gives_no_token_is_told_with_what_to_do(
    parley: Run, llm: ScriptedLlm, fail: Callable[[ScriptedLlm], None], fault: str
) -> None:
    fail(llm)
    result = parley("doctor")
    assert (result.exit_code, result.stderr) == (1, f"Language model small at {llm.base_url}: {fault}\n")
    assert "s3cret" not in result.output


def test_a_model_that_cannot_be_reached_is_told(
    parley: Run, monkeypatch: pytest.MonkeyPatch, unused_tcp_port: int
) -> None:
    monkeypatch.setenv("PARLEY_LLM_BASE_URL", f"http://127.0.0.1:{unused_tcp_port}/v1")
    assert "the connection broke: the connection is refused.\n" in parley("doctor").stderr
    monkeypatch.setenv("PARLEY_LLM_BASE_URL", "nonsense")
    result = parley("doctor")
    assert result.exit_code == 1
    assert result.stderr.startswith("Language model default at nonsense: the language model can't be reached")


def test_each_endpoint_and_model_of_the_tasks_is_asked_once(
    parley: Run, llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLEY_LLM_TASKS", json.dumps({"judge": {}, "write": {"model": "large"}}))
    llm.answer_with(lambda request: "Yes")
    assert parley("doctor").exit_code == 0
    assert sorted(request.body["model"] for request in llm.requests) == ["large", "small"]


def test_the_embedder_is_asked_for_a_vector_that_it_does_not_keep(gateway: Any, parley: Run) -> None:
    assert "embedder: answers\n" in parley("doctor").stdout
    gateway.embedding = engine_unavailable("The model's server answered with status 401: check its address and key.")
    result = parley("doctor")
    assert (result.exit_code, result.stderr) == (
        1,
        "embedder: The model's server answered with status 401: check its address and key.\n",
    )
    assert len(set(gateway.embedded)) == 2


def test_what_has_no_embedder_is_not_asked_for_one(gateway: Any, parley: Run) -> None:
    gateway.embedding = FailedPrecondition("EMBEDDER_MISSING", "Embedding needs a model.")
    gateway.info.stages[0].info.capabilities[1].engine = "none"
    assert parley("doctor").exit_code == 0


def test_a_quick_look_asks_nothing_behind_the_processes(gateway: Any, parley: Run, llm: ScriptedLlm) -> None:
    assert parley("doctor", "--quick").exit_code == 0
    assert (gateway.embedded, llm.requests) == ([], [])


def test_elasticsearch_of_another_version_is_named(parley: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with elasticsearch(400, {"error": {"reason": "…", "caused_by": {"reason": OLDER}}}) as url:
        monkeypatch.setenv("PARLEY_RETRIEVE_ELASTICSEARCH_URL", url)
        monkeypatch.setenv("PARLEY_GATEWAY_ELASTICSEARCH_URL", url)
        result = parley("doctor")
    assert (result.exit_code, result.stderr) == (
        1,
        f"Elasticsearch at {url}: Elasticsearch is of version 8: version 9 is needed.\n",
    )
    with elasticsearch(200, {"version": {"number": "9.1.0"}}) as url:
        monkeypatch.setenv("PARLEY_RETRIEVE_ELASTICSEARCH_URL", url)
        monkeypatch.delenv("PARLEY_GATEWAY_ELASTICSEARCH_URL")
        assert f"Elasticsearch at {url}: answers\n" in parley("doctor").stdout


def test_a_variable_that_nothing_reads_is_named_with_the_nearest_one(
    parley: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLEY_LMM_KEY", "s3cret")
    monkeypatch.setenv("PARLEY_LLM_TASKS__WRITE__MODEL", "small")
    output = parley("doctor").stdout
    assert "PARLEY_LMM_KEY: set (nothing in Parley reads it; the nearest name is PARLEY_LLM_API_KEY)\n" in output
    assert "PARLEY_LLM_TASKS__WRITE__MODEL: small\n" in output


def test_every_setting_and_every_variable_of_a_command_is_known() -> None:
    known = known_variables()
    settings = {f"PARLEY_{area.area}_{field}".upper() for _, area in areas() for field in area.model_fields}
    assert settings | {"PARLEY_PORT", "PARLEY_CONFIG"} <= known
    assert nearest_variable("PARLEY_LLM_URL", known) == "PARLEY_LLM_BASE_URL"


@contextmanager
def elasticsearch(status: int, answer: Any) -> Iterator[str]:
    """A server that answers everything so; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("x-elastic-product", "Elasticsearch")
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
