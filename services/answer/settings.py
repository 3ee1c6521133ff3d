"""Settings of the answer stage (PARLEY_ANSWER_...), and the engines of other packages (plugins) that they name.

A plugin precedes the stage's own engine, which does its task if it fails.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from pydantic import Field

from libs.contracts.options import Length
from libs.contracts.usage import Stage
from libs.engines.catalog import ENGINE_NAME, Task, open_engine
from libs.engines.fallback import Response, call_or
from libs.runtime.settings import AreaSettings, Tuned

TASKS: Final[Mapping[Task, tuple[str, ...]]] = {
    "write": ("auto", "llm", "rules"),
    "extract": ("auto", "llm", "rules"),
    "verify": ("rules",),
    "recommend": ("rules",),
}
"""The stage's tasks, with the names of its own engines for each."""


class AnswerSettings(AreaSettings, area="answer"):
    """Which engine writes answers, how long they are, and when the stage abstains."""

    engine: str = Field(default="auto", pattern=ENGINE_NAME)
    """Engine that writes: `auto` uses the language model if one is configured, and quotes if it fails; `llm`, `rules`,
    or the name of an engine of another package, which `auto` replaces if it fails."""
    extract_engine: str = Field(default="rules", pattern=ENGINE_NAME)
    """Engine that extracts the short answers that other sub-queries wait for: `rules`, `auto` or `llm` (one more call
    of the language model for each), or the name of an engine of another package."""
    verify_engine: str = Field(default="rules", pattern=ENGINE_NAME)
    """Engine that verifies sentences for callers of `Verify`: `rules`, or the name of an engine of another package. The
    sentences of the stage's own answers are always verified by rules."""
    recommend_engine: str = Field(default="rules", pattern=ENGINE_NAME)
    """Engine that recommends follow-ups: `rules`, or the name of an engine of another package. By rules those come
    first that a language model proposes with its answer; it is not called again."""
    length: Length = Length.MEDIUM
    """Length of an answer if the request does not set one; quoted answers have at most about 40, 100 or 220 words."""
    abstain_threshold: float = Field(default=0.8, gt=0, le=1)
    """Abstain score from which the evidence counts as having no answer. At .8 the stage abstains on none of 237
    questions that ten corpora answer, on 2 % of 231 in strangers' words over four others, and on 92 % of 48 about
    something else; at .5 on 3, 21 and 100 %."""
    llm_passages: Tuned[int] = Field(default=16, ge=1, le=150)
    """Maximum number of passages for the language model, best ranked first; as many as the gateway gives."""
    llm_words: Tuned[int] = Field(default=2400, ge=100, le=100_000)
    """Maximum number of words of these passages together; the first three are always included. Of the facts that
    questions in sessions over ten corpora want, 2,400 words hold .974, 600 words .906."""

    def engine_of(self, task: Task) -> str:
        """The name of a task's engine."""
        name: str = getattr(self, field_of(task))
        return name


def field_of(task: Task) -> str:
    """The setting that names a task's engine."""
    return "engine" if task == "write" else f"{task}_engine"


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
