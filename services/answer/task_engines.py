"""The engines of the tasks besides writing: another package's (a plugin), the language model, or the rules.

Engines are awaited; opening one imports its package, and reads its prompt from a file.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from libs.contracts.usage import Degraded, Stage
from libs.engines.catalog import Task, built_in, open_engine
from libs.engines.fallback import Response, call_or, with_report
from libs.llm.fallback import EngineChoice, with_fallback
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt, PromptLibrary
from services.answer.settings import AnswerSettings

Plugin = TypeVar("Plugin")
Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class TaskEngines(Generic[Plugin, Model]):
    """The engines of one task besides the rules; None where there is none."""

    plugin: Plugin | None = None
    """The engine of another package; it precedes the model."""
    model: Model | None = None
    choice: EngineChoice = "rules"
    """`auto` uses the model if there is one, `llm` requires it."""

    async def run(
        self,
        task: Task,
        by_rules: Callable[[], Awaitable[Response]],
        by_model: Callable[[Model], Awaitable[Response]],
        by_plugin: Callable[[Plugin], Awaitable[Response]],
        only_rules: bool = False,
        seconds: float | None = None,
    ) -> Response:
        """Return the response of the first engine that does the task; it says which ones failed before.

        Args:
            task: for logs and reports.
            by_rules: does it by rules.
            by_model: does it with the language model.
            by_plugin: does it with the engine of another package.
            only_rules: whether the model is not asked.
            seconds: further time limit for the model.

        Raises:
            FailedPrecondition: `choice` is `llm` and there is no model.
            LlmError: `choice` is `llm` and the model failed.
        """
        plugin, model = self.plugin, self.model

        async def built_in() -> Response:
            ask_model = None if model is None else lambda: by_model(model)
            choice = "rules" if only_rules else self.choice
            outcome = await with_fallback(ask_model, by_rules, engine=choice, seconds=seconds)
            if outcome.reason is None:
                return outcome.result
            effect = f"The language model failed at the task {task}; rules replaced it."
            return with_report(outcome.result, Degraded(Stage.ANSWER, outcome.reason, effect))

        if plugin is None:
            return await built_in()
        return await call_or(lambda: by_plugin(plugin), built_in, Stage.ANSWER, task)


@dataclass(frozen=True, slots=True)
class ConfiguredEngine:
    """The engine that the settings name for a task."""

    task: Task
    name: str
    plugin: Any | None
    """The engine of another package; None if the name is built in."""

    @classmethod
    def open(cls, task: Task, settings: AnswerSettings) -> Self:
        """Open the engine of a task.

        Raises:
            SettingsError: there is no such engine, or it cannot be opened.
        """
        name: str = getattr(settings, f"{task}_engine")
        return cls(task, name, open_engine(task, name, settings.variable(f"{task}_engine")))

    @property
    def choice(self) -> EngineChoice:
        """The built-in engine; the rules if the named one, of another package, fails."""
        return "rules" if self.plugin is not None else built_in(self.name)

    def with_model(
        self,
        chat: ChatModel | None,
        prompts: PromptLibrary,
        prompt_of_task: tuple[str, frozenset[str]],
        of: Callable[[ChatModel, Prompt], Model],
    ) -> TaskEngines[Any, Model]:
        """Return the task's engines; a wrong prompt is reported at start, also without a model."""
        prompt = prompts.load(*prompt_of_task)
        model = None if chat is None or self.choice == "rules" else of(chat, prompt)
        return TaskEngines(self.plugin, model, self.choice)
