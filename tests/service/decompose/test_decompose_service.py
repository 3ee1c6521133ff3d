"""The stage over the wire: a real server on a port of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

import grpc
import pytest

from bench.suite import free_ports
from libs.contracts.stages.decompose import METHODS
from libs.contracts.usage import Stage
from libs.llm.by_model import ByModel
from libs.llm.client import open_chat_model
from libs.llm.settings import LlmSettings
from libs.runtime.errors import NotSupported
from libs.runtime.status import error_from_rpc
from libs.servicing.stage_service import stage_service
from parley.context.v1 import conversation_pb2, query_pb2
from parley.decompose.v1 import decompose_pb2, decompose_pb2_grpc
from services.decompose.decomposer import Decomposer
from services.decompose.prepare_llm import PROMPT, LlmPreparer
from services.decompose.stage import open_stage
from services.decompose.tasks import DecomposeTasks
from services.decompose.turn_analysis import DecomposeBounds
from services.decompose.words.domain import load_domain
from tests.fakes.prompts import DECOMPOSE
from tests.fakes.running_server import running
from tests.fakes.scripted_llm import ScriptedLlm
from tests.fakes.scripted_wording import ScriptedWording
from tests.service.serving import refused_fields, served

Stub: TypeAlias = "decompose_pb2_grpc.DecomposeServiceAsyncStub"  # a name of the stub file only


@pytest.fixture
async def stub() -> AsyncIterator[Stub]:
    async with served(open_stage()) as channel:
        yield decompose_pb2_grpc.DecomposeServiceStub(channel)


def view(*texts: str) -> conversation_pb2.ConversationView:
    """User and agent in turn."""
    speakers = (conversation_pb2.SPEAKER_USER, conversation_pb2.SPEAKER_AGENT)
    messages = [
        conversation_pb2.HistoryMessage(speaker=speakers[position % 2], text=text)
        for position, text in enumerate(texts)
    ]
    return conversation_pb2.ConversationView(messages=messages)


def ask(question: str, *history: str, strategy: str = "UNSPECIFIED") -> decompose_pb2.CondenseRequest:
    return decompose_pb2.CondenseRequest(
        question=question, view=view(*history), strategy=query_pb2.Strategy.Value(f"STRATEGY_{strategy}")
    )


BY_RULES = "What about damaged items (refund window)?"
REFUND = ("What's our refund window?", "Refunds are possible for 30 days.")


@asynccontextmanager
async def with_model(answer: str) -> AsyncIterator[Stub]:
    """The stage with a model that always answers so, and a tagger."""
    async with ScriptedLlm() as llm:
        llm.answer_with(lambda _: answer)
        async with open_chat_model(LlmSettings(base_url=llm.base_url), Stage.DECOMPOSE) as model:
            assert model is not None
            async with with_wording(LlmPreparer(model, DECOMPOSE.load(*PROMPT))) as stub:
                yield stub


@asynccontextmanager
async def with_wording(llm: LlmPreparer | None = None) -> AsyncIterator[Stub]:
    """The stage with a tagger that takes the refund window."""
    domain, wording = load_domain(language="en"), ScriptedWording(("refund window",))
    tasks = DecomposeTasks(ByModel(Decomposer(domain, DecomposeBounds(), llm, wording=wording)))
    async with (
        running(stage_service(METHODS, tasks)) as server,
        grpc.aio.insecure_channel(server.target) as channel,
    ):
        yield decompose_pb2_grpc.DecomposeServiceStub(channel)


@pytest.mark.parametrize(("strategy", "searched"), [("LADDER", BY_RULES), ("LAST_TURN", "What about damaged items?")])
async def test_a_strategy_decides_what_is_searched_and_not_what_stands_alone(strategy: str, searched: str) -> None:
    async with with_wording() as stub:
        record = (await stub.Condense(ask("What about damaged items?", *REFUND, strategy=strategy))).record
    assert record.query.text == searched
    assert not record.query.terms
    assert record.standalone == BY_RULES


async def test_where_nobody_embeds_it_says_so_and_the_whole_history_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_DECOMPOSE_INFERENCE", f"127.0.0.1:{free_ports(1)}")
    monkeypatch.setattr("services.decompose.stage.EMBED_SECONDS", 0.5)
    async with served(open_stage()) as channel:
        stub = decompose_pb2_grpc.DecomposeServiceStub(channel)
        response = await stub.Condense(ask("What about damaged items?", *REFUND, strategy="MMR"))
    assert [term.term for term in response.record.query.terms] == ["What's our refund window?"]
    assert [degraded.reason for degraded in response.degraded] == ["STAGE_UNAVAILABLE"] * 2  # for words, for vectors


async def test_the_strategy_llm_is_refused_without_a_model(stub: Stub) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as rpc_error:
        await stub.Condense(ask("What about damaged items?", strategy="LLM"))
    error = error_from_rpc(rpc_error.value)
    assert isinstance(error, NotSupported)
    assert error.reason == "NOT_IMPLEMENTED"


async def test_a_blank_question_is_refused_with_its_field(stub: Stub) -> None:
    assert await refused_fields(stub.Condense(ask("  "))) == {"question"}


async def test_in_steps_the_rules_record_comes_while_the_model_is_asked_and_the_result_is_the_same() -> None:
    request = ask("What about damaged items?", *REFUND, strategy="WEIGHTED")
    in_steps = decompose_pb2.CondenseInStepsRequest(condense=request)
    async with with_model(f'{{"standalone": "{BY_RULES}"}}') as stub:
        steps = [step async for step in stub.CondenseInSteps(in_steps)]
        whole = await stub.Condense(request)
    assert [step.WhichOneof("step") for step in steps] == ["by_rules", "result"]
    assert steps[0].by_rules.query == steps[1].result.record.query
    assert steps[1].result.record == whole.record


async def test_a_request_names_its_model_or_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ScriptedLlm() as llm:
        llm.answer_with(lambda _: '{"standalone": "refund policy for damaged items"}')
        for name, value in {"BASE_URL": llm.base_url, "MODEL": "small", "MODELS": '["large"]'}.items():
            monkeypatch.setenv(f"PARLEY_LLM_{name}", value)
        async with served(open_stage()) as channel:
            stub = decompose_pb2_grpc.DecomposeServiceStub(channel)
            request = ask("What about damaged items?", *REFUND, strategy="LADDER")
            models = []
            for model in ("", "large", "rules"):
                request.model = model
                record = (await stub.Condense(request)).record
                models.append((record.engine, [each.body["model"] for each in llm.requests]))
                llm.forget()
                llm.answer_with(lambda _: '{"standalone": "refund policy for damaged items"}')
    assert models == [("llm", ["small"]), ("llm", ["large"]), ("rules", [])]


async def test_a_model_that_is_not_offered_is_refused_with_its_field(stub: Stub) -> None:
    assert await refused_fields(
        stub.Condense(decompose_pb2.CondenseRequest(question="What about damaged items?", model="huge"))
    ) == {"model"}
