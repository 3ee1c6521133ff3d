"""The chat model against a scripted server that fails; further failures: `tests/system/test_openai_wire.py`."""

import pytest

from libs.llm.errors import LlmTooSlow, LlmUnavailable
from libs.runtime.deadline import limited
from tests.fakes.scripted_llm import ScriptedLlm
from tests.unit.llm.asking import complete, model_at


async def test_an_endpoint_that_is_down_is_unavailable(llm: ScriptedLlm) -> None:
    async with model_at(llm) as model:
        await llm.stop()
        with pytest.raises(LlmUnavailable):
            await complete(model)


async def test_an_answer_beyond_the_call_s_deadline_is_too_slow(llm: ScriptedLlm) -> None:
    llm.slow(30)
    async with model_at(llm, timeout_seconds=5) as model:
        with limited(0.1), pytest.raises(LlmTooSlow):
            await complete(model)


async def test_a_task_without_an_endpoint_is_unavailable(llm: ScriptedLlm) -> None:
    async with model_at(llm, base_url=None, tasks={"judge": {"base_url": llm.base_url}}) as model:
        with pytest.raises(LlmUnavailable, match="configured"):
            await complete(model)
