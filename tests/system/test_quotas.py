"""A whole suite with quotas: each caller has its own, a refusal tells the quota and when to come back."""

from collections.abc import Iterator

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from gateway.access.principals import PRINCIPAL_KEY
from libs.runtime.errors import ParleyError
from libs.runtime.status import error_from_rpc
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc, session_pb2, session_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.fakes.scripted_llm import ScriptedLlm, in_a_thread
from tests.system.door import one

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("quotas")]

NOTE = "Phoenix landed on Mars on 25 May 2008."
BYTES, TOKENS, REQUESTS = 2_000, 100, 30


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSuite]:
    with in_a_thread() as llm:
        llm.answer_with(lambda request: f"{NOTE} [1]" if request.writes else "{}")
        with running_suite(tmp_path_factory.mktemp("quotas") / "data", settings(llm), processes=1) as running:
            yield running


def settings(llm: ScriptedLlm) -> dict[str, str]:
    return {
        "PARLEY_LLM_MODEL": "scripted-1",
        "PARLEY_LLM_BASE_URL": llm.base_url,
        "PARLEY_INTENT_ENGINE": "rules",
        "PARLEY_DECOMPOSE_ENGINE": "rules",
        "PARLEY_DECOMPOSE_PLAN_ENGINE": "rules",
        "PARLEY_QUOTA_REQUESTS_PER_MINUTE": str(REQUESTS),
        "PARLEY_QUOTA_TOKENS_PER_DAY": str(TOKENS),
        "PARLEY_QUOTA_INGEST_BYTES_PER_DAY": str(BYTES),
    }


@pytest.fixture
def channel(suite: RunningSuite) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(suite.address) as opened:
        yield opened


def refusal(error: grpc.RpcError) -> tuple[grpc.StatusCode, str, str]:
    typed: ParleyError = error_from_rpc(error)
    return error.code(), typed.reason, typed.metadata.get("quota", "")


def put(channel: grpc.Channel, caller: str, document_id: str, text: str) -> None:
    document = corpus_pb2.Document(document_id=document_id, text=text)
    stub = corpus_pb2_grpc.CorpusServiceStub(channel)
    stub.PutDocument(corpus_pb2.PutDocumentRequest(document=document), metadata=((PRINCIPAL_KEY, caller),))


def test_bytes_of_documents(channel: grpc.Channel) -> None:
    put(channel, "ann", "small", NOTE)
    with pytest.raises(grpc.RpcError) as error:
        put(channel, "ann", "large", NOTE * (BYTES // len(NOTE)))
    assert refusal(error.value) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", "ingest_bytes_per_day")
    put(channel, "bob", "other", NOTE)


def test_tokens_of_models(channel: grpc.Channel) -> None:
    put(channel, "cid", "note", NOTE)
    stub, caller = gateway_pb2_grpc.GatewayServiceStub(channel), ((PRINCIPAL_KEY, "cid"),)
    request = gateway_pb2.AskRequest(question="When did Phoenix land on Mars?")
    events = [response.event for response in stub.Ask(request, metadata=caller)]
    tasks = one(events, "usage").usage.tasks
    assert sum(task.input_tokens + task.output_tokens for task in tasks) > TOKENS
    with pytest.raises(grpc.RpcError) as error:
        stub.AskOnce(gateway_pb2.AskOnceRequest(ask=request), metadata=caller)
    assert refusal(error.value) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", "tokens_per_day")
    assert stub.AskOnce(gateway_pb2.AskOnceRequest(ask=request), metadata=((PRINCIPAL_KEY, "dee"),)).turn.answer.text


def test_requests(channel: grpc.Channel) -> None:
    stub = session_pb2_grpc.SessionServiceStub(channel)

    def list_sessions(caller: str, times: int = 1) -> None:
        for _ in range(times):
            stub.ListSessions(session_pb2.ListSessionsRequest(), metadata=((PRINCIPAL_KEY, caller),))

    with pytest.raises(grpc.RpcError) as error:
        list_sessions("eve", 2 * REQUESTS + 1)  # a minute may end in between
    assert refusal(error.value) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", "requests_per_minute")
    list_sessions("fay")
