"""Runs a task with the language model, if configured, or with the rules if it fails; reports which one was used."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from libs.contracts.usage import Usage
from libs.llm.errors import LlmError, LlmTooSlow
from libs.llm.tally import attach_usage
from libs.runtime.deadline import budget, enforced
from libs.runtime.errors import FailedPrecondition

EngineChoice = Literal["auto", "llm", "rules"]
EngineUsed = Literal["llm", "rules"]
T = TypeVar("T")

RESERVE_SECONDS = 0.5
"""Seconds of the call's deadline reserved for the rules, which take milliseconds, and for the steps after them
(taste)."""


@dataclass(frozen=True, slots=True)
class EngineResult(Generic[T]):
    """A result and the engine that produced it."""

    result: T
    engine: EngineUsed
    reason: str | None = None
    """Why the rules replaced the model, a name of the contract's ErrorReason, to report as degraded; else None."""


async def with_fallback(
    llm_call: Callable[[], Awaitable[T]] | None,
    rules_call: Callable[[], Awaitable[T]],
    *,
    engine: EngineChoice = "auto",
    seconds: float | None = None,
    used: Sequence[Usage] = (),
) -> EngineResult[T]:
    """Do a task with the language model, or with the rules if it is down, too slow, or its answer is unusable.

    Args:
        llm_call: does the task with the model; None: no model is configured.
        rules_call: does the task without a model.
        engine: `auto` falls back, `llm` fails if the model fails, `rules` never calls it.
        seconds: further time limit for the model, besides its own settings and the call's deadline.
        used: holds the usage of the model's answers, also of unusable ones, when the call ends; a failure carries it.

    Raises:
        FailedPrecondition: `engine` is `llm` and no model is configured.
        LlmError: `engine` is `llm` and the model failed.
    """
    if engine == "llm" and llm_call is None:
        raise FailedPrecondition(
            "ENGINE_UNAVAILABLE",
            "The task needs a language model: set PARLEY_LLM_BASE_URL, or let the engine `auto` or `rules` do it.",
        )
    if engine == "rules" or llm_call is None:
        return EngineResult(await rules_call(), "rules")
    try:
        reserve = 0.0 if engine == "llm" else RESERVE_SECONDS
        async with enforced(budget(seconds, reserve), LlmTooSlow):
            return EngineResult(await llm_call(), "llm")
    except LlmError as error:
        if engine == "llm":
            attach_usage(error, used)
            raise
        return EngineResult(await rules_call(), "rules", error.reason)


async def known(result: T) -> T:
    """Return a result that is there already; the `rules_call` of a task that the rules have done."""
    return result
