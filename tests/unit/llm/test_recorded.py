"""Answers in the shapes that common servers give them: each is the same text, usage and end."""

from contextlib import aclosing
from pathlib import Path

import pytest

from libs.contracts.usage import UsageSource
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.llm.asking import QUESTION, complete, model_at

RECORDED = Path(__file__).parent / "recorded"
SERVERS = ("azure", "litellm", "llama_cpp", "ollama", "openai", "vllm")
UNPARSED = "llama_cpp_unparsed"
"""llama.cpp with `--reasoning-format none`, its template's prompt ending with `<think>`."""
TEXT, COUNTED = "In July 1969.", (21, 5, UsageSource.PROVIDER)


def recorded(name: str) -> str:
    return (RECORDED / name).read_bytes().decode()


def test_each_server_is_recorded_in_both_ways() -> None:
    servers = (*SERVERS, UNPARSED)
    assert {path.name for path in RECORDED.iterdir()} == {f"{s}.{way}" for s in servers for way in ("json", "sse")}


@pytest.mark.parametrize("server", [*SERVERS, UNPARSED])
async def test_a_whole_answer_of(llm: ScriptedLlm, server: str) -> None:
    llm.nonsense(recorded(f"{server}.json"), content_type="application/json; charset=utf-8")
    async with model_at(llm) as model:
        answer = await complete(model)
    usage = answer.usage
    assert (answer.text, answer.truncated) == (TEXT, False)
    assert (usage.input_tokens, usage.output_tokens, usage.usage_source) == COUNTED


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("is_whole", [True, False], ids=["whole", "without its end mark"])
async def test_a_streamed_answer_of(llm: ScriptedLlm, server: str, is_whole: bool) -> None:
    """Nothing of what a model thinks is shown on the way."""
    body = recorded(f"{server}.sse")
    content = body if is_whole else body[: body.index("data: [DONE]")]
    llm.nonsense(content, content_type="text/event-stream; charset=utf-8")
    async with model_at(llm) as model, aclosing(model.stream(QUESTION, task="write")) as stream:
        deltas = [delta async for delta in stream]
    usage = deltas[-1].usage
    assert usage is not None
    assert all(TEXT.startswith("".join(delta.text for delta in deltas[:end])) for end in range(len(deltas)))
    assert ("".join(delta.text for delta in deltas), deltas[-1].truncated) == (TEXT, False)
    assert (usage.input_tokens, usage.output_tokens, usage.usage_source) == COUNTED


async def test_a_stream_whose_prompt_has_opened_a_thought_once_that_is_known(llm: ScriptedLlm) -> None:
    llm.nonsense(recorded(f"{UNPARSED}.json"), content_type="application/json")
    llm.nonsense(recorded(f"{UNPARSED}.sse"), content_type="text/event-stream")
    async with model_at(llm) as model:
        await complete(model)
        async with aclosing(model.stream(QUESTION, task="write")) as stream:
            deltas = [delta async for delta in stream]
    usage = deltas[-1].usage
    assert usage is not None
    assert "".join(delta.text for delta in deltas) == TEXT
    assert (usage.input_tokens, usage.output_tokens, usage.usage_source) == COUNTED
