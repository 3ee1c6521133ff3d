"""Extracting by a language model: what it returns is checked against the passages."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from libs.contracts.options import Budget
from libs.contracts.stages.answer import ExtractRequest
from services.answer.stage import open_stage
from tests.conformance.engine_contracts import EVIDENCE, QUESTION, TEXT
from tests.fakes.scripted_llm import ScriptedLlm


@pytest.fixture
async def llm(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ScriptedLlm]:
    async with ScriptedLlm() as llm:
        monkeypatch.setenv("PARLEY_LLM_BASE_URL", llm.base_url)
        monkeypatch.setenv("PARLEY_ANSWER_EXTRACT_ENGINE", "auto")
        yield llm


@pytest.fixture
async def answer(llm: ScriptedLlm) -> AsyncIterator[Any]:
    async with open_stage() as stage:
        yield stage.tasks


async def test_the_answer_is_located_in_its_passage(answer: Any, llm: ScriptedLlm) -> None:
    llm.reply(json.dumps({"item": 1, "answer": "3  june 1901"}))
    response = await answer.extract(ExtractRequest(QUESTION, EVIDENCE))
    assert response.answer == "3 June 1901"
    assert response.source.span.of(TEXT) == "3 June 1901"
    assert [(usage.task, usage.output_tokens > 0) for usage in response.usage] == [("extract", True)]


async def test_words_that_the_passage_lacks_are_asked_for_again_and_then_left_to_the_rules(
    answer: Any, llm: ScriptedLlm
) -> None:
    llm.answer_with(lambda _: json.dumps({"item": 1, "answer": "4 July 1999"}))
    response = await answer.extract(ExtractRequest(QUESTION, EVIDENCE))
    assert response.answer == "3 June 1901"
    assert [report.reason for report in response.degraded] == ["LLM_UNUSABLE"]
    assert len(llm.requests) == 2


async def test_an_empty_answer_is_none(answer: Any, llm: ScriptedLlm) -> None:
    llm.reply(json.dumps({"item": 0, "answer": ""}))
    assert (await answer.extract(ExtractRequest("Who built the mill?", EVIDENCE))).answer is None


@pytest.mark.parametrize("budget", [Budget(max_tokens=50), Budget(max_cost_usd=0.01)])
async def test_with_a_limit_on_cost_the_rules_extract(answer: Any, llm: ScriptedLlm, budget: Budget) -> None:
    response = await answer.extract(ExtractRequest(QUESTION, EVIDENCE, budget))
    assert response.answer == "3 June 1901"
    assert not llm.requests
