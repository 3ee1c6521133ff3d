"""Two engines for a task: the language model where there is one, the rules where it fails; and which one it was."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from libs.llm.errors import LlmError, LlmTooSlow
from libs.llm.messages import Delta
from libs.runtime.deadline import budget
from libs.runtime.errors import FailedPrecondition

EngineChoice = Literal["auto", "llm", "rules"]
EngineUsed = Literal["llm", "rules"]
T = TypeVar("T")

RESERVE_SECONDS = 0.5
"""Kept back from the call's deadline for the rules, which take milliseconds, and for what comes after them."""


@dataclass(frozen=True, slots=True)
class Chosen(Generic[T]):
    """A result and who made it."""

    result: T
    engine: EngineUsed
    reason: str | None = None
    """Why the rules had to step in, a name of the contract's ErrorReason, to be said as degraded; None: they didn't."""


async def with_fallback(
    llm_call: Callable[[], Awaitable[T]] | None,
    rules_call: Callable[[], Awaitable[T]],
    *,
    engine: EngineChoice = "auto",
    seconds: float | None = None,
    reserve_seconds: float = RESERVE_SECONDS,
) -> Chosen[T]:
    """Do a task with the language model, or with the rules when it is down, too slow, or of no use.

    Args:
        llm_call: asks the model; None: none is configured.
        rules_call: does the task without one.
        engine: `auto` falls back, `llm` fails where the model fails, `rules` never asks it.
        seconds: most time the model may take here, besides its own settings and the call's deadline.
        reserve_seconds: how much of the call's deadline is kept for the rules.

    Raises:
        FailedPrecondition: `engine` is `llm` and none is configured.
        LlmError: `engine` is `llm` and the model failed.
    """
    if engine == "llm" and llm_call is None:
        raise FailedPrecondition("ENGINE_UNAVAILABLE", "This task wants a language model, and none is configured.")
    if engine == "rules" or llm_call is None:
        return Chosen(await rules_call(), "rules")
    try:
        return Chosen(await _in_time(llm_call, budget(seconds, 0.0 if engine == "llm" else reserve_seconds)), "llm")
    except LlmError as error:
        if engine == "llm":
            raise
        return Chosen(await rules_call(), "rules", error.reason)


async def started(deltas: AsyncGenerator[Delta, None]) -> AsyncGenerator[Delta, None]:
    """Wait for the first piece of a stream and give back the whole stream.

    For `with_fallback`: a model that fails before its first word is replaced by the rules before anything was shown.
    What fails later is the caller's to say. Close the result as you would the stream.
    """
    try:
        first = await anext(deltas)
    except BaseException:
        await deltas.aclose()
        raise
    return _continued(first, deltas)


async def _continued(first: Delta, deltas: AsyncGenerator[Delta, None]) -> AsyncGenerator[Delta, None]:
    try:
        yield first
        async for delta in deltas:
            yield delta
    finally:
        await deltas.aclose()


async def _in_time(call: Callable[[], Awaitable[T]], seconds: float | None) -> T:
    try:
        async with asyncio.timeout(seconds) as limit:
            return await call()
    except TimeoutError as error:
        if limit.expired():
            raise LlmTooSlow from error
        raise
