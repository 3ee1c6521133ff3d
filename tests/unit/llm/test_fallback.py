"""Two engines: which one answers, and why the rules had to."""

import asyncio

import pytest

from libs.llm.errors import LlmError, LlmTooSlow, LlmUnavailable, LlmUnusable
from libs.llm.fallback import RESERVE_SECONDS, EngineResult, with_fallback
from libs.runtime.deadline import limited
from libs.runtime.errors import FailedPrecondition


async def by_llm() -> str:
    return "by the model"


async def by_rules() -> str:
    return "by the rules"


async def never() -> str:
    await asyncio.sleep(60)
    return "too late"


async def test_auto_takes_the_model_where_there_is_one() -> None:
    assert await with_fallback(by_llm, by_rules) == EngineResult("by the model", "llm")


async def test_auto_takes_the_rules_where_there_is_none_and_nothing_is_degraded() -> None:
    assert await with_fallback(None, by_rules) == EngineResult("by the rules", "rules", None)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (LlmUnavailable(), "LLM_UNAVAILABLE"),
        (LlmTooSlow(), "LLM_TOO_SLOW"),
        (LlmUnusable(), "LLM_UNUSABLE"),
    ],
)
async def test_auto_falls_back_when_the_model_fails_and_tells_why(error: LlmError, reason: str) -> None:
    async def failing() -> str:
        raise error

    assert await with_fallback(failing, by_rules) == EngineResult("by the rules", "rules", reason)


async def test_auto_falls_back_in_time_for_the_deadline() -> None:
    with limited(RESERVE_SECONDS + 0.1):
        assert await with_fallback(never, by_rules) == EngineResult("by the rules", "rules", "LLM_TOO_SLOW")
    assert await with_fallback(never, by_rules, seconds=0.05) == EngineResult("by the rules", "rules", "LLM_TOO_SLOW")


async def test_rules_never_ask_the_model() -> None:
    assert await with_fallback(never, by_rules, engine="rules") == EngineResult("by the rules", "rules")


async def test_llm_alone_fails_as_the_model_fails() -> None:
    with pytest.raises(LlmTooSlow):
        await with_fallback(never, by_rules, engine="llm", seconds=0.05)
    with pytest.raises(FailedPrecondition):
        await with_fallback(None, by_rules, engine="llm")


async def test_a_fault_of_ours_is_not_hidden_by_the_rules() -> None:
    async def broken() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await with_fallback(broken, by_rules)
