"""Models whose prompt has opened a thought (DeepSeek-R1's templates): only its closing tag comes, and what stands
before it is no answer. The first answer shows that, a form without loss; from then on the thoughts are held back."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import pytest

from libs.contracts.usage import UsageSource
from libs.llm.errors import LlmUnusable
from libs.llm.messages import ChatModel, Message
from libs.llm.structured import complete_form
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.unit.llm.asking import QUESTION, complete, model_at
from tests.unit.llm.test_capabilities import NO_SYSTEM

THOUGHT = "Apollo 11 landed in July.\n</think>\n\nIn July 1969."
PIECES = ["Apollo 11 ", "landed.\n", "</th", "ink>", "\n\n", "In ", "July 1969."]
ANSWER = "In July 1969."
MERGED = "\n\n".join(message.content for message in QUESTION)
DRAFTED = ['Perhaps {"verdict": "no"}?', " No.\n", "</think>\n\n", '{"verdict": "yes"}']
APART = 0.05
"""Seconds between pieces, so that each is read by itself."""


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: str


async def shown(model: ChatModel, task: str = "write", piece_texts: list[str] | None = None) -> Sequence[str]:
    """The texts of a stream that has some; in `told` also where it fails."""
    texts = [] if piece_texts is None else piece_texts
    async with aclosing(model.stream(QUESTION, task=task)) as deltas:
        async for delta in deltas:
            texts.extend(filter(None, [delta.text]))
    return texts


async def show_form(model: ChatModel) -> None:
    """Let the model fill in a form, whose thoughts are seen before anything is told."""
    assert (await complete(model, schema={"type": "object", "properties": {}})).text == ANSWER


async def judged(model: ChatModel, forms: list[dict[str, Any]]) -> Judgement:
    """A form, its early fields put into `seen`."""
    form, _ = await complete_form(
        model, QUESTION, Judgement, task="judge", watch=lambda fields: forms.append(dict(fields)), mend=False
    )
    return form


async def test_a_form_shows_it_and_answers_are_held_back_from_then_on(llm: ScriptedLlm) -> None:
    for _ in range(2):
        llm.stream(PIECES, delay=APART)
    async with model_at(llm) as model:
        await show_form(model)
        assert await shown(model) == ["In ", "July 1969."]
    assert len(llm.requests) == 2


async def test_a_stream_that_shows_it_late_is_refused_counted_and_the_next_held_back(llm: ScriptedLlm) -> None:
    texts: list[str] = []
    for _ in range(2):
        llm.stream(PIECES, delay=APART)
    async with model_at(llm) as model:
        with pytest.raises(LlmUnusable, match="thoughts") as error:
            await shown(model, piece_texts=texts)
        assert await shown(model) == ["In ", "July 1969."]
    assert texts == PIECES[:3]
    usage = error.value.usage
    assert usage is not None
    assert (usage.usage_source, usage.output_tokens > 0) == (UsageSource.ESTIMATED, True)
    assert len(llm.requests) == 2


async def test_a_stream_that_comes_at_once_is_read_as_a_whole_answer(llm: ScriptedLlm) -> None:
    event = '{"choices": [{"message": {"content": "Hm.</think>In July."}, "finish_reason": "stop"}]}'
    llm.nonsense(event, content_type="application/json")
    async with model_at(llm) as model:
        assert await shown(model) == ["In July."]


async def test_each_model_is_found_out_by_itself(llm: ScriptedLlm) -> None:
    llm.reply(THOUGHT)
    llm.stream(["In ", "July."], delay=APART)
    async with model_at(llm, tasks={"judge": {"model": "other"}}) as model:
        await show_form(model)
        assert await shown(model, "judge") == ["In ", "July."]


async def test_a_thought_that_never_ends_is_no_answer(llm: ScriptedLlm) -> None:
    llm.reply(THOUGHT)
    for _ in range(2):
        llm.reply("Apollo 11 landed in", finish="length")
    async with model_at(llm) as model:
        await show_form(model)
        for _ in range(2):  # a bound on tokens says nothing of the model
            with pytest.raises(LlmUnusable, match="empty answer"):
                await complete(model)


async def test_a_server_that_was_set_up_anew_costs_one_answer(llm: ScriptedLlm) -> None:
    texts: list[str] = []
    llm.reply(THOUGHT)
    for _ in range(2):
        llm.stream(["In ", "July."], delay=APART)
    async with model_at(llm) as model:
        await show_form(model)
        with pytest.raises(LlmUnusable, match="empty answer"):
            await shown(model, piece_texts=texts)
        assert await shown(model) == ["In ", "July."]
    assert texts == []


async def test_a_form_that_a_schema_leaves_no_thoughts_is_told_early_as_ever(llm: ScriptedLlm) -> None:
    forms: list[dict[str, Any]] = []
    llm.reply(THOUGHT)
    llm.stream(['{"verdict": "yes"', "}"])
    async with model_at(llm) as model:
        await show_form(model)
        assert await judged(model, forms) == Judgement("yes")
        llm.reply(THOUGHT)
        assert (await complete(model)).text == ANSWER
    assert forms == [{"verdict": "yes"}]


async def test_a_draft_among_thoughts_is_neither_told_early_nor_taken_for_the_form(llm: ScriptedLlm) -> None:
    llm.stream(DRAFTED, delay=APART)
    forms: list[dict[str, Any]] = []
    async with model_at(llm) as model:
        assert await judged(model, forms) == Judgement("yes")
    assert (forms, len(llm.requests)) == ([{"verdict": "yes"}], 1)


async def test_words_before_a_form_that_are_no_thought_are_kept(llm: ScriptedLlm) -> None:
    llm.stream(["Here it is: ", '{"verdict": "yes"}'], delay=APART)
    async with model_at(llm) as model:
        assert await judged(model, []) == Judgement("yes")


async def test_it_is_remembered_beside_what_a_refusal_teaches_at_the_same_time(llm: ScriptedLlm) -> None:
    merge = asyncio.Event()

    def is_merged(request: LlmRequest) -> bool:
        if request.prompt == MERGED:
            merge.set()
        return merge.is_set()

    llm.fail(400, message=NO_SYSTEM)
    llm.slow(0.3, "{}", when=is_merged)  # which shows nothing of thoughts
    llm.answer_with(lambda request: THOUGHT)
    async with model_at(llm) as model:
        first = asyncio.create_task(complete(model))
        await merge.wait()
        await complete(model, [Message("user", "When?")], schema={"type": "object"})
        await first
        assert "".join(await shown(model)) == ANSWER
    assert llm.requests[-1].prompt == MERGED
