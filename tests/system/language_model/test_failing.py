"""Whole turns with a language model that fails: the rules answer, and the turn says so.

What goes wrong at writing on the wire: `tests/system/test_openai_wire.py`.
"""

from collections.abc import Callable

import pytest

from tests.fakes.scripted_llm import ScriptedLlm
from tests.system.language_model.lighthouse import (
    FOLLOW_UP,
    HEIGHT,
    HISTORY,
    STANDALONE,
    answered_by_rules,
    condensing,
    standalone,
    writing,
)
from tests.system.model_turns import Asker

pytestmark = pytest.mark.xdist_group("language model")

SLOW = 20.0


Script = Callable[[ScriptedLlm], None]
CONDENSING: dict[str, tuple[Script, str]] = {
    "too slow": (lambda llm: llm.slow(SLOW, standalone(STANDALONE), when=condensing), "LLM_TOO_SLOW"),
    "overloaded": (lambda llm: llm.fail(503, when=condensing), "LLM_UNAVAILABLE"),
    "no form": (lambda llm: llm.reply("How high?", when=condensing), "LLM_UNUSABLE"),
}
"""What the model does when it condenses, and the reason that the turn states."""


@pytest.mark.parametrize("case", CONDENSING)
def test_without_the_model_the_question_is_condensed_by_rules(asker: Asker, llm: ScriptedLlm, case: str) -> None:
    script, reason = CONDENSING[case]
    script(llm)
    llm.reply(HEIGHT, when=writing)
    turn = asker.ask(FOLLOW_UP, *HISTORY)
    assert turn.degraded == [("DECOMPOSE", reason)]
    assert turn.record.engine == "rules"
    assert "42 metres" in turn.text


def test_a_model_that_is_down_leaves_the_whole_turn_to_the_rules(asker: Asker, llm: ScriptedLlm) -> None:
    llm.fail(500, when=condensing)
    llm.fail(500, when=writing)
    turn = asker.ask(FOLLOW_UP, *HISTORY)
    assert sorted(turn.degraded) == [("ANSWER", "LLM_UNAVAILABLE"), ("DECOMPOSE", "LLM_UNAVAILABLE")]
    assert answered_by_rules(turn, "42 metres")
    llm.reply(HEIGHT, when=writing)
    assert asker.ask("How high is the lighthouse of Harrow Point?").degraded == []
