"""A chat model behind an OpenAI-compatible endpoint.

`openai` is imported when the first model is opened: it costs seconds and 46 MB, and most installations have none.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from services.llm.errors import LlmTooSlow, LlmUnavailable, LlmUnusable
from services.llm.fallback import RESERVE_SECONDS
from services.llm.messages import Completion, Delta, JsonSchema, Message
from services.llm.settings import LlmSettings, TaskSettings
from services.llm.usage import Meter, TokenCount, estimate_count
from services.runtime.deadline import budget
from services.vocabulary.usage import Stage, Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletion, ChatCompletionChunk


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
    """A `ChatModel` by the chat completions API, with one client for each endpoint."""

    settings: LlmSettings
    meter: Meter
    _clients: dict[tuple[str, str], "AsyncOpenAI"] = field(default_factory=dict)

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
        with _translated_errors():
            async with asyncio.timeout(budget(chosen.timeout_seconds, RESERVE_SECONDS)):
                answer = await self._client(chosen).chat.completions.create(**request)
        with _readable():
            text, finish = _text_of(answer)
        usage = self._usage(task, chosen, started, answer.usage, messages, text)
        _refuse_unless_usable(text, finish, usage)
        return Completion(text, usage, finish == "length")

    async def stream(
        self, messages: Sequence[Message], *, task: str, max_tokens: int | None = None
    ) -> AsyncGenerator[Delta, None]:
        """See `ChatModel.stream`."""
        chosen, started = self.settings.of_task(task), time.monotonic()
        seconds = budget(chosen.timeout_seconds, RESERVE_SECONDS)
        ends = started + seconds if seconds is not None else None
        request = self._request(chosen, messages, max_tokens)
        with _translated_errors():
            async with asyncio.timeout(seconds):
                chunks = await self._client(chosen).chat.completions.create(
                    **request, stream=True, stream_options={"include_usage": True}
                )
        if not hasattr(chunks, "close"):
            raise LlmUnusable("the language model's endpoint did not answer with a stream")
        answer = _StreamedAnswer()
        try:
            async for text in _texts(chunks, answer, ends):
                yield Delta(text)
        finally:
            await chunks.close()
        usage = self._usage(task, chosen, started, answer.usage, messages, answer.text)
        yield Delta(usage=usage, truncated=answer.finish == "length")

    def named(self, model: str) -> "OpenAiChatModel":
        """The same endpoints, and their connections, with one model for every task."""
        return replace(self, settings=self.settings.named(model))

    def warm_up(self) -> None:
        """Load the library and open the clients, which takes seconds and would hold up the first request."""
        for task in ("", *self.settings.tasks):
            chosen = self.settings.of_task(task)
            if chosen.base_url:
                _ = self._client(chosen).chat.completions  # loaded when it is first touched

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            await client.close()

    def _client(self, chosen: TaskSettings) -> "AsyncOpenAI":
        if chosen.base_url is None:
            raise LlmUnavailable("no language model is configured for this task")
        key = chosen.api_key.get_secret_value() if chosen.api_key else "none"
        if (chosen.base_url, key) not in self._clients:
            self._clients[chosen.base_url, key] = self._open_client(chosen.base_url, key)
        return self._clients[chosen.base_url, key]

    def _open_client(self, base_url: str, key: str) -> "AsyncOpenAI":
        import openai

        timeout = openai.Timeout(None, connect=self.settings.connect_seconds)  # the rest is `asyncio.timeout`'s
        return openai.AsyncOpenAI(base_url=base_url, api_key=key, timeout=timeout, max_retries=self.settings.retries)

    def _request(self, chosen: TaskSettings, messages: Sequence[Message], max_tokens: int | None) -> dict[str, Any]:
        return {
            "model": chosen.model,
            "temperature": chosen.temperature,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            self.settings.output_limit_field: max_tokens or self.settings.max_output_tokens,
        }

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
        counted: "CompletionUsage | None",
        messages: Sequence[Message],
        text: str,
    ) -> Usage:
        milliseconds = 1000 * (time.monotonic() - started)
        with _readable():
            count = TokenCount(counted.prompt_tokens, counted.completion_tokens) if counted else None
        return self.meter.measure(task, chosen.model or "", milliseconds, count, estimate_count(messages, text))


@dataclass(slots=True)
class _StreamedAnswer:
    """What has come of a stream so far."""

    text: str = ""
    finish: str | None = None
    usage: "CompletionUsage | None" = None

    def add(self, chunk: "ChatCompletionChunk") -> str:
        """The new text of a chunk; remembers the rest."""
        self.usage = chunk.usage or self.usage
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self.finish = choice.finish_reason or self.finish
        text = choice.delta.content or ""
        self.text += text
        return text


async def _texts(
    chunks: "AsyncStream[ChatCompletionChunk]", answer: _StreamedAnswer, ends: float | None
) -> AsyncIterator[str]:
    """The pieces of text of a stream until it is finished; `ends` in time.monotonic's seconds."""
    while True:
        with _translated_errors():
            async with asyncio.timeout(None if ends is None else max(0.0, ends - time.monotonic())):
                try:
                    chunk = await anext(chunks)
                except StopAsyncIteration:
                    break
        with _readable():
            text = answer.add(chunk)
        if text:
            yield text
    if answer.finish is None:
        raise LlmUnavailable("the language model's stream broke off")
    _refuse_unless_usable(answer.text, answer.finish)


def _text_of(answer: "ChatCompletion") -> tuple[str, str | None]:
    """Text and why it ends."""
    choice = answer.choices[0]
    return choice.message.content or "", choice.finish_reason


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
    """The library doesn't check what it parsed (a proxy's page comes as a string): reading it may fail anywhere."""
    try:
        yield
    except (AttributeError, IndexError, TypeError) as error:
        raise LlmUnusable("the endpoint's answer is no chat completion") from error


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Turns what the library raises into ours; texts of the endpoint stay in the cause, out of messages."""
    import openai

    try:
        yield
    except (TimeoutError, openai.APITimeoutError) as error:
        raise LlmTooSlow from error
    except openai.APIStatusError as error:
        raise _of_status(error.status_code, error.response.headers.get("retry-after")) from error
    except openai.APIConnectionError as error:
        raise LlmUnavailable("the language model can't be reached, or left in the middle") from error
    except (openai.OpenAIError, ValueError) as error:
        # JSON that is none, or no chat completion: the library raises whatever its parsing met.
        raise LlmUnusable("the endpoint's answer is no chat completion") from error


def _of_status(status: int, retry_after: str | None) -> LlmUnavailable | LlmUnusable:
    if status in (400, 413, 422):
        return LlmUnusable(f"the language model's endpoint refuses the request (HTTP {status})")
    wait = float(retry_after) if retry_after and retry_after.replace(".", "", 1).isdecimal() else None
    return LlmUnavailable(f"the language model's endpoint answers HTTP {status}", wait)
