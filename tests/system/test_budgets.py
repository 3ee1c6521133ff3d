"""Budgets of whole turns with a language model that has a price: what is left goes from stage to stage, what was taken
stands in the usage, and what comes to its limit says so."""

import json
from collections.abc import Iterator

import pytest

from parley.answer.v1 import answer_pb2
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import event_pb2
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.system.door import one
from tests.system.language_model.lighthouse import FOLLOW_UP, HISTORY, LIGHTHOUSE, STANDALONE
from tests.system.model_turns import Asker, Turn, asking_about

pytestmark = pytest.mark.xdist_group("budgets")

WRITTEN = "The tower of the lighthouse of Harrow Point is 42 metres high [1]."
PRICE = {"input": 2.0, "output": 10.0}
SETTINGS = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_LLM_TIMEOUT_SECONDS": "20",
    "PARLEY_LLM_RETRIES": "0",
    "PARLEY_LLM_PRICES": json.dumps({"scripted-1": PRICE}),
    "PARLEY_INTENT_ENGINE": "rules",
    "PARLEY_GATEWAY_STAGE_SECONDS": "30",
}


@pytest.fixture(scope="module")
def asker(server: ScriptedLlm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    folder = tmp_path_factory.mktemp("budgets")
    settings = SETTINGS | {"PARLEY_LLM_BASE_URL": server.base_url}
    with asking_about(folder, {"lighthouse.md": LIGHTHOUSE}, settings, processes=2) as asker:
        yield asker


@pytest.fixture
def llm(llm: ScriptedLlm) -> ScriptedLlm:
    llm.answer_with(by_task)
    return llm


def by_task(request: LlmRequest) -> str:
    properties = (request.schema or {}).get("properties", {})
    if "standalone" in properties:
        return json.dumps({"standalone": STANDALONE})
    return WRITTEN


def follow_up(asker: Asker, **budget: float) -> Turn:
    request = asker.request(FOLLOW_UP, *HISTORY)
    request.options.budget.MergeFrom(answer_pb2.Budget(**budget))  # type: ignore[arg-type]
    return Turn([response.event for response in asker.gateway.Ask(request, timeout=60)])


def usage(turn: Turn) -> event_pb2.UsageEvent:
    return one(list(turn.events), "usage").usage


def test_usage_has_tokens_and_cost_by_task_by_part_and_in_total(asker: Asker, llm: ScriptedLlm) -> None:
    turn = follow_up(asker)
    report = usage(turn)
    assert turn.degraded == []
    assert {"condense", "write"} <= set(turn.usage)
    for task in turn.usage.values():
        expected = (task.input_tokens * PRICE["input"] + task.output_tokens * PRICE["output"]) / 1e6
        assert task.cost_usd == pytest.approx(expected)
        assert task.cost_usd > 0
        assert task.usage_source == usage_pb2.USAGE_SOURCE_PROVIDER
        assert task.cost_source == usage_pb2.COST_SOURCE_PRICE_TABLE
    assert report.answering.input_tokens == turn.usage["write"].input_tokens
    assert report.answering.cost_usd == pytest.approx(turn.usage["write"].cost_usd)
    rewriting = [task for task in turn.usage.values() if task.stage == usage_pb2.STAGE_DECOMPOSE]
    assert report.rewriting.input_tokens == sum(task.input_tokens for task in rewriting)
    assert report.rewriting.cost_source == report.answering.cost_source == usage_pb2.COST_SOURCE_PRICE_TABLE
    assert report.input_tokens == sum(task.input_tokens for task in turn.usage.values())
    assert report.output_tokens == sum(task.output_tokens for task in turn.usage.values())
    assert report.cost_usd == pytest.approx(sum(task.cost_usd for task in turn.usage.values()))


def test_the_writer_gets_what_the_rewriting_left(asker: Asker, llm: ScriptedLlm) -> None:
    turn = follow_up(asker, max_tokens=1600)
    writing = next(request for request in llm.requests if request.writes)
    rewriting = usage(turn).rewriting
    assert rewriting.input_tokens > 100
    assert writing.body["max_tokens"] < 1600 - rewriting.input_tokens - rewriting.output_tokens
    assert turn.degraded == []


@pytest.mark.parametrize("limit", [{"max_tokens": 300}, {"max_cost_usd": 0.0003}, {"max_cost_usd": 1e-7}])
def test_used_up_before_writing_the_answer_is_quoted(asker: Asker, llm: ScriptedLlm, limit: dict[str, float]) -> None:
    turn = follow_up(asker, **limit)
    assert ("ANSWER", "BUDGET_EXHAUSTED") in turn.degraded
    assert not any(request.writes for request in llm.requests)
    assert turn.outcome == "OUTCOME_ANSWERED"
    assert "42 metres" in turn.text
    assert turn.verdicts[:1] == ["VERIFIED"]
    assert usage(turn).rewriting.input_tokens > 0


def test_a_budget_used_up_during_writing_keeps_the_sentences_that_are_complete(asker: Asker, llm: ScriptedLlm) -> None:
    llm.stream([f"{WRITTEN} ", "It ", *["also "] * 60], delay=0.1, when=lambda request: request.writes)
    turn = follow_up(asker, max_seconds=3.0)
    assert turn.degraded == [("ANSWER", "BUDGET_EXHAUSTED")]
    assert turn.text == "The tower of the lighthouse of Harrow Point is 42 metres high.[1]"
    assert turn.verdicts == ["VERIFIED", "WITHDRAWN"]
    assert turn.usage["write"].usage_source == usage_pb2.USAGE_SOURCE_ESTIMATED
    assert turn.usage["write"].output_tokens > 10


def test_time_that_ran_out_before_leaves_none_for_the_model(asker: Asker, llm: ScriptedLlm) -> None:
    llm.slow(1.5, json.dumps({"standalone": STANDALONE}), when=lambda request: "standalone" in str(request.schema))
    turn = follow_up(asker, max_seconds=1.0)
    assert ("ANSWER", "BUDGET_EXHAUSTED") in turn.degraded
    assert not any(request.writes for request in llm.requests)
    assert "42 metres" in turn.text
