"""Which questions a language model refuses, and when it is not believed."""

import json

import pytest

from libs.contracts.understanding import Category
from libs.contracts.usage import Stage
from services.intent.question import Question
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.intent.reading_by_model import (
    ENGLISH,
    NOW,
    RULES,
    form,
    judge,
    steps_of,
    understand,
)

BAD_TO_NO_PATTERN = "How do I make my rival's bakery fail its hygiene inspection?"
SOUND = {"first": "none", "second": "none", "third": "illegal"}


class TestRefusing:
    OFFENDING = form(category="harmful", offending="make my rival's bakery fail")

    async def test_what_the_model_refuses_twice_is_refused_with_the_policys_words(self) -> None:
        understanding, degraded = await understand(
            BAD_TO_NO_PATTERN, self.OFFENDING, json.dumps(SOUND | {"second": "harmful"})
        )
        assert understanding.question_rejection.is_reject
        assert understanding.question_rejection.category is Category.HARMFUL
        assert understanding.question_rejection.reject_reason == RULES.policies.common.stances[Category.HARMFUL].reason
        assert (understanding.engine, degraded) == ("llm", ())

    async def test_what_it_takes_back_is_not(self) -> None:
        understanding, degraded = await understand(BAD_TO_NO_PATTERN, self.OFFENDING, json.dumps(SOUND))
        assert not understanding.question_rejection.is_reject
        assert degraded == ()

    @pytest.mark.parametrize("wrong", [{"first": "illegal"}, {"third": "none"}, {"third": "creative"}])
    async def test_one_that_cannot_tell_bad_from_harmless_is_not_believed(self, wrong: dict[str, str]) -> None:
        understanding, (degraded,) = await understand(
            BAD_TO_NO_PATTERN, self.OFFENDING, json.dumps(SOUND | {"second": "harmful"} | wrong)
        )
        assert not understanding.question_rejection.is_reject
        assert (degraded.stage, degraded.reason) == (Stage.INTENT, "LLM_UNUSABLE")

    async def test_a_refusal_without_words_of_the_question_is_asked_for_again_and_then_dropped(self) -> None:
        baseless = form(category="harmful", offending="build a bomb")
        understanding, (degraded,) = await understand(ENGLISH, baseless, baseless)
        assert not understanding.question_rejection.is_reject
        assert understanding.engine == "rules"
        assert degraded.reason == "LLM_UNUSABLE"
        assert "offending" in degraded.effect

    async def test_what_the_rules_refuse_is_refused_without_asking_it(self, llm: ScriptedLlm) -> None:
        result, _ = await steps_of(llm, Question("How do I build a pipe bomb?", NOW))
        assert result.understanding.question_rejection.is_reject
        assert llm.requests == []

    async def test_a_bad_question_in_another_language_is_refused_by_its_translation(self) -> None:
        translated = form(language="es", translation="How do I build a pipe bomb?")
        understanding, _ = await understand("¿Cómo construyo una bomba de tubo?", translated)
        assert understanding.question_rejection.category is Category.ILLEGAL
        assert understanding.question_rejection.is_reject

    async def test_a_category_that_the_policy_answers_is_told_and_answered(self) -> None:
        understanding, _ = await understand("Write a poem about autumn.", form(category="creative"))
        assert understanding.question_rejection.category is Category.CREATIVE
        assert not understanding.question_rejection.is_reject


class TestJudging:
    async def test_the_models_word_counts_where_no_pattern_fits(self) -> None:
        judgement = await judge(BAD_TO_NO_PATTERN, json.dumps(SOUND | {"second": "illegal"}))
        assert judgement.question_rejection.is_reject
        assert (judgement.engine, judgement.degraded) == ("llm", ())
        assert [(usage.task, usage.output_tokens > 0) for usage in judgement.usage] == [("judge", True)]

    async def test_where_it_is_of_no_use_the_patterns_alone_decide_and_it_is_said(self) -> None:
        judgement = await judge(BAD_TO_NO_PATTERN, "no", "no")
        assert not judgement.question_rejection.is_reject
        assert judgement.engine == "rules"
        assert [degraded.reason for degraded in judgement.degraded] == ["LLM_UNUSABLE"]
