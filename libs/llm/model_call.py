"""The span and the measurements of one request to a language model.

They follow OpenTelemetry's conventions for generative models. Neither prompts nor answers are recorded; nothing waits.
"""

import asyncio
import time
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from opentelemetry.trace import SpanKind

from libs.contracts.usage import Usage, UsageSource
from libs.llm.errors import LlmError
from libs.llm.settings import TaskSettings
from libs.runtime.errors import ParleyError
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import AttributeValue, ambient, end, trace_headers

CHAT: Final = "chat"
OPENAI: Final = "openai"
"""Also of other endpoints that speak its protocol; `server.address` tells them apart."""
AZURE: Final = "azure.ai.openai"


class ModelCall:
    """A request from its start to the end of the context. It sets no context variables, so a generator may hold it.

    Args:
        task: what the answer is for.
        settings: those of the task.
        output: `text` or `json`.
        max_tokens: most tokens of the answer.
    """

    def __init__(self, task: str, settings: TaskSettings, output: str, max_tokens: int) -> None:
        now = ambient()
        self._telemetry = now.telemetry
        self._attributes = _attributes_of(settings)
        own: dict[str, AttributeValue] = {
            names.TASK: task,
            names.MODEL_OUTPUT_TYPE: output,
            names.MODEL_MAX_TOKENS: max_tokens,
        }
        if settings.temperature is not None:
            own[names.MODEL_TEMPERATURE] = settings.temperature
        name = f"{CHAT} {settings.model or ''}".rstrip()
        self._span = now.telemetry.tracer.start_span(name, now.trace, SpanKind.CLIENT, self._attributes | own)
        self._start_time = time.perf_counter()
        self._has_begun = False

    @property
    def headers(self) -> dict[str, str]:
        """What links the endpoint's own spans to this one."""
        return trace_headers(self._span)

    def receives(self) -> None:
        """Record that a piece of a streamed answer has come."""
        if not self._has_begun:
            self._has_begun = True
            self._telemetry.observe(names.MODEL_FIRST_CHUNK, self._elapsed(), self._attributes)

    def finishes(self, usage: Usage, finish: str | None) -> None:
        """Record what the answer took, and why it ended."""
        self._count(usage)
        if finish:
            self._span.set_attributes({names.MODEL_FINISH_REASONS: (finish,)})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, LlmError) and error.usage is not None:
            self._count(error.usage)
        error_type = _type_of(error)
        outcome = {names.ERROR_TYPE: error_type} if error_type else {}
        self._telemetry.observe(names.MODEL_DURATION, self._elapsed(), {**self._attributes, **outcome})
        end(self._span, error_type)

    def _count(self, usage: Usage) -> None:
        """Record tokens; those that were only estimated are no measurement."""
        if usage.usage_source is not UsageSource.PROVIDER:
            return
        for kind, tokens in (("input", usage.input_tokens), ("output", usage.output_tokens)):
            self._telemetry.observe(names.MODEL_TOKENS, tokens, {**self._attributes, names.MODEL_TOKEN_TYPE: kind})
        self._span.set_attributes(
            {names.MODEL_INPUT_TOKENS: usage.input_tokens, names.MODEL_OUTPUT_TOKENS: usage.output_tokens}
        )

    def _elapsed(self) -> float:
        return time.perf_counter() - self._start_time


def _attributes_of(settings: TaskSettings) -> dict[str, AttributeValue]:
    """What spans and metrics have in common."""
    address = urlsplit(settings.base_url or "")
    attributes: dict[str, AttributeValue] = {
        names.MODEL_OPERATION: CHAT,
        names.MODEL_PROVIDER: AZURE if settings.api_version else OPENAI,
        names.MODEL_REQUESTED: settings.model or "",
        names.SERVER_ADDRESS: address.hostname or "",
    }
    if address.port:
        attributes[names.SERVER_PORT] = address.port
    return attributes


def _type_of(error: BaseException | None) -> str | None:
    if error is None:
        return None
    if isinstance(error, ParleyError):
        return error.reason
    # A stream that its reader closes is a request that was given up, too.
    is_given_up = isinstance(error, asyncio.CancelledError | GeneratorExit)
    return "CANCELLED" if is_given_up else type(error).__name__
