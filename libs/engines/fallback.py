"""Calls an engine of another package (a plug-in), and the built-in one if it fails, which is logged and reported."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Final, TypeVar

import structlog

from libs.contracts.stages.answer import ExtractResponse, RecommendResponse, VerifyResponse
from libs.contracts.stages.decompose import Condensed
from libs.contracts.stages.intent import Judgement
from libs.contracts.usage import Degraded, Stage
from libs.engines.catalog import Task
from libs.runtime.deadline import budget

REASON: Final = "ENGINE_UNAVAILABLE"
RESERVE_SECONDS: Final = 0.5
"""Seconds of the call's deadline that are kept for the built-in engine (taste)."""
T = TypeVar("T")


Response = TypeVar("Response", Condensed, Judgement, ExtractResponse, VerifyResponse, RecommendResponse)
"""A response that reports what was left out."""


def failure(stage: Stage, task: Task) -> Degraded:
    """The report that the built-in engine did a task."""
    return Degraded(
        stage,
        REASON,
        f"The configured engine for the task {task} failed, see the log; the built-in engine replaced it.",
    )


def with_report(response: Response, report: Degraded) -> Response:
    """Return a response whose reports begin with this one."""
    return replace(response, degraded=(report, *response.degraded))


async def call_or(
    plugin: Callable[[], Awaitable[Response]], built_in: Callable[[], Awaitable[Response]], stage: Stage, task: Task
) -> Response:
    """Return the response of a plug-in, or the built-in engine's with a report of the failure.

    Raises:
        ParleyError: as the built-in engine.
    """
    try:
        async with asyncio.timeout(budget(None, RESERVE_SECONDS)):
            return await plugin()
    except Exception as error:
        _log(task, error)
        return with_report(await built_in(), failure(stage, task))


async def stream_or(
    plugin: Callable[[], AsyncGenerator[T, None]],
    built_in: Callable[[], AsyncGenerator[T, None]],
    stage: Stage,
    task: Task,
) -> AsyncGenerator[T | Degraded, None]:
    """Yield the steps of a plug-in, or if it fails before its first, a report and the built-in engine's.

    Raises:
        ParleyError: as the built-in engine.
        Exception: what the engine raises after its first step; by then its steps have been shown.
    """
    async with aclosing(plugin()) as steps:
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
    yield failure(stage, task)
    async with aclosing(built_in()) as steps:
        async for step in steps:
            yield step


def _log(task: Task, error: Exception) -> None:
    structlog.get_logger().warning("engine_failed", task=task, error=type(error).__name__)
