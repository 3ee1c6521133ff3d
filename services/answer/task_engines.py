"""Opens the engines of the tasks besides writing, as the settings name them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeVar

from libs.contracts.engines import ExtractEngine, RecommendEngine, VerifyEngine
from libs.engines.catalog import Task, built_in, open_engine
from libs.llm.fallback import EngineChoice
from libs.llm.messages import ChatModel
from libs.llm.prompts import Prompt, PromptLibrary
from libs.llm.settings import LlmSettings
from libs.runtime.serving.server_info import Capability
from services.answer.by_model import extraction, follow_ups, verdicts
from services.answer.by_model.extraction import ModelExtractor
from services.answer.by_model.follow_ups import ModelRecommender, Recommender
from services.answer.by_model.verdicts import ModelVerifier
from services.answer.engine_choice import EngineSet
from services.answer.settings import AnswerSettings

Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class TaskEngine:
    """The engine that the settings name for a task."""

    task: Task
    name: str
    own: Any | None
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
        return "rules" if self.own is not None else built_in(self.name)

    def model(
        self,
        chat: ChatModel | None,
        prompts: PromptLibrary,
        places: frozenset[str],
        of: Callable[[ChatModel, Prompt], Model],
    ) -> Model | None:
        """Return the task's engine of the language model, None without one; a wrong prompt is reported at start."""
        prompt = prompts.load(self.task, places)
        return None if chat is None or self.choice == "rules" else of(chat, prompt)

    def capability(self, llm: LlmSettings) -> Capability:
        """Return which engine does the task."""
        if self.choice == "rules" or not llm.is_configured():
            return Capability(self.task, self.name if self.own is not None else "rules")
        return Capability(self.task, "llm", llm.of_task(self.task).model or "")


@dataclass(frozen=True, slots=True)
class TaskEngines:
    """The engines of the tasks besides writing."""

    extract: TaskEngine
    verify: TaskEngine
    recommend: TaskEngine

    @classmethod
    def open(cls, settings: AnswerSettings) -> Self:
        """Open the engines of the settings.

        Raises:
            SettingsError: see `TaskEngine.open`.
        """
        return cls(*(TaskEngine.open(task, settings) for task in ("extract", "verify", "recommend")))

    @property
    def need_model(self) -> bool:
        """Whether the settings let the language model do one of the tasks."""
        return any(engine.choice != "rules" for engine in (self.extract, self.verify, self.recommend))

    def extractors(self, chat: ChatModel | None, prompts: PromptLibrary) -> EngineSet[ExtractEngine, ModelExtractor]:
        """Return the engines of the task `extract`."""
        model = self.extract.model(chat, prompts, extraction.PLACES, ModelExtractor)
        return EngineSet(self.extract.own, model, self.extract.choice)

    def verifiers(self, chat: ChatModel | None, prompts: PromptLibrary) -> EngineSet[VerifyEngine, ModelVerifier]:
        """Return the engines of the task `verify`."""
        model = self.verify.model(chat, prompts, verdicts.PLACES, ModelVerifier)
        return EngineSet(self.verify.own, model, self.verify.choice)

    def recommender(self, chat: ChatModel | None, prompts: PromptLibrary, most: int) -> Recommender:
        """Return the recommender, of at most `most` follow-ups."""
        model = self.recommend.model(chat, prompts, follow_ups.PLACES, partial(ModelRecommender, most=most))
        engines: EngineSet[RecommendEngine, ModelRecommender] = EngineSet(
            self.recommend.own, model, self.recommend.choice
        )
        return Recommender(most, engines)

    def capabilities(self, llm: LlmSettings) -> tuple[Capability, ...]:
        """Return which engine does each task."""
        return tuple(engine.capability(llm) for engine in (self.extract, self.verify, self.recommend))
