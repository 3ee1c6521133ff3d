"""A question through a gateway, with models of the suite and of the caller."""

import pytest

from parley.client.evaluation import (
    Gateway,
    aprocess_rewriter_query,
    aquery_for_evaluation,
    process_rewriter_query,
    query_for_evaluation,
)
from parley.context.v1 import query_pb2, session_pb2, usage_pb2
from parley.gateway.v1 import gateway_pb2
from tests.unit.client.callers import QUESTION, Model, asked_of, rewriter
from tests.unit.client.scripted_gateway import DUG, LANDED, ScriptedGateway

PROVIDER = usage_pb2.USAGE_SOURCE_PROVIDER
PRICED = usage_pb2.COST_SOURCE_PRICE_TABLE


def used(
    stage: usage_pb2.Stage.ValueType, tokens_in: int, tokens_out: int, cost: float, model: str = "m"
) -> usage_pb2.Usage:
    return usage_pb2.Usage(
        stage=stage,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cost_usd=cost,
        model=model,
        usage_source=PROVIDER,
        cost_source=PRICED,
    )


def test_a_row_has_question_answer_contexts_documents_and_how_they_came_about(gateway: Gateway) -> None:
    row = query_for_evaluation(QUESTION, gateway=gateway)
    assert (row["question"], row["answer"], row["contexts"]) == (
        QUESTION,
        "It landed on 25 May 2008.[1]",
        [LANDED, DUG],
    )
    assert [document["passage_id"] for document in row["source_documents"]] == ["p1", "p2"]
    metadata = row["metadata"]
    assert metadata.pop("execution_time") > 0  # type: ignore[misc]  # a required key, which the rest is compared without
    assert metadata == {
        "num_contexts": 2,
        "retrieval_method": "multi_query_rewrite",
        "rewrite_count": 1,
        "rewritten_queries": [QUESTION],
        "rewrite_labels": ["High"],
        "llm_model": "rules",
        "rewriter_model": "rules",
        "provider": "parley",
        "model_id": "rules",
        "rewriter_provider": "parley",
        "rewriter_model_id": "rules",
        "input_tokens": 0,
        "output_tokens": 0,
        "tokens_used": 0,
        "total_cost": 0.0,
        "usage_source": "NONE",
        "cost_source": "NONE",
        "outcome": "ANSWERED",
        "abstain_score": 0.25,
        "verdicts": {"verified": 1, "weak": 0, "withdrawn": 0},
        "degraded": [],
    }


def test_a_turn_is_asked_by_several_wordings_and_acted_on_without_asking_back(
    gateway: Gateway, scripted: ScriptedGateway
) -> None:
    query_for_evaluation(QUESTION, "large", "small", gateway=gateway)
    options = asked_of(scripted)
    assert (options.rewriter_model, options.answer_model, options.collection) == ("large", "small", "missions")
    assert (options.strategy, options.plan) == (query_pb2.STRATEGY_MULTI_QUERY, gateway_pb2.PLAN_OFF)
    assert options.ask_back == options.reject == gateway_pb2.ACT_RECORD_ONLY
    assert options.abstain == gateway_pb2.ACT_UNSPECIFIED
    assert options.depth.evidence == 8
    assert scripted.principals == ["ada"]


def test_models_of_the_suite_are_named_and_what_each_took_is_told(gateway: Gateway, scripted: ScriptedGateway) -> None:
    scripted.engine = "llm"
    scripted.usage = [
        used(usage_pb2.STAGE_DECOMPOSE, 30, 9, 0.25, "large"),
        used(usage_pb2.STAGE_INTENT, 5, 1, 0.125, "tiny"),
        used(usage_pb2.STAGE_ANSWER, 100, 20, 1.0, "small"),
    ]
    metadata = query_for_evaluation(QUESTION, gateway=gateway)["metadata"]
    assert (metadata["provider"], metadata["model_id"]) == ("openai-compatible", "small")
    assert (metadata["rewriter_provider"], metadata["rewriter_model_id"]) == ("openai-compatible", "large")
    assert (metadata["llm_model"], metadata["rewriter_model"]) == ("small", "large")
    assert process_rewriter_query(QUESTION, gateway=gateway)["metrics"] == {
        "rewrite_input_tokens": 30,
        "rewrite_output_tokens": 9,
        "rewrite_cost": 0.25,
        "answer_input_tokens": 100,
        "answer_output_tokens": 20,
        "answer_cost": 1.0,
        "total_input_tokens": 135,
        "total_output_tokens": 30,
        "total_cost": 1.375,
        "usage_source": "PROVIDER",
        "cost_source": "PRICE_TABLE",
    }


def test_a_model_of_the_suite_that_was_replaced_by_the_rules_is_not_said_to_have_written(
    gateway: Gateway, scripted: ScriptedGateway
) -> None:
    scripted.usage = [used(usage_pb2.STAGE_ANSWER, 100, 20, 1.0, "small")]
    scripted.degraded = [usage_pb2.Degraded(stage=usage_pb2.STAGE_ANSWER, reason="LLM_UNUSABLE", effect="Quoted.")]
    metadata = query_for_evaluation(QUESTION, answer_model="small", gateway=gateway)["metadata"]
    assert (metadata["llm_model"], metadata["provider"], metadata["model_id"]) == ("small", "parley", "rules")
    assert metadata["degraded"] == [{"stage": "ANSWER", "reason": "LLM_UNUSABLE", "effect": "Quoted."}]
    assert metadata["tokens_used"] == 120


