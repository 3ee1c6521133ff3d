"""Extracting, verifying and recommending by a language model: what it returns is checked against the passages."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from libs.contracts.answers import Verdict
from libs.contracts.options import Budget
from libs.contracts.stages.answer import ExtractRequest, RecommendRequest, VerifyRequest
from services.answer.stage import open_stage
from tests.conformance.engine_contracts import EVIDENCE, PASSAGE, QUESTION, TEXT, VIEW
from tests.fakes.scripted_llm import ScriptedLlm

BURNED = "It burned down on 3 June 1901."
QUOTE = "burned down on 3 June 1901"


@pytest.fixture
async def llm(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ScriptedLlm]:
    async with ScriptedLlm() as llm:
        monkeypatch.setenv("PARLEY_LLM_BASE_URL", llm.base_url)
        for task in ("EXTRACT", "VERIFY", "RECOMMEND"):
            monkeypatch.setenv(f"PARLEY_ANSWER_{task}_ENGINE", "auto")
        yield llm


@pytest.fixture
async def answer(llm: ScriptedLlm) -> AsyncIterator[Any]:
    async with open_stage() as stage:
        yield stage.tasks


class TestExtract:
    async def test_the_answer_is_located_in_its_passage(self, answer: Any, llm: ScriptedLlm) -> None:
        llm.reply(json.dumps({"item": 1, "answer": "3  june 1901"}))
        response = await answer.extract(ExtractRequest(QUESTION, EVIDENCE))
        assert response.answer == "3 June 1901"
        assert response.source.span.of(TEXT) == "3 June 1901"
        assert [(usage.task, usage.output_tokens > 0) for usage in response.usage] == [("extract", True)]

    async def test_words_that_the_passage_lacks_are_asked_for_again_and_then_left_to_the_rules(
        self, answer: Any, llm: ScriptedLlm
    ) -> None:
        llm.answer_with(lambda _: json.dumps({"item": 1, "answer": "4 July 1999"}))
        response = await answer.extract(ExtractRequest(QUESTION, EVIDENCE))
        assert response.answer == "3 June 1901"
        assert [report.reason for report in response.degraded] == ["LLM_UNUSABLE"]
        assert len(llm.requests) == 2

    async def test_an_empty_answer_is_none(self, answer: Any, llm: ScriptedLlm) -> None:
        llm.reply(json.dumps({"item": 0, "answer": ""}))
        assert (await answer.extract(ExtractRequest("Who built the mill?", EVIDENCE))).answer is None

    @pytest.mark.parametrize("budget", [Budget(max_tokens=50), Budget(max_cost_usd=0.01)])
    async def test_with_a_limit_on_cost_the_rules_extract(self, answer: Any, llm: ScriptedLlm, budget: Budget) -> None:
        response = await answer.extract(ExtractRequest(QUESTION, EVIDENCE, budget))
        assert response.answer == "3 June 1901"
        assert not llm.requests


class TestVerify:
    async def _verdict(self, answer: Any, llm: ScriptedLlm, sentence: str, support: str, quote: str) -> Verdict:
        verdict = {"sentence": 1, "support": support, "item": 1 if quote else 0, "quote": quote}
        llm.reply(json.dumps({"verdicts": [verdict]}))
        response = await answer.verify(VerifyRequest((sentence,), (PASSAGE,)))
        assert [usage.task for usage in response.usage] == ["verify"]
        result: Verdict = response.citations[0].verdict
        return result

    async def test_a_verbatim_sentence_is_not_shown_to_the_model(self, answer: Any, llm: ScriptedLlm) -> None:
        response = await answer.verify(VerifyRequest((BURNED,), (PASSAGE,)))
        assert response.citations[0].verdict is Verdict.VERIFIED
        assert not llm.requests

    async def test_what_the_model_finds_contradicted_is_withdrawn(self, answer: Any, llm: ScriptedLlm) -> None:
        sentence = "The old mill was built in May 1849 by monks."
        assert await self._verdict(answer, llm, sentence, "contradicted", "built in May 1849") is Verdict.WITHDRAWN

    async def test_what_the_rules_withdraw_is_at_most_weak(self, answer: Any, llm: ScriptedLlm) -> None:
        sentence = "The old mill burned down on 3 June 1902."
        assert await self._verdict(answer, llm, sentence, "supported", QUOTE) is Verdict.WEAK

    @pytest.mark.parametrize("quote", ["", "burned down on 3 June 1902"])
    async def test_without_its_words_no_verdict_is_raised(self, answer: Any, llm: ScriptedLlm, quote: str) -> None:
        sentence = "The old mill burned down on 3 June 1902."
        assert await self._verdict(answer, llm, sentence, "supported", quote) is Verdict.WITHDRAWN

    async def test_a_sentence_left_out_is_left_to_the_rules(self, answer: Any, llm: ScriptedLlm) -> None:
        llm.answer_with(lambda _: json.dumps({"verdicts": []}))
        response = await answer.verify(VerifyRequest(("The old mill burned down on 3 June 1902.",), (PASSAGE,)))
        assert response.citations[0].verdict is Verdict.WITHDRAWN
        assert [report.reason for report in response.degraded] == ["LLM_UNUSABLE"]


class TestRecommend:
    async def test_the_models_new_questions_come_first(self, answer: Any, llm: ScriptedLlm) -> None:
        questions = ["When was the old mill built?", "When did the new mill open?", "When did the new mill open?"]
        llm.reply(json.dumps({"questions": questions}))
        response = await answer.recommend(RecommendRequest(QUESTION, EVIDENCE, VIEW))
        assert response.questions[0] == "When did the new mill open?"
        assert "When was the old mill built?" not in response.questions
        assert [usage.task for usage in response.usage] == ["recommend"]

    async def test_a_model_that_is_down_is_replaced_by_the_rules(self, answer: Any, llm: ScriptedLlm) -> None:
        await llm.stop()
        response = await answer.recommend(RecommendRequest(QUESTION, EVIDENCE, VIEW))
        assert response.questions
        assert [report.reason for report in response.degraded] == ["LLM_UNAVAILABLE"]
