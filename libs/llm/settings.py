"""Which language model does which task, at what temperature and price."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from libs.runtime.settings import AreaSettings

_CREATIVE_TASKS: Mapping[str, float] = {"rewrite": 0.3}
"""Several different rewrites are wanted of one query; judging, extracting and writing repeat themselves at 0."""

RULES = "rules"
"""In the place of a model's name: none is asked."""


class TaskSettings(BaseModel):
    """What one task does differently; None: as the others do."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, protected_namespaces=())

    base_url: str | None = None
    """Endpoint, ending in `/v1` as a rule."""
    api_key: SecretStr | None = None
    """Key for this endpoint."""
    api_version: str | None = None
    """Of Azure's API, where this endpoint is one."""
    model: str | None = None
    """Model name as the endpoint knows it."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """Sampling temperature."""
    timeout_seconds: float | None = Field(default=None, gt=0)
    """Longest time of one request."""


class Price(BaseModel):
    """What a model costs, in US dollars a million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    input: float = Field(ge=0)
    """Of what it reads."""
    output: float = Field(ge=0)
    """Of what it writes."""


class LlmSettings(AreaSettings, area="llm"):
    """The language model; without a `base_url` (and none for a task) there is none, and the rules do everything."""

    base_url: str | None = None
    """OpenAI-compatible endpoint (`http://127.0.0.1:8000/v1`)."""
    api_key: SecretStr | None = None
    """Key for the endpoint; None where it wants none."""
    api_version: str | None = None
    """Of Azure's API (`2024-10-21`); the endpoint is `https://NAME.openai.azure.com`, the model a deployment's name."""
    model: str = "default"
    """Model name as the endpoint knows it; servers of one model take any."""
    models: tuple[str, ...] = ()
    """Further models of the endpoint that a request may ask for by name; the gateway and the stages need the same."""
    tasks: dict[str, TaskSettings] = Field(default_factory=dict)
    """By task (`judge`, `condense`, `rewrite`, `decompose`, `extract`, `write`, `date` …): what it does differently."""
    timeout_seconds: float = Field(default=30.0, gt=0)
    """Longest time of one request, a stream from its first to its last word; the call's deadline may be shorter."""
    connect_seconds: float = Field(default=2.0, gt=0)
    """Longest time to reach the endpoint."""
    retries: int = Field(default=1, ge=0, le=5)
    """Repeats of a request that met a lost connection, 429 or 5xx, within the same time."""
    max_output_tokens: int = Field(default=1024, ge=1)
    """Most tokens of an answer whose task asks for no other bound."""
    output_limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """How the endpoint calls that bound; OpenAI's newer models know only the longer name."""
    structured_output: Literal["auto", "json_schema", "json_object", "prompt"] = "auto"
    """How the endpoint is held to a form: by schema, to any JSON, by the prompt alone; `auto`: by the first that it
    doesn't refuse."""
    prices: dict[str, Price] = Field(default_factory=dict)
    """By model; the cost of one that isn't listed is said to be unknown."""
    prompts_folder: Path | None = None
    """A folder whose files replace the built-in prompts of the same name."""

    @property
    def offered(self) -> frozenset[str]:
        """What a request may ask for: the configured models, and `rules` for none."""
        if not self.is_configured():
            return frozenset({RULES})
        own = {self.model, *(task.model for task in self.tasks.values() if task.model)}
        return frozenset({RULES, *own, *self.models})

    def named(self, model: str) -> "LlmSettings":
        """The same settings with one model for every task."""
        tasks = {name: task.model_copy(update={"model": model}) for name, task in self.tasks.items()}
        return self.model_copy(update={"model": model, "tasks": tasks})

    def is_configured(self) -> bool:
        """Whether any task has an endpoint."""
        return self.base_url is not None or any(task.base_url for task in self.tasks.values())

    def of_task(self, task: str) -> TaskSettings:
        """What holds for a task, with nothing but the endpoint, its key and its version left None."""
        own = self.tasks.get(task, TaskSettings())
        return TaskSettings(
            base_url=own.base_url or self.base_url,
            # A key goes only to the endpoint it was given for, a version belongs to it.
            api_key=own.api_key or (None if own.base_url else self.api_key),
            api_version=own.api_version or (None if own.base_url else self.api_version),
            model=own.model or self.model,
            temperature=_CREATIVE_TASKS.get(task, 0.0) if own.temperature is None else own.temperature,
            timeout_seconds=own.timeout_seconds or self.timeout_seconds,
        )
