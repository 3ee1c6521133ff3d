"""Does a task with the engine of the settings: another package's, the language model, or the rules."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from libs.contracts.stages.answer import ExtractResponse, RecommendResponse, VerifyResponse
from libs.contracts.usage import Degraded, Stage
from libs.engines.catalog import Task
from libs.engines.fallback import call_or, failure
from libs.llm.fallback import EngineChoice, with_fallback

Response = TypeVar("Response", ExtractResponse, VerifyResponse, RecommendResponse)
Engine = TypeVar("Engine")
Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class EngineSet(Generic[Engine, Model]):
    """The engines of one task besides the rules; None where there is none."""

    own: Engine | None = None
    """The engine of another package; it precedes the model."""
    model: Model | None = None
    choice: EngineChoice = "rules"
    """`auto` uses the model if there is one, `llm` requires it."""


async def run_task(
    task: Task,
    by_rules: Callable[[], Awaitable[Response]],
    by_model: Callable[[], Awaitable[Response]] | None = None,
    own: Callable[[], Awaitable[Response]] | None = None,
    choice: EngineChoice = "rules",
    seconds: float | None = None,
) -> Response:
    """Return the response of the first engine that does the task; it says which ones failed before.

    Args:
        task: for logs and reports.
        by_rules: does it by rules.
        by_model: does it with the language model.
        own: does it with the engine of another package.
        choice: see `with_fallback`.
        seconds: further time limit for the model.

    Raises:
        FailedPrecondition: `choice` is `llm` and there is no model.
        LlmError: `choice` is `llm` and the model failed.
    """

    async def built_in() -> Response:
        outcome = await with_fallback(by_model, by_rules, engine=choice, seconds=seconds)
        if outcome.reason is None:
            return outcome.result
        effect = f"The language model failed at the task {task}; rules replaced it."
        return _with_report(outcome.result, Degraded(Stage.ANSWER, outcome.reason, effect))

    if own is None:
        return await built_in()
    response, reason = await call_or(own, built_in, task)
    return response if reason is None else _with_report(response, failure(Stage.ANSWER, task))


def _with_report(response: Response, report: Degraded) -> Response:
    return replace(response, degraded=(report, *response.degraded))
