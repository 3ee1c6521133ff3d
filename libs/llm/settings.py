"""Settings of the language model: the model, temperature and price for each task."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from libs.runtime.settings import AreaSettings, HeaderKey, Tuned

_CREATIVE_TASKS: Mapping[str, float] = {"rewrite": 0.3}
"""Temperatures above 0: one query needs several different rewrites; judging, extracting and writing use 0 (taste)."""

RULES = "rules"
"""Used in place of a model's name: no model is called."""


class TaskSettings(BaseModel):
    """Settings of one task; None takes the value of `LlmSettings`."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, protected_namespaces=())

    base_url: str | None = None
    """Endpoint, usually ending in `/v1`."""
    api_key: HeaderKey | None = None
    """Key for this endpoint."""
    api_version: str | None = None
    """Version of Azure's API, if this endpoint is Azure's."""
    model: str | None = None
    """Model name at the endpoint."""
    temperature: float | None = Field(default=None, ge=0, le=2)  # the endpoints' range
    """Sampling temperature."""
    timeout_seconds: float | None = Field(default=None, gt=0)
    """Timeout of one request."""


class Price(BaseModel):
    """A model's price, in US dollars per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    input: float = Field(ge=0)
    """Price of input tokens."""
    output: float = Field(ge=0)
    """Price of output tokens."""


class LlmSettings(AreaSettings, area="llm"):
    """The language model; without a `base_url` here or for a task there is no model, and the rules do everything."""

    base_url: str | None = None
    """OpenAI-compatible endpoint (`http://127.0.0.1:8000/v1`)."""
    api_key: HeaderKey | None = None
    """Key for the endpoint; None if it needs none."""
    api_version: str | None = None
    """Azure's API version (`2024-10-21`); the endpoint is `https://NAME.openai.azure.com`, the model a deployment."""
    model: Tuned[str] = "default"
    """Model name at the endpoint; servers of a single model accept any."""
    models: tuple[str, ...] = ()
    """Further models of the endpoint that a request may name; must be the same for the gateway and the stages."""
    tasks: Tuned[dict[str, TaskSettings]] = Field(default_factory=dict)
    """Settings by task (`judge`, `condense`, `rewrite`, `decompose`, `extract`, `write`, `date` …)."""
    timeout_seconds: float = Field(default=30.0, gt=0)  # taste
    """Timeout of one request, up to the last word of a stream; the call's deadline may be shorter."""
    step_seconds: float = Field(default=5.0, gt=0)  # taste
    """How long understanding, condensing, planning and the choice of a timeline's events each wait for the model; then
    the rules' result is used. Keep it below `PARLEY_GATEWAY_STAGE_SECONDS`."""
    retries: int = Field(default=1, ge=0, le=5)  # taste
    """Retries after a lost connection, 429 or 5xx, within the same timeout."""
    max_output_tokens: int = Field(default=1024, ge=1)  # taste
    """Most tokens of an answer whose task sets no other limit."""
    output_limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The endpoint's name for that limit; OpenAI's newer models accept only the longer name."""
    structured_output: Literal["auto", "json_schema", "json_object", "prompt"] = "auto"
    """How an answer's form is enforced: by schema, as any JSON, by the prompt alone; `auto`: by the first of these that
    the endpoint accepts."""
    prices: dict[str, Price] = Field(default_factory=dict)
    """Prices by model; the cost of a model that isn't listed is reported as unknown."""
    prompts_folder: Path | None = None
    """A folder whose files replace the built-in prompts of the same name."""

    @property
    def offered(self) -> frozenset[str]:
        """The names that a request may use: the configured models, and `rules` for no model."""
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
        """A task's effective settings; only the endpoint, its key and its version may be None."""
        own = self.tasks.get(task, TaskSettings())
        return TaskSettings(
            base_url=own.base_url or self.base_url,
            # Key and version are only for the endpoint that they were configured with.
            api_key=own.api_key or (None if own.base_url else self.api_key),
            api_version=own.api_version or (None if own.base_url else self.api_version),
            model=own.model or self.model,
            temperature=_CREATIVE_TASKS.get(task, 0.0) if own.temperature is None else own.temperature,
            timeout_seconds=own.timeout_seconds or self.timeout_seconds,
        )
