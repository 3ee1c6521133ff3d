"""The chat model against a scripted server that is down, slow, cut off or talks nonsense: what each failure becomes."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from inspect import isawaitable
from typing import Any

import pytest

from libs.llm.errors import LlmError, LlmTooSlow, LlmUnavailable, LlmUnusable
from libs.llm.messages import Delta
from libs.runtime.deadline import limited
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.llm.asking import QUESTION, complete, model_at


@pytest.mark.parametrize(
    ("status", "error"),
    [(500, LlmUnavailable), (503, LlmUnavailable), (429, LlmUnavailable), (401, LlmUnavailable), (400, LlmUnusable)],
)
async def test_an_http_error_has_its_type(llm: ScriptedLlm, status: int, error: type[LlmError]) -> None:
    llm.fail(status, retry_after=7)
    async with model_at(llm) as model:
        with pytest.raises(error, match=str(status)) as raised_error:
            await complete(model)
    assert "scripted" not in raised_error.value.message
    assert getattr(raised_error.value, "retry_after", None) == (7 if error is LlmUnavailable else None)


@pytest.mark.parametrize(
    ("endpoint", "timeout_seconds", "deadline", "error"),
    [
        (lambda llm: llm.stop(), 5, None, LlmUnavailable),
        (lambda llm: llm.cut_off(["In "]), 5, None, LlmUnavailable),
        (lambda llm: llm.slow(30), 0.1, None, LlmTooSlow),
        (lambda llm: llm.slow(30), 5, 0.1, LlmTooSlow),
    ],
    ids=["down", "cut off", "silent beyond the settings", "silent beyond the call's deadline"],
)
async def test_an_endpoint_that_does_not_answer_has_its_type(
    llm: ScriptedLlm, endpoint: Any, timeout_seconds: float, deadline: float | None, error: type[LlmError]
) -> None:
    async with model_at(llm, timeout_seconds=timeout_seconds) as model:
        if isawaitable(stopping := endpoint(llm)):
            await stopping
        with limited(deadline), pytest.raises(error):
            await complete(model)


async def test_a_stream_gives_what_came_before_it_was_cut_off(llm: ScriptedLlm) -> None:
    llm.cut_off(["In ", "July "])
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as deltas:
        came = (await anext(deltas)).text
        while came != "In July ":
            came += (await anext(deltas)).text
        with pytest.raises(LlmUnavailable):
            await anext(deltas)


async def _read_on(deltas: AsyncIterator[Delta], came: list[str]) -> None:
    async for delta in deltas:
        came.append(delta.text)


@pytest.mark.parametrize("broken_piece", ["{not json", "{},{}", '{"a": 1', ""])
async def test_what_came_with_a_broken_piece_and_before_is_not_lost(llm: ScriptedLlm, broken_piece: str) -> None:
    good = [f'{{"choices": [{{"delta": {{"content": "{text}"}}}}]}}' for text in ("In ", "July ", "1965")]
    events = [*good[:2], broken_piece, good[2]]
    llm.nonsense("".join(f"data: {event}\n\n" for event in events), content_type="text/event-stream")
    came: list[str] = []
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as deltas:
        with pytest.raises(LlmUnusable):
            await _read_on(deltas, came)
    assert "".join(came) == "In July "


async def test_a_stream_that_ends_before_it_is_finished_broke_off(llm: ScriptedLlm) -> None:
    event = '{"id":"x","object":"chat.completion.chunk","created":0,"model":"m","choices":'
    event += '[{"index":0,"delta":{"content":"In "},"finish_reason":null}]}'
    llm.nonsense(f"data: {event}\n\n", content_type="text/event-stream")
    async with model_at(llm) as model:
        with pytest.raises(LlmUnavailable, match="broke off"):
            await complete(model)


async def test_a_stream_that_dawdles_is_too_slow_as_a_whole(llm: ScriptedLlm) -> None:
    llm.stream(["word "] * 100, delay=0.02)
    async with model_at(llm, timeout_seconds=0.2) as model:
        with pytest.raises(LlmTooSlow):
            await complete(model)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>Welcome</html>", "text/html"),
        ("{not json", "application/json"),
        ("[]", "application/json"),
        ('{"choices": []}', "application/json"),
        ('{"choices": [{}]}', "application/json"),
        ("data: {not json\n\n", "text/event-stream"),
        ('data: "words"\n\n', "text/event-stream"),
    ],
)
async def test_no_chat_completion_is_a_typed_failure(llm: ScriptedLlm, body: str, content_type: str) -> None:
    llm.nonsense(body, content_type=content_type)
    async with model_at(llm) as model:
        with pytest.raises((LlmUnusable, LlmUnavailable)):
            await complete(model)


@pytest.mark.parametrize(("text", "finish"), [("", "stop"), ("  \n", "stop"), ("In July", "content_filter")])
async def test_an_empty_or_filtered_answer_is_unusable(llm: ScriptedLlm, text: str, finish: str) -> None:
    llm.reply(text, finish=finish)
    async with model_at(llm) as model:
        with pytest.raises(LlmUnusable):
            await complete(model)


async def test_a_task_without_an_endpoint_is_unavailable(llm: ScriptedLlm) -> None:
    async with model_at(llm, base_url=None, tasks={"judge": {"base_url": llm.base_url}}) as model:
        with pytest.raises(LlmUnavailable, match="configured"):
            await complete(model)
