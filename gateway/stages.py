"""The five stages as the gateway calls them, and the collected results of their streams."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from libs.contracts.stages.answer import AnswerStage
from libs.contracts.stages.decompose import DecomposeStage
from libs.contracts.stages.intent import IntentStage
from libs.contracts.stages.retrieve import RetrieveStage
from libs.contracts.stages.timeline import TimelineStage
from libs.contracts.usage import Degraded, Progress
from libs.runtime.errors import Unavailable

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Stages:
    """All five stages: domain code in this process, or clients of other processes."""

    intent: IntentStage
    decompose: DecomposeStage
    retrieve: RetrieveStage
    answer: AnswerStage
    timeline: TimelineStage


@dataclass(frozen=True, slots=True)
class StageResult(Generic[R]):
    """The result of a stage, and what was degraded on the way to it."""

    value: R
    degraded: tuple[Degraded, ...] = ()


async def result_of(
    steps: AsyncGenerator[Any, None], result_type: type[R], hint: Callable[[Any], None] | None = None
) -> StageResult[R]:
    """Read a stage's stream to its end.

    Args:
        steps: the stream.
        result_type: the type of its last step.
        hint: receives the steps that are neither result nor degradation nor progress.

    Raises:
        Unavailable: the stream ended without a result (reason STAGE_FAILED).
    """
    degraded: list[Degraded] = []
    result: R | None = None
    async with aclosing(steps):
        async for step in steps:  # to its end, since cancelling a stream over the network costs more
            if isinstance(step, Degraded):
                degraded.append(step)
            elif isinstance(step, result_type):
                result = step
            elif hint is not None and not isinstance(step, Progress):
                hint(step)
    if result is None:
        raise Unavailable("STAGE_FAILED", "A stage ended without its result.")
    return StageResult(result, tuple(degraded))
