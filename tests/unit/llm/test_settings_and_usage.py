"""What is set for which task, how usage is estimated, added up and limited, and the usage of a failed call."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.usage import CostSource, Stage, Usage, UsageSource, tokens_of
from libs.llm.errors import BudgetUsedUp, LlmUnusable
from libs.llm.settings import LlmSettings, Price, TaskSettings
from libs.llm.tally import INPUT, OUTPUT, attach_usage, usage_of_failure
from libs.llm.usage import Meter, TokenCount, estimate_tokens, output_allowance, total_usage
from libs.runtime.errors import ParleyError, Unavailable
from libs.runtime.settings import SettingsError
from libs.runtime.status import error_from_status, status_of


@pytest.mark.parametrize("key", ["…", "two\nlines", "käse"])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("PARLEY_LLM_API_KEY", key)
    with pytest.raises(SettingsError, match=r"PARLEY_LLM_API_KEY.*printable ASCII") as refusal:
        LlmSettings.load()
    assert key not in str(refusal.value)
    monkeypatch.setenv("PARLEY_LLM_API_KEY", "secret")
    monkeypatch.setenv("PARLEY_LLM_TASKS", json.dumps({"judge": {"api_key": key}}))
    with pytest.raises(SettingsError, match="printable ASCII"):
        LlmSettings.load()


def test_without_an_endpoint_nothing_is_configured() -> None:
    assert not LlmSettings(tasks={"judge": TaskSettings(model="strict")}).is_configured()


def test_a_request_may_name_the_configured_models_the_further_ones_and_the_rules() -> None:
    tasks = {"judge": TaskSettings(model="strict"), "write": TaskSettings(timeout_seconds=9)}
    settings = LlmSettings(base_url="http://127.0.0.1:1/v1", model="small", models=("large",), tasks=tasks)
    assert settings.offered == {"small", "strict", "large", "rules"}
    assert LlmSettings(models=("large",)).offered == {"rules"}


def test_a_named_model_does_every_task_at_its_own_endpoint() -> None:
    settings = LlmSettings(tasks={"judge": TaskSettings(model="strict", base_url="http://127.0.0.1:1/v1")})
    large_model = settings.named("large")
    assert [large_model.of_task(task).model for task in ("judge", "write")] == ["large", "large"]
    assert large_model.of_task("judge").base_url == "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("four", 1), ("fives", 2), ("月面着陸", 4), ("月 moon", 3)])
def test_tokens_are_estimated_by_characters(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text(max_size=50), st.text(max_size=50))
def test_a_longer_text_is_never_estimated_shorter(text: str, more: str) -> None:
    assert estimate_tokens(text) <= estimate_tokens(text + more) <= estimate_tokens(text) + estimate_tokens(more)


def test_usages_add_up_to_one_no_surer_than_the_least_sure() -> None:
    meter = Meter(Stage.ANSWER, {})
    count = meter.measure("write", "small", 10.0, TokenCount(5, 2), UsageSource.PROVIDER)
    estimate = meter.measure("write", "small", 20.0, TokenCount(9, 9), UsageSource.ESTIMATED)
    assert total_usage([count, estimate]) == Usage(
        stage=Stage.ANSWER,
        task="write",
        milliseconds=30.0,
        input_tokens=14,
        output_tokens=11,
        usage_source=UsageSource.ESTIMATED,
        cost_source=CostSource.UNKNOWN,
        model="small",
    )


PRICE = Price(input=1.0, output=4.0)


@pytest.mark.parametrize(
    ("token_count", "max_tokens", "max_cost_usd", "left"),
    [
        (500, 0, 0.0, None),
        (500, 800, 0.0, 300),
        (500, 400, 0.0, -100),
        (500, 0, 0.0009, 100),  # 500 tokens read cost .0005, each one written .000004
        (500, 0, 0.0001, -1),
        (500, 560, 0.0009, 60),
        (500, 10_000, 0.0009, 100),
    ],
)
def test_tokens_and_dollars_are_those_of_question_and_answer_together(
    token_count: int, max_tokens: int, max_cost_usd: float, left: int | None
) -> None:
    assert output_allowance(token_count, max_tokens, max_cost_usd, PRICE) == left


def test_what_costs_nothing_is_not_limited_by_its_cost() -> None:
    assert output_allowance(500, 600, 0.01, Price(input=0, output=0)) == 100


def test_a_limited_cost_wants_a_price() -> None:
    with pytest.raises(BudgetUsedUp, match="price"):
        output_allowance(500, 0, 0.01, None)
    assert output_allowance(500, 600, 0.0, None) == 100


ANSWERS = [Usage(Stage.INTENT, "understand", input_tokens=300, output_tokens=20)] * 2


def told(error: ParleyError) -> tuple[Usage, ...]:
    return usage_of_failure(error, Stage.INTENT, "understand")


def test_the_status_of_the_call_carries_it() -> None:
    error = LlmUnusable()
    error.metadata = {"model": "scripted-1"}
    attach_usage(error, ANSWERS)
    rebuilt = error_from_status(status_of(error).SerializeToString())
    assert tokens_of(told(rebuilt)) == 640
    assert rebuilt.metadata["model"] == "scripted-1"


def test_without_an_answer_nothing_is_told() -> None:
    error = LlmUnusable()
    attach_usage(error, [])
    assert (error.metadata, told(error)) == ({}, ())


@pytest.mark.parametrize("text", ["", "-5", "many", "1e9", "²"])
def test_what_is_no_count_counts_nothing(text: str) -> None:
    error = Unavailable("LLM_UNUSABLE", "No.")
    error.metadata = {INPUT: text, OUTPUT: text}
    assert told(error) == ()
