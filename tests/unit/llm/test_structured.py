"""Structured answers: read, repaired once, or refused."""

from dataclasses import dataclass
from typing import Literal

import pytest

from libs.llm.errors import LlmUnusable
from libs.llm.messages import ChatModel, Message
from libs.llm.structured import complete_form
from tests.fakes.scripted_llm import ScriptedLlm

ASK = [Message("user", "Does it stand alone?")]


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: Literal["yes", "no"]
    score: int


async def test_words_and_fences_around_the_json_do_no_harm(llm: ScriptedLlm, model: ChatModel) -> None:
    llm.reply('Sure! Here it is:\n```json\n{"verdict": "no", "score": 5}\n```')
    judgement, _ = await complete_form(model, ASK, Judgement, task="judge")
    assert judgement == Judgement("no", 5)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ("I think so.", "must be a JSON object"),
        ('{"verdict": "yes", "score": }', "Invalid JSON"),
        ('{"verdict": "maybe", "score": 1}', "verdict: must be 'yes' or 'no'"),
        ('{"verdict": "yes"}', "score: Field required"),
    ],
)
async def test_a_wrong_answer_is_repaired_by_telling_what_is_wrong(
    llm: ScriptedLlm, model: ChatModel, wrong: str, complaint: str
) -> None:
    llm.reply(wrong)
    llm.reply('{"verdict": "yes", "score": 1}')
    judgement, usage = await complete_form(model, ASK, Judgement, task="judge")
    assert judgement == Judgement("yes", 1)
    _, repair = llm.requests
    assert [message["role"] for message in repair.messages] == ["user", "assistant", "user"]
    assert repair.messages[1]["content"] == wrong
    assert complaint in repair.messages[2]["content"]
    assert usage.input_tokens == sum(len(request.prompt.split()) for request in llm.requests)


async def test_what_is_wrong_beyond_the_types_is_repaired_too(llm: ScriptedLlm, model: ChatModel) -> None:
    llm.reply('{"verdict": "yes", "score": 7}')
    llm.reply('{"verdict": "yes", "score": 1}')
    judgement, _ = await complete_form(
        model, ASK, Judgement, task="judge", check=lambda j: None if j.score <= 1 else "score: must be at most 1"
    )
    assert judgement.score == 1
    assert "at most 1" in llm.requests[1].prompt


async def test_two_wrong_answers_are_unusable_and_there_is_no_third(llm: ScriptedLlm, model: ChatModel) -> None:
    llm.answer_with(lambda request: "I think so.")
    with pytest.raises(LlmUnusable):
        await complete_form(model, ASK, Judgement, task="judge")
    assert len(llm.requests) == 2
