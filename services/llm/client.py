"""A chat model behind an OpenAI-compatible endpoint.

`aiohttp` is imported when the first model is opened: it costs memory, and most installations have none.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from services.llm.endpoint import Endpoint
from services.llm.errors import LlmError, LlmTooSlow, LlmUnavailable, LlmUnusable
from services.llm.fallback import RESERVE_SECONDS
from services.llm.messages import Completion, Delta, JsonSchema, Message
from services.llm.settings import LlmSettings, Price, TaskSettings
from services.llm.usage import Meter, TokenCount, estimate_count
from services.runtime.deadline import budget
from services.vocabulary.usage import Stage, Usage, UsageSource

MOST_CHARACTERS_PER_TOKEN: Final = 16
"""An answer with more of them than its bound on tokens allows has broken the bound; the longest words of common
vocabularies have about as many, the average four."""


@asynccontextmanager
async def open_chat_model(settings: LlmSettings, stage: Stage) -> AsyncIterator["OpenAiChatModel | None"]:
    """The configured model for as long as the context lasts; None where none is configured.

    Reaches no endpoint by itself. Usages are named after `stage`.
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


@dataclass(slots=True)
class OpenAiChatModel:
    """A `ChatModel` by the chat completions API, with connections of their own for each endpoint."""

    settings: LlmSettings
    meter: Meter
    _endpoints: dict[tuple[str, str], Endpoint] = field(default_factory=dict)

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        task: str,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
    ) -> Completion:
        """See `ChatModel.complete`."""
        chosen, started = self.settings.of_task(task), time.monotonic()
        request = self._request(chosen, messages, max_tokens) | self._form(schema)
        answer = await self._endpoint(chosen).answer(request, _end(chosen, started))
        with _readable():
            text, finish = _text_of(answer)
            counted = answer.get("usage")
        usage = self._usage(task, chosen, started, counted, messages, text)
        _refuse_unless_usable(text, finish, usage)
        return Completion(text, usage, finish == "length")

    async def stream(
        self, messages: Sequence[Message], *, task: str, max_tokens: int | None = None
    ) -> AsyncGenerator[Delta, None]:
        """See `ChatModel.stream`."""
        chosen, started = self.settings.of_task(task), time.monotonic()
        request = {**self._request(chosen, messages, max_tokens), "stream_options": {"include_usage": True}}
        chunks = self._endpoint(chosen).chunks(request, _end(chosen, started))
        answer = _StreamedAnswer(MOST_CHARACTERS_PER_TOKEN * (max_tokens or self.most_output))
        try:
            async with aclosing(chunks):
                async for together in chunks:
                    if text := answer.add(together):
                        yield Delta(text)
                    if answer.is_over:
                        break
            answer.refuse_unless_whole()
        except LlmError as error:
            if answer.text or answer.usage or isinstance(error, LlmTooSlow):
                error.usage = self._usage(task, chosen, started, answer.usage, messages, answer.text)
            raise
        usage = self._usage(task, chosen, started, answer.usage, messages, answer.text)
        yield Delta(usage=usage, truncated=answer.finish == "length")

    def estimated(self, messages: Sequence[Message], text: str, *, task: str, milliseconds: float) -> Usage:
        """See `PricedModel.estimated`."""
        model = self.settings.of_task(task).model or ""
        return self.meter.measure(task, model, milliseconds, estimate_count(messages, text), UsageSource.ESTIMATED)

    def price_of(self, task: str) -> Price | None:
        """See `PricedModel.price_of`."""
        return self.meter.prices.get(self.settings.of_task(task).model or "")

    def named(self, model: str) -> "OpenAiChatModel":
        """The same endpoints, and their connections, with one model for every task."""
        return replace(self, settings=self.settings.named(model))

    def warm_up(self) -> None:
        """Load the library, which would hold up the first request."""
        import aiohttp  # noqa: F401

    async def close(self) -> None:
        """Close all connections."""
        for endpoint in self._endpoints.values():
            await endpoint.close()

    def _endpoint(self, chosen: TaskSettings) -> Endpoint:
        if chosen.base_url is None:
            raise LlmUnavailable("no language model is configured for this task")
        key = chosen.api_key.get_secret_value() if chosen.api_key else "none"
        if (chosen.base_url, key) not in self._endpoints:
            address = chosen.base_url.rstrip("/")
            own = Endpoint(address, key, self.settings.connect_seconds, self.settings.retries)
            self._endpoints[chosen.base_url, key] = own
        return self._endpoints[chosen.base_url, key]

    def _request(self, chosen: TaskSettings, messages: Sequence[Message], max_tokens: int | None) -> dict[str, Any]:
        return {
            "model": chosen.model,
            "temperature": chosen.temperature,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            self.settings.output_limit_field: max_tokens or self.most_output,
        }

    @property
    def most_output(self) -> int:
        """See `PricedModel.most_output`."""
        return self.settings.max_output_tokens

    def _form(self, schema: JsonSchema | None) -> dict[str, Any]:
        if schema is None or self.settings.structured_output == "prompt":
            return {}
        if self.settings.structured_output == "json_object":
            return {"response_format": {"type": "json_object"}}
        form = {"name": "answer", "schema": dict(schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": form}}

    def _usage(
        self,
        task: str,
        chosen: TaskSettings,
        started: float,
        counted: Mapping[str, int] | None,
        messages: Sequence[Message],
        text: str,
    ) -> Usage:
        milliseconds = 1000 * (time.monotonic() - started)
        count = _counted(counted) if counted else None
        source = UsageSource.PROVIDER if count else UsageSource.ESTIMATED
        tokens = count or estimate_count(messages, text)
        return self.meter.measure(task, chosen.model or "", milliseconds, tokens, source)


@dataclass(slots=True)
class _StreamedAnswer:
    """What has come of a stream so far."""

    most: int
    """Characters; who sends more doesn't keep to the bound on tokens, and is not read on."""
    text: str = ""
    finish: str | None = None
    usage: Mapping[str, int] | None = None
    failed: LlmError | None = None

    def add(self, chunks: Sequence[Any]) -> str:
        """The new text of chunks that came together, up to one that can't be read; remembers the rest."""
        new: list[str] = []
        try:
            with _readable():
                for chunk in chunks:
                    new.append(self._text_of(chunk))
        except LlmError as error:
            self.failed = error
        text = "".join(new)[: self.most - len(self.text)]
        self.text += text
        self.finish = "length" if len(self.text) >= self.most else self.finish
        return text

    @property
    def is_over(self) -> bool:
        """Whether nothing more is wanted of it: it can't be read, or is longer than may be."""
        return self.failed is not None or len(self.text) >= self.most

    def _text_of(self, chunk: Any) -> str:
        if chunk.get("error"):
            raise LlmUnavailable("the language model's endpoint reports an error in the middle of its answer")
        self.usage = chunk.get("usage") or self.usage
        if not (choices := chunk.get("choices")):
            return ""
        self.finish = choices[0].get("finish_reason") or self.finish
        # An endpoint that can't stream answers with a whole message.
        message = choices[0].get("delta") or choices[0].get("message") or {}
        return _words(message.get("content"))

    def refuse_unless_whole(self) -> None:
        """Raise when it ended too early, or is of no use."""
        if self.failed is not None:
            raise self.failed
        if self.finish is None:
            raise LlmUnavailable("the language model's stream broke off")
        _refuse_unless_usable(self.text, self.finish)


def _end(chosen: TaskSettings, started: float) -> float | None:
    """When an answer must be there: by the settings or the call's deadline, less what is kept for the rules."""
    seconds = budget(chosen.timeout_seconds, RESERVE_SECONDS)
    return None if seconds is None else started + seconds


def _counted(usage: Any) -> TokenCount | None:
    """The provider's own count; None where it can't be read."""
    try:
        return TokenCount(int(usage["prompt_tokens"]), int(usage["completion_tokens"]))
    except (KeyError, TypeError, ValueError):
        return None


def _text_of(answer: Any) -> tuple[str, str | None]:
    """Text and why it ends."""
    choice = answer["choices"][0]
    return _words(choice["message"].get("content")), choice.get("finish_reason")


def _words(content: object) -> str:
    """The content of a message; null is none."""
    if content is not None and not isinstance(content, str):
        raise TypeError("content is text")
    return content or ""


def _refuse_unless_usable(text: str, finish: str | None, usage: Usage | None = None) -> None:
    if finish == "content_filter":
        refused = LlmUnusable("the language model's provider filtered the answer")
    elif not text.strip():
        refused = LlmUnusable("the language model answered nothing")
    else:
        return
    refused.usage = usage
    raise refused


@contextmanager
def _readable() -> Iterator[None]:
    """Nothing checks the form of what was parsed: reading it may fail anywhere."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise LlmUnusable("the endpoint's answer is no chat completion") from error