class TestTheCallersRewriter:
    def test_takes_precedence_is_named_and_its_three_wordings_are_searched(
        self, gateway: Gateway, scripted: ScriptedGateway
    ) -> None:
        result = process_rewriter_query(QUESTION, rewriter(), rewriter_model="large", gateway=gateway)
        wordings = ["When did the lander Phoenix land on Mars?", "When did Phoenix touch down?", QUESTION]
        assert result["rewritten_queries"] == wordings
        assert list(asked_of(scripted).wordings) == wordings
        assert (asked_of(scripted).rewriter_model, asked_of(scripted).answer_model) == ("rules", "")
        metrics = result["metrics"]
        assert (metrics["rewrite_input_tokens"], metrics["rewrite_output_tokens"], metrics["rewrite_cost"]) == (
            30,
            6,
            1.5,
        )
        assert (metrics["answer_input_tokens"], metrics["total_input_tokens"]) == (0, 30)
        assert (metrics["usage_source"], metrics["cost_source"]) == ("PROVIDER", "PRICE_TABLE")
        metadata = query_for_evaluation(QUESTION, "large", custom_rewriter_llm=rewriter(), gateway=gateway)["metadata"]
        assert (metadata["rewriter_provider"], metadata["rewriter_model"]) == ("mine", "mine-1")
        assert (metadata["llm_model"], metadata["provider"]) == ("rules", "parley")


class TestTheCallersWriter:
    def test_takes_precedence_and_is_checked(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        wrote = "Phoenix landed on 25 May 2008 [1]. It carried 12 cameras [2].\n\nThe arm of Phoenix found ice [7]."
        model = Model([wrote], cost=None)
        row = query_for_evaluation(QUESTION, answer_model="large", custom_answer_llm=model, gateway=gateway)
        assert row["answer"] == "Phoenix landed on 25 May 2008.[1]\n\nThe arm of Phoenix found ice.[2]"
        assert row["metadata"]["verdicts"] == {"verified": 2, "weak": 0, "withdrawn": 1}
        assert (row["metadata"]["provider"], row["metadata"]["model_id"]) == ("mine", "mine-1")
        assert (row["metadata"]["tokens_used"], row["metadata"]["cost_source"]) == (12, "UNKNOWN")
        assert asked_of(scripted).answer_model == "rules"

    def test_sees_the_passages_as_numbered_data_that_cannot_end_itself(self, gateway: Gateway) -> None:
        model = Model(["Phoenix landed on 25 May 2008 [1]."])
        query_for_evaluation(QUESTION, custom_answer_llm=model, gateway=gateway)
        (prompt,) = model.asked
        block = prompt.partition("<data>\n")[2].partition("\n</data>")
        assert block[0] == (
            f"--- DOCUMENT 1 (Relevance: High) ---\nSource: d1\nContent: {LANDED}\n\n"
            f"--- DOCUMENT 2 (Relevance: High) ---\nSource: d2\nContent: {DUG.replace('<', '‹')}"
        )
        assert block[2] == f"\n\nQuestion: {QUESTION}"

    @pytest.mark.parametrize(("wrote", "withdrawals"), [("Phoenix landed on 3 June 1999 [1].", 1), ("", 0), ("[1]", 0)])
    def test_is_replaced_by_quotes_where_nothing_holds_and_it_is_said(
        self, gateway: Gateway, wrote: str, withdrawals: int
    ) -> None:
        row = query_for_evaluation(QUESTION, custom_answer_llm=Model([wrote]), gateway=gateway)
        assert row["answer"] == "It landed on 25 May 2008.[1]"
        assert (row["metadata"]["llm_model"], row["metadata"]["model_id"]) == ("mine-1", "rules")
        assert [degradation["reason"] for degradation in row["metadata"]["degraded"]] == ["LLM_UNUSABLE"]
        assert row["metadata"]["verdicts"] == {"verified": 1, "weak": 0, "withdrawn": withdrawals}
        assert row["metadata"]["tokens_used"] == 12

    def test_is_not_asked_where_the_suite_abstains(self, gateway: Gateway, scripted: ScriptedGateway) -> None:
        scripted.outcome, scripted.text = session_pb2.OUTCOME_ABSTAINED, "The documents do not say."
        model = Model([])
        row = query_for_evaluation(QUESTION, custom_answer_llm=model, gateway=gateway)
        assert (row["answer"], row["metadata"]["outcome"]) == ("The documents do not say.", "ABSTAINED")
        assert model.asked == []

    def test_raises_what_it_raises(self, gateway: Gateway) -> None:
        with pytest.raises(IndexError):
            query_for_evaluation(QUESTION, custom_answer_llm=Model([]), gateway=gateway)


async def test_the_asynchronous_twins_give_the_same(gateway: Gateway) -> None:
    row = await aquery_for_evaluation(QUESTION, gateway=gateway)
    result = await aprocess_rewriter_query(QUESTION, max_final_docs=3, gateway=gateway)
    assert row["answer"] == result["answer"] == "It landed on 25 May 2008.[1]"


def test_the_suite_is_that_of_the_environment(
    gateway: Gateway, scripted: ScriptedGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLEY_CLIENT_ADDRESS", gateway.address)
    process_rewriter_query(QUESTION, max_final_docs=3)
    assert asked_of(scripted).depth.evidence == 3
    monkeypatch.delenv("PARLEY_CLIENT_ADDRESS")
    assert Gateway().address == "127.0.0.1:50051"


@pytest.mark.parametrize("count", [0, 151])
def test_a_number_of_documents_out_of_range_is_refused(gateway: Gateway, count: int) -> None:
    with pytest.raises(ValueError, match="max_final_docs"):
        process_rewriter_query(QUESTION, max_final_docs=count, gateway=gateway)


def test_what_is_no_model_is_refused_before_asking(gateway: Gateway, scripted: ScriptedGateway) -> None:
    with pytest.raises(TypeError):
        query_for_evaluation(QUESTION, custom_answer_llm="gpt", gateway=gateway)
    assert scripted.asked == []
