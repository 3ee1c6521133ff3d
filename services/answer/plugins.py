"""Engines of other packages (plugins); each precedes the stage's own, which does it if it fails."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from libs.contracts.usage import Stage
from libs.engines.catalog import Task, open_engine
from libs.engines.fallback import Response, call_or
from services.answer.settings import AnswerSettings, field_of

TASKS: Final[Mapping[Task, tuple[str, ...]]] = {
    "write": ("auto", "llm", "rules"),
    "extract": ("auto", "llm", "rules"),
    "verify": ("rules",),
    "recommend": ("rules",),
}
"""The stage's tasks, with the names of its own engines for each."""


@dataclass(frozen=True, slots=True)
class Plugins:
    """The engines of other packages that the settings name, by task."""

    engines: Mapping[Task, Any] = field(default_factory=dict)

    @classmethod
    def open(cls, settings: AnswerSettings) -> Self:
        """Open them; that imports their packages.

        Raises:
            SettingsError: there is no such engine, or it cannot be opened.
        """
        opened = {
            task: open_engine(task, settings.engine_of(task), settings.variable(field_of(task)), built_in)
            for task, built_in in TASKS.items()
        }
        return cls({task: engine for task, engine in opened.items() if engine is not None})

    async def run(self, task: Task, request: object, own_engine: Callable[[], Awaitable[Response]]) -> Response:
        """Return the response of a task's plugin, or of the stage's own engine, which says if the plugin failed."""
        plugin = self.engines.get(task)
        if plugin is None:
            return await own_engine()
        return await call_or(lambda: getattr(plugin, task)(request), own_engine, Stage.ANSWER, task)
