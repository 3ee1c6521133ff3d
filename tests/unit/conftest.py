"""A language model that says what a test tells it to."""

from collections.abc import AsyncIterator

import pytest

from libs.llm.messages import ChatModel
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.llm.asking import model_at


@pytest.fixture
async def llm() -> AsyncIterator[ScriptedLlm]:
    async with ScriptedLlm() as server:
        yield server


@pytest.fixture
async def model(llm: ScriptedLlm) -> AsyncIterator[ChatModel]:
    async with model_at(llm) as chat_model:
        yield chat_model
