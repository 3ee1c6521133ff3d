"""A chat model at a scripted endpoint, asked in both ways."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest

from libs.contracts.usage import Stage
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


async def complete(model: ChatModel) -> None:
    await model.complete(QUESTION, task="write")


async def stream(model: ChatModel) -> None:
    async with aclosing(model.stream(QUESTION, task="write")) as deltas:
        async for _ in deltas:
            pass


BOTH_WAYS = pytest.mark.parametrize("ask", [complete, stream])
