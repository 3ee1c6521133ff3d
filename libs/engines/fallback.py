"""Calls an engine of another package, and the built-in one if it fails; what failed is logged and can be reported."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Final, TypeVar

import structlog

from libs.contracts.usage import Degraded, Stage
from libs.engines.catalog import Task
from libs.runtime.deadline import budget

REASON: Final = "ENGINE_UNAVAILABLE"
RESERVE_SECONDS: Final = 0.5
"""Seconds of the call's deadline that are kept for the built-in engine."""
T = TypeVar("T")


def failure(stage: Stage, task: Task) -> Degraded:
    """The report that the built-in engine did a task."""
    return Degraded(
        stage,
        REASON,
        f"The configured engine for the task {task} failed, see the log; the built-in engine replaced it.",
    )


async def call_or(
    own: Callable[[], Awaitable[T]], built_in: Callable[[], Awaitable[T]], task: Task
) -> tuple[T, str | None]:
    """Return the result of an engine, or the built-in engine's with the reason why.

    Raises:
        ParleyError: as the built-in engine.
    """
    try:
        async with asyncio.timeout(budget(None, RESERVE_SECONDS)):
            return await own(), None
    except Exception as error:
        _log(task, error)
        return await built_in(), REASON


async def stream_or(
    own: Callable[[], AsyncGenerator[T, None]],
    built_in: Callable[[], AsyncGenerator[T, None]],
    on_failure: Callable[[], T],
    task: Task,
) -> AsyncGenerator[T, None]:
    """Yield the steps of an engine, or if it fails before its first, a report and the built-in engine's.

    Raises:
        ParleyError: as the built-in engine.
        Exception: what the engine raises after its first step; by then its steps have been shown.
    """
    async with aclosing(own()) as steps:
        try:
            async with asyncio.timeout(budget(None, RESERVE_SECONDS)):
                first = await anext(steps)
        except Exception as error:
            _log(task, error)
        else:
            yield first
            async for step in steps:
                yield step
            return
    yield on_failure()
    async with aclosing(built_in()) as steps:
        async for step in steps:
            yield step


def _log(task: Task, error: Exception) -> None:
    structlog.get_logger().warning("engine_failed", task=task, error=type(error).__name__)
