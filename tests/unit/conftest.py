"""A language model that says what a test tells it to."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.scripted_llm import ScriptedLlm


@pytest.fixture
async def llm() -> AsyncIterator[ScriptedLlm]:
    async with ScriptedLlm() as server:
        yield server
