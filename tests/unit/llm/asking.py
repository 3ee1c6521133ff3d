"""A chat model at a scripted endpoint, and what it is asked."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from libs.contracts.usage import Stage, Usage
from libs.llm.client import open_chat_model
from libs.llm.messages import ChatModel, Message
from libs.llm.settings import LlmSettings
from tests.fakes.scripted_llm import ScriptedLlm

QUESTION = [Message("system", "Answer briefly."), Message("user", "When did Apollo 11 land?")]


@asynccontextmanager
async def model_at(llm: ScriptedLlm, **settings: Any) -> AsyncIterator[ChatModel]:
    values = {"base_url": llm.base_url, "model": "small", "retries": 0, **settings}
    async with open_chat_model(LlmSettings(**values), Stage.ANSWER) as model:
        assert model is not None
        yield model


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    usage: Usage
    truncated: bool


async def complete(
    model: ChatModel, messages: Sequence[Message] = QUESTION, task: str = "write", **options: Any
) -> Answer:
    """The whole answer of a stream."""
    async with aclosing(model.stream(messages, task=task, **options)) as stream:
        deltas = [delta async for delta in stream]
    assert deltas[-1].usage is not None
    return Answer("".join(delta.text for delta in deltas), deltas[-1].usage, deltas[-1].truncated)
