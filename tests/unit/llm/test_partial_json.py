"""The fields of a form are told while it is still being written."""

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.usage import Usage
from libs.language.characters import seen
from libs.llm.errors import LlmError, LlmUnusable
from libs.llm.messages import ChatModel, Message
from libs.llm.partial_json import ObjectReader, in_steps
from libs.llm.structured import complete_form
from tests.fakes.scripted_llm import ScriptedLlm

ASK = [Message("user", "Does it stand alone?")]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: str
    score: int
    words: str = ""


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=5), st.sampled_from(["", "```json\n"]), st.integers(1, 9))
def test_however_it_is_cut_each_field_is_told_once_complete(form: dict[str, Any], before: str, size: int) -> None:
    text, reader, counts = before + json.dumps(form), ObjectReader(), list[int]()
    for start in range(0, len(text), size):
        if reader.read(text[start : start + size]):
            counts.append(len(reader.fields))
    assert reader.fields == seen(form)
    assert list(reader.fields) == list(form)
    assert counts == sorted(set(counts))


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ('{"score": 1', {}),  # a number may go on
        ('{"score": 0.', {}),
        ('{"name", "score": 1}', {}),
        ('{"score": 1,', {"score": 1}),
        ('{"words": "a\\"b', {}),
        ('{"words": "a"}', {"words": "a"}),
        ('{"words": "a"} {"words": "b"}', {"words": "a"}),
        ("no object", {}),
        ('```json\n{"words": "a"}\n```', {"words": "a"}),
        ('Perhaps {"words": "a"}? No: {"words": "b"}', {}),  # it may be thinking aloud
        ("{words: 1, ", {}),
        ('{"words" 1, "score": 2}', {}),
        ("{" * 5000, {}),
    ],
)
def test_what_is_not_complete_or_no_json_is_not_told(text: str, fields: dict[str, Any]) -> None:
    reader = ObjectReader()
    for letter in text:
        reader.read(letter)
    assert reader.fields == fields


async def test_a_form_is_watched_while_it_is_written(llm: ScriptedLlm, model: ChatModel) -> None:
    llm.stream(['{"verdict"', ': "yes", "sc', 'ore": 7, "words": "many ', 'words"}'], delay=0.05)
    forms: list[list[str]] = []
    form, usage = await complete_form(
        model, ASK, Judgement, task="judge", watch=lambda fields: forms.append(list(fields))
    )
    assert form == Judgement("yes", 7, "many words")
    assert forms == [["verdict"], ["verdict", "score"], ["verdict", "score", "words"]]
    assert (usage.task, usage.output_tokens > 0) == ("judge", True)
    assert llm.requests[0].schema is not None
    assert llm.requests[0].streams


async def test_a_wrong_watched_form_is_mended_unless_unwanted(llm: ScriptedLlm, model: ChatModel) -> None:
    for _ in range(2):
        llm.reply('{"verdict": "yes"}')
        llm.reply('{"verdict": "yes", "score": 1}')
    form, _ = await complete_form(model, ASK, Judgement, task="judge", watch=lambda fields: None)
    assert form.score == 1
    with pytest.raises(LlmUnusable):
        await complete_form(model, ASK, Judgement, task="judge", watch=lambda fields: None, mend=False)
    assert len(llm.requests) == 3


async def test_a_form_that_breaks_off_has_told_what_came_and_is_counted(llm: ScriptedLlm, model: ChatModel) -> None:
    llm.cut_off(['{"verdict": "yes", ', '"score'])
    usages, forms = list[Usage](), list[dict[str, Any]]()
    with pytest.raises(LlmError):
        await complete_form(
            model.tallied(usages), ASK, Judgement, task="judge", watch=lambda fields: forms.append(dict(fields))
        )
    assert forms == [{"verdict": "yes"}]
    assert [usage.output_tokens > 0 for usage in usages] == [True]


async def test_the_error_of_work_comes_after_what_it_told() -> None:
    async def work(tell: Callable[[str], None]) -> int:
        tell("first")
        raise LlmUnusable

    forms: list[str | int] = []

    async def listen() -> None:
        async for step in in_steps(work):
            forms.append(step)

    with pytest.raises(LlmUnusable):
        await listen()
    assert forms == ["first"]


async def test_work_that_nobody_waits_for_is_cancelled() -> None:
    end = asyncio.Event()

    async def work(tell: Callable[[str], None]) -> int:
        tell("first")
        try:
            await asyncio.sleep(60)
        finally:
            end.set()
        return 3

    async with aclosing(in_steps(work)) as steps:
        assert await anext(steps) == "first"
    assert end.is_set()
