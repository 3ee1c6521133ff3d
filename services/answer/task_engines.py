"""The engines of the tasks besides writing: another package's (a plugin), the language model, or the rules.

Engines are awaited; opening one imports its package, and reads its prompt from a file.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from libs.contracts.usage import Degraded, Stage
from libs.engines.catalog import Task, built_in, open_engine
from libs.engines.fallback import Response, call_or, with_report
from libs.llm.fallback import EngineChoice, with_fallback
from libs.llm.messages import ChatModel
from libs.llm.prompts import PromptLibrary
from services.answer.by_model.forms import TaskModel
from services.answer.settings import AnswerSettings


@dataclass(frozen=True, slots=True)
class TaskEngines:
    """The engines of one task besides the rules; None where there is none."""

    task: Task
    name: str = "rules"
    """The engine that the settings name: `auto` uses the model if there is one, `llm` requires it."""
    plugin: Any | None = None
    """The engine of another package, which precedes the model; its method has the task's name."""
    model: TaskModel | None = None

    @classmethod
    def open(cls, task: Task, settings: AnswerSettings) -> Self:
        """Open the engine that the settings name, without the language model.

        Raises:
            SettingsError: there is no such engine, or it cannot be opened.
        """
        name: str = getattr(settings, f"{task}_engine")
        return cls(task, name, open_engine(task, name, settings.variable(f"{task}_engine")))

    def with_model(self, chat: ChatModel | None, prompts: PromptLibrary, placeholders: frozenset[str]) -> Self:
        """Return these engines with the language model; a wrong prompt is reported also without one."""
        prompt = prompts.load(self.task, placeholders)
        return replace(self, model=TaskModel(self.task, chat, prompt) if chat and self.choice != "rules" else None)

    @property
    def choice(self) -> EngineChoice:
        """The built-in engine; the rules if the named one, of another package, fails."""
        return "rules" if self.plugin is not None else built_in(self.name)

    async def run(
        self,
        request: object,
        by_rules: Callable[[], Awaitable[Response]],
        by_model: Callable[[TaskModel], Awaitable[Response]],
        only_rules: bool = False,
        seconds: float | None = None,
    ) -> Response:
        """Return the response of the first engine that does the task; it says which ones failed before.

        Args:
            request: what another package's engine is asked.
            by_rules: does the task by rules.
            by_model: does it with the language model.
            only_rules: whether the model is not asked.
            seconds: further time limit for the model.

        Raises:
            FailedPrecondition: the engine is `llm` and there is no model.
            LlmError: the engine is `llm` and the model failed.
        """
        plugin, model = self.plugin, self.model

        async def own_engine() -> Response:
            ask_model = None if model is None else lambda: by_model(model)
            choice = "rules" if only_rules else self.choice
            outcome = await with_fallback(ask_model, by_rules, engine=choice, seconds=seconds)
            if outcome.reason is None:
                return outcome.result
            effect = f"The language model failed at the task {self.task}; rules replaced it."
            return with_report(outcome.result, Degraded(Stage.ANSWER, outcome.reason, effect))

        if plugin is None:
            return await own_engine()
        return await call_or(lambda: getattr(plugin, self.task)(request), own_engine, Stage.ANSWER, self.task)
