"""A chat model behind an OpenAI-compatible endpoint.

`libs.llm.connection` sends requests with OpenAI's library; `libs.llm.answers` reads the answers.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_args

from libs.contracts.usage import Stage, Usage, UsageSource
from libs.llm.answers import StreamedAnswer, counted_by_provider
from libs.llm.capabilities import Capabilities
from libs.llm.connection import NO_KEY, Address, Connection
from libs.llm.errors import LlmError, LlmTooSlow, LlmUnavailable
from libs.llm.fallback import RESERVE_SECONDS, EngineChoice
from libs.llm.messages import Delta, JsonSchema, Message
from libs.llm.model_call import ModelCall
from libs.llm.settings import LlmSettings, Price, TaskSettings
from libs.llm.usage import Meter, estimate_count
from libs.runtime.deadline import budget
from libs.runtime.serving.server_info import Capability

MOST_CHARACTERS_PER_TOKEN: Final = 16
"""A longer answer has exceeded its token limit: the longest tokens of common vocabularies have about this many
characters, the average four."""


@asynccontextmanager
async def open_chat_model(settings: LlmSettings, stage: Stage) -> AsyncIterator["OpenAiChatModel | None"]:
    """The configured model for the duration of the context; None if none is configured.

    Opening it sends no request. Usages carry `stage`.
    """
    if not settings.is_configured():
        yield None
        return
    model = OpenAiChatModel(settings, Meter(stage, settings.prices))
    await asyncio.to_thread(model.warm_up)
    try:
        yield model
    finally:
        await model.close()


def capability_of(task: str, engine: str, settings: LlmSettings) -> Capability:
    """Which engine does a task, as a process tells it: another package's, the model's name, or the rules.

    Args:
        task: the task.
        engine: the engine that the stage's settings name for it.
        settings: those of the language model.
    """
    if engine not in get_args(EngineChoice):
        return Capability(task, engine)
    if engine == "rules" or not settings.is_configured():
        return Capability(task, "rules")
    return Capability(task, "llm", settings.of_task(task).model or "")


@dataclass(slots=True)
class OpenAiChatModel:
    """A `ChatModel` on the chat completions API, with separate connections for each endpoint."""

    settings: LlmSettings
    meter: Meter
    used: list[Usage] | None = None
    """Gets the usage of each answer, also of one that was unusable or is requested again."""
    _connections: dict[Address, Connection] = field(default_factory=dict)

    async def stream(
        self, messages: Sequence[Message], *, task: str, max_tokens: int | None = None, schema: JsonSchema | None = None
    ) -> AsyncGenerator[Delta, None]:
        """Yield the answer in pieces; every failure is an `LlmError`."""
        settings, start, limit = self.settings.of_task(task), time.monotonic(), max_tokens or self.most_output
        connection, model = self._connection(settings), settings.model or ""
        request = self._request(settings, messages, limit) | _form(schema)
        with (
            ModelCall(task, settings, "text" if schema is None else "json", limit) as call,
            connection.thoughts(model, schema is not None) as thoughts,
        ):
            request["extra_headers"] = call.headers
            chunks = connection.chunks(request, _end(settings, start))
            answer = StreamedAnswer(MOST_CHARACTERS_PER_TOKEN * limit, thoughts)
            try:
                async with aclosing(chunks):
                    async for chunk in chunks:
                        call.receives()
                        if text := answer.add(chunk):
                            yield Delta(text)
                        if answer.is_over:
                            break
                answer.refuse_unless_whole()
            except LlmError as error:
                if answer.text or answer.usage or isinstance(error, LlmTooSlow):
                    error.usage = self._usage(task, model, start, answer, messages)
                raise
            usage = self._usage(task, model, start, answer, messages)
            call.finishes(usage, answer.finish)
        yield Delta(usage=usage, truncated=answer.finish == "length")

    def estimated(self, messages: Sequence[Message], text: str, *, task: str, milliseconds: float) -> Usage:
        """Return the estimated usage of a chat that was abandoned before the provider reported its count."""
        model = self.settings.of_task(task).model or ""
        return self.meter.measure(task, model, milliseconds, estimate_count(messages, text), UsageSource.ESTIMATED)

    def price_of(self, task: str) -> Price | None:
        """Return the price of a task's model in the price table; None if it is not listed."""
        return self.meter.prices.get(self.settings.of_task(task).model or "")

    def named(self, model: str) -> "OpenAiChatModel":
        """A copy that uses one model for every task and shares the connections."""
        return replace(self, settings=self.settings.named(model))

    def tallied(self, used: list[Usage]) -> "OpenAiChatModel":
        """A copy that adds the usage of its answers to a list, and shares the connections."""
        return replace(self, used=used)

    def warm_up(self) -> None:
        """Open the configured connections without a request: loading the library would delay the first one."""
        for settings in map(self.settings.of_task, ("", *self.settings.tasks)):
            if settings.base_url is not None:
                self._connection(settings).open()

    async def close(self) -> None:
        """Close all connections."""
        for connection in self._connections.values():
            await connection.close()

    def _connection(self, settings: TaskSettings) -> Connection:
        if settings.base_url is None:
            raise LlmUnavailable("no language model is configured for the task: set PARLEY_LLM_BASE_URL")
        key = settings.api_key.get_secret_value() if settings.api_key else NO_KEY
        address = Address(settings.base_url, key, settings.api_version)
        if address not in self._connections:
            capabilities = Capabilities.of(self.settings.structured_output)
            own = Connection(address, self.settings.retries, capabilities)
            self._connections[address] = own
        return self._connections[address]

    def _request(self, settings: TaskSettings, messages: Sequence[Message], limit: int) -> dict[str, Any]:
        return {
            "model": settings.model,
            "temperature": settings.temperature,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "stream_options": {"include_usage": True},
            self.settings.output_limit_field: limit,
        }

    @property
    def most_output(self) -> int:
        """Maximum tokens of an answer whose task sets no other limit."""
        return self.settings.max_output_tokens

    def _usage(self, task: str, model: str, start: float, answer: StreamedAnswer, messages: Sequence[Message]) -> Usage:
        count = counted_by_provider(answer.usage) if answer.usage else None
        source = UsageSource.PROVIDER if count else UsageSource.ESTIMATED
        tokens = count or estimate_count(messages, answer.text)
        usage = self.meter.measure(task, model, 1000 * (time.monotonic() - start), tokens, source)
        if self.used is not None:
            self.used.append(usage)
        return usage


def _end(settings: TaskSettings, start: float) -> float | None:
    """The deadline of an answer: from the settings or the call's deadline, minus the time reserved for the rules."""
    seconds = budget(settings.timeout_seconds, RESERVE_SECONDS)
    return None if seconds is None else start + seconds


def _form(schema: JsonSchema | None) -> dict[str, Any]:
    if schema is None:
        return {}
    form = {"name": "answer", "schema": dict(schema), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": form}}
