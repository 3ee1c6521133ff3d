"""A language model that talks nonsense or is down leaves a question to the rules."""

import pytest

from libs.contracts.usage import Stage
from libs.llm.errors import LlmError
from libs.llm.tally import usage_of_failure
from libs.runtime.errors import FailedPrecondition
from services.intent.question import Question
from services.intent.understand import Understander
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.intent.reading_by_model import ENGLISH, NOW, RULES, form, steps_of, understand


class TestFailing:
    async def test_nonsense_is_mended_once(self) -> None:
        understanding, degraded = await understand(ENGLISH, "Sure! Here you are.", form())
        assert (understanding.engine, degraded) == ("llm", ())

    @pytest.mark.parametrize("nonsense", ["Sure!", "{}", '{"category": "weather"}', '{"category": ["none"]}', "[1]"])
    async def test_nonsense_twice_leaves_it_to_the_rules_and_says_so(self, nonsense: str) -> None:
        understanding, (degraded,) = await understand(ENGLISH, nonsense, nonsense)
        assert understanding == RULES.read(Question(ENGLISH, NOW))
        assert (degraded.stage, degraded.reason) == (Stage.INTENT, "LLM_UNUSABLE")

    async def test_what_its_useless_answers_took_is_counted(self, llm: ScriptedLlm) -> None:
        llm.reply("Sure!")
        llm.reply("Sure!")
        result, _ = await steps_of(llm, Question(ENGLISH, NOW))
        assert [usage.output_tokens for usage in result.usage] == [0, 1, 1]

    async def test_down_it_leaves_it_to_the_rules_and_says_so(self, llm: ScriptedLlm) -> None:
        llm.fail(503)
        result, (degraded,) = await steps_of(llm, Question(ENGLISH, NOW))
        assert result.understanding.engine == "rules"
        assert degraded.reason == "LLM_UNAVAILABLE"

    async def test_insisted_on_it_fails_with_the_model(self, llm: ScriptedLlm) -> None:
        llm.fail(503)
        with pytest.raises(LlmError):
            await steps_of(llm, Question(ENGLISH, NOW), engine="llm")

    async def test_insisted_on_it_tells_what_its_useless_answers_took(self, llm: ScriptedLlm) -> None:
        llm.reply("Sure!")
        llm.reply("Sure!")
        with pytest.raises(LlmError) as error:
            await steps_of(llm, Question(ENGLISH, NOW), engine="llm")
        (usage,) = usage_of_failure(error.value, Stage.INTENT, "understand")
        assert usage.output_tokens == 2
        assert usage.input_tokens > 2

    async def test_insisted_on_it_wants_a_model(self) -> None:
        with pytest.raises(FailedPrecondition):
            await Understander(RULES, None, "llm").judge(ENGLISH)

    async def test_by_rules_no_model_is_asked(self, llm: ScriptedLlm) -> None:
        result, degraded = await steps_of(llm, Question(ENGLISH, NOW), engine="rules")
        assert (result.understanding.engine, degraded, llm.requests) == ("rules", (), [])
