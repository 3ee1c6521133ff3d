"""The answer stage behind a real port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from parley.answer.v1 import answer_pb2_grpc
from services.answer.stage import open_stage
from tests.fakes.scripted_llm import ScriptedLlm
from tests.service.answer.steps_reading import Stub
from tests.service.serving import served


@asynccontextmanager
async def answering() -> AsyncIterator[Stub]:
    """A warm stage with the settings of the environment, and a client of it."""
    async with served(open_stage()) as channel:
        yield answer_pb2_grpc.AnswerServiceStub(channel)


@pytest.fixture
async def stub() -> AsyncIterator[Stub]:
    """The stage without a language model."""
    async with answering() as stub:
        yield stub


@pytest.fixture
async def llm(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ScriptedLlm]:
    """A language model that says what a test tells it to, for the stages that are opened after it."""
    async with ScriptedLlm() as llm:
        monkeypatch.setenv("PARLEY_LLM_BASE_URL", llm.base_url)
        monkeypatch.setenv("PARLEY_LLM_RETRIES", "0")
        yield llm


@pytest.fixture
async def writer(llm: ScriptedLlm) -> AsyncIterator[Stub]:
    """The stage with that model."""
    async with answering() as stub:
        yield stub
