"""Whole turns with a language model that fails: the rules answer, and the turn says so."""

import pytest

from tests.fakes.scripted_llm import ScriptedLlm
from tests.system.language_model.lighthouse import (
    FOLLOW_UP,
    HEIGHT,
    HISTORY,
    LIT,
    LIT_ON,
    STANDALONE,
    answered_by_rules,
    condensing,
    standalone,
    writing,
)
from tests.system.model_turns import Asker

pytestmark = pytest.mark.xdist_group("language model")

NOTHING_SAID = {
    "nothing": "",
    "space": " \n ",
    "markers": "[1] [2] [1]",
    "a rule": "###",
    "pictures": "🙂" * 50,
    "assent": "Yes, it is so.",
    "filler": "lorem ipsum dolor sit amet " * 60,
    "an endless word": "a" * 20_000,
}
SLOW = 20.0


class TestItFails:
    """Down, slow, cut off or talking nonsense: the rules answer, and the turn says so."""

    def test_slow_at_condensing(self, asker: Asker, llm: ScriptedLlm) -> None:
        llm.slow(SLOW, standalone(STANDALONE), when=condensing)
        llm.reply(HEIGHT, when=writing)
        turn = asker.ask(FOLLOW_UP, *HISTORY)
        assert ("DECOMPOSE", "LLM_TOO_SLOW") in turn.degraded
        assert turn.record.engine == "rules"
        assert "took too long" in turn.record.reason
        assert "42 metres" in turn.text

    def test_slow_at_writing(self, asker: Asker, llm: ScriptedLlm) -> None:
        llm.slow(SLOW, LIT_ON, when=writing)
        turn = asker.ask(LIT)
        assert turn.degraded == [("ANSWER", "LLM_TOO_SLOW")]
        assert answered_by_rules(turn, "3 May 1871")

    def test_slow_in_the_middle_of_writing(self, asker: Asker, llm: ScriptedLlm) -> None:
        llm.stream([f"{LIT_ON} [1] Its ", *["tower "] * 50], delay=0.3, when=writing)
        turn = asker.ask(LIT)
        assert turn.degraded == [("ANSWER", "LLM_TOO_SLOW")]
        assert turn.verdicts == ["VERIFIED", "WITHDRAWN"]
        assert turn.text == f"{LIT_ON}[1]"

    def test_cut_off_in_the_middle_of_writing(self, asker: Asker, llm: ScriptedLlm) -> None:
        llm.cut_off([LIT_ON, " [1] ", "Its tower is"], when=writing)
        turn = asker.ask(LIT)
        assert turn.outcome == "OUTCOME_ANSWERED"
        assert turn.degraded == [("ANSWER", "LLM_UNAVAILABLE")]
        assert turn.verdicts == ["VERIFIED", "WITHDRAWN"]
        assert turn.text == f"{LIT_ON}[1]"

    def test_cut_off_before_its_first_sentence_is_whole(self, asker: Asker, llm: ScriptedLlm) -> None:
        llm.cut_off(["The lighthouse ", "was lit "], when=writing)
        turn = asker.ask(LIT)
        assert turn.degraded == [("ANSWER", "LLM_UNAVAILABLE")]
        assert answered_by_rules(turn, "3 May 1871")
        assert "was lit The" not in turn.text

    def test_cut_off_at_condensing(self, asker: Asker, llm: ScriptedLlm) -> None:
        llm.cut_off(when=condensing)
        llm.reply(HEIGHT, when=writing)
        turn = asker.ask(FOLLOW_UP, *HISTORY)
        assert turn.degraded == [("DECOMPOSE", "LLM_UNAVAILABLE")]
        assert "42 metres" in turn.text

    @pytest.mark.parametrize("status", [401, 429, 500, 503])
    def test_an_error_instead_of_an_answer(self, asker: Asker, llm: ScriptedLlm, status: int) -> None:
        llm.fail(status, when=condensing)
        llm.fail(status, when=writing)
        turn = asker.ask(FOLLOW_UP, *HISTORY)
        assert sorted(turn.degraded) == [("ANSWER", "LLM_UNAVAILABLE"), ("DECOMPOSE", "LLM_UNAVAILABLE")]
        assert turn.record.engine == "rules"
        assert answered_by_rules(turn, "42 metres")
        assert "scripted failure" not in str(turn.events)

    def test_a_request_that_it_refuses(self, asker: Asker, llm: ScriptedLlm) -> None:
        llm.fail(400, when=writing)
        turn = asker.ask(LIT)
        assert turn.degraded == [("ANSWER", "LLM_UNUSABLE")]
        assert answered_by_rules(turn, "3 May 1871")

    @pytest.mark.parametrize(
        "body", ["<html>Welcome</html>", '{"answer": 42}', '{"choices": []}', "[1, 2", '"standalone"', ""]
    )
    def test_nonsense_instead_of_a_chat_completion(self, asker: Asker, llm: ScriptedLlm, body: str) -> None:
        llm.nonsense(body, content_type="application/json", when=condensing)
        llm.nonsense(body, content_type="application/json", when=writing)
        turn = asker.ask(FOLLOW_UP, *HISTORY)
        assert sorted(stage for stage, _ in turn.degraded) == ["ANSWER", "DECOMPOSE"]
        assert {reason for _, reason in turn.degraded} <= {"LLM_UNUSABLE", "LLM_UNAVAILABLE"}
        assert answered_by_rules(turn, "42 metres")

    @pytest.mark.parametrize(
        "text", ["How high?", '{"question": "x"}', '{"standalone": 7}', "{" * 500, '{"standalone"']
    )
    def test_a_rewrite_in_no_form(self, asker: Asker, llm: ScriptedLlm, text: str) -> None:
        llm.reply(text, when=condensing)
        llm.reply(HEIGHT, when=writing)
        turn = asker.ask(FOLLOW_UP, *HISTORY)
        assert turn.degraded == [("DECOMPOSE", "LLM_UNUSABLE")]
        assert turn.record.engine == "rules"
        assert "42 metres" in turn.text

    @pytest.mark.parametrize("text", NOTHING_SAID.values(), ids=NOTHING_SAID)
    def test_a_text_that_says_nothing(self, asker: Asker, llm: ScriptedLlm, text: str) -> None:
        llm.reply(text, when=writing)
        turn = asker.ask(LIT)
        assert turn.degraded == [("ANSWER", "LLM_UNUSABLE")]
        assert answered_by_rules(turn, "3 May 1871")
        assert "lorem" not in turn.text

    def test_the_next_turn_is_written_by_it_again(self, asker: Asker, llm: ScriptedLlm) -> None:
        llm.fail(500, when=writing)
        assert asker.ask(LIT).degraded
        llm.reply("On 3 May 1871 the lighthouse of Harrow Point was lit [1].", when=writing)
        turn = asker.ask(LIT)
        assert turn.degraded == []
        assert turn.text.startswith("On 3 May 1871 the")
