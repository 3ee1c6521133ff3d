"""A client of the chat completions API on OpenAI's library: sends a request, returns a stream of JSON.

The library finds proxies and supports Azure's addresses. It uses aiohttp, the cheaper of its two
transports (1.7 ms of CPU for an answer of 60 pieces that arrive together, httpx 2.5), and this module parses the raw
answer: objects of each chunk, as the library makes them, would take 4.6 ms more. The library is imported when the first
model is opened: it costs 20 MB and half a second, and most installations have no model.
Texts of the endpoint stay in the cause of an error and out of its message.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from libs.llm.capabilities import INTERNAL, Capabilities
from libs.llm.endpoint_errors import retry_after, typed_errors
from libs.llm.errors import LlmUnusable
from libs.llm.thoughts import ThoughtFilter

if TYPE_CHECKING:
    import httpx2
    from openai import APIError, AsyncAPIResponse, AsyncOpenAI

FIRST_WAIT, MAX_WAIT = 0.5, 8.0
"""Seconds before the first retry, doubled each time, up to the second value; the same as in OpenAI's library. An
endpoint that asks for a longer wait counts as down: a user waits for the answer, and the rules can give one."""
PASSING: Final = frozenset((408, 409, 429))
"""HTTP statuses below 500 of a request that may succeed later, as in OpenAI's library."""
CONNECT_SECONDS: Final = 2.0
"""Timeout for connecting to the endpoint: an address that answers at all does within a second. Chosen by hand."""
_DATA: Final = b"data:"
_DONE: Final = b"[DONE]"
NO_KEY: Final = "none"
"""Stands for a missing key; without it the library uses the environment's key, which is for another address."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of an endpoint, with the credentials for it."""

    base_url: str
    key: str = field(default=NO_KEY, repr=False)
    api_version: str | None = None
    """Version of Azure's API; None for an endpoint that isn't Azure's."""


@dataclass(slots=True)
class Connection:
    """The connections to one address, and the capabilities that its models have shown.

    Close it when it is no longer used.
    """

    address: Address
    retries: int
    assumed: Capabilities = field(default_factory=Capabilities)
    """Capabilities assumed of each model before its first request."""
    _client: "AsyncOpenAI | None" = None
    _capabilities: dict[str, Capabilities] = field(default_factory=dict)

    async def chunks(self, request: Mapping[str, Any], ends: float | None) -> AsyncGenerator[Any, None]:
        """The chunks of a streamed answer, as JSON, up to its end marker; closing drops the connection.

        If an endpoint answers with a single JSON object instead, that is the only chunk.

        Args:
            request: the API's fields, without `stream`; fields that the model doesn't support are left out.
            ends: deadline of the last chunk, in seconds of time.monotonic; None sets no limit.

        Raises:
            LlmError: the endpoint cannot be reached, refuses, is too slow, doesn't answer with JSON, or breaks off.
        """
        async with self._response({**request, "stream": True}, ends) as response:
            if response.headers.get("content-type", "").startswith("application/json"):
                async with asyncio.timeout(_seconds_left(ends)):
                    content = await response.read()
                yield _json_of(content)
                return
            parts, remainder = response.iter_bytes(), b""
            while True:
                async with asyncio.timeout(_seconds_left(ends)):
                    part = await anext(parts, b"")
                *lines, remainder = (remainder + part).split(b"\n")
                for event in (line[len(_DATA) :].strip() for line in lines if line.startswith(_DATA)):
                    if event == _DONE:
                        return
                    yield _json_of(event)
                if not part:
                    return

    def known(self, model: str) -> Capabilities:
        """The capabilities that a model has shown so far."""
        return self._capabilities.get(model, self.assumed)

    @contextmanager
    def thoughts(self, model: str, is_form: bool) -> Iterator[ThoughtFilter]:
        """A filter that removes the thoughts from one answer; what it learns about the model is kept afterwards."""
        before = self.known(model).opens_thoughts
        thoughts = ThoughtFilter(before, is_form=is_form)
        try:
            yield thoughts
        finally:
            if thoughts.opens != before:
                self._capabilities[model] = replace(self.known(model), opens_thoughts=thoughts.opens)

    def open(self) -> "AsyncOpenAI":
        """Load the library and the certificates, which would delay the first request."""
        if self._client is None:
            self._client = _client(self.address)
        return self._client

    async def close(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.close()

    @asynccontextmanager
    async def _response(self, request: Mapping[str, Any], ends: float | None) -> "AsyncIterator[AsyncAPIResponse[Any]]":
        """The response to a successful request, closed at the end."""
        with typed_errors():
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(_seconds_left(ends)):
                    response = await self._supported_response(stack, request, ends)
                yield response

    async def _supported_response(
        self, stack: AsyncExitStack, request: Mapping[str, Any], ends: float | None
    ) -> "AsyncAPIResponse[Any]":
        """The response to the request, reduced to what the model supports; raises the first refusal if all fail."""
        from openai import APIConnectionError, APIStatusError

        model, capabilities, attempt = request["model"], self.known(request["model"]), 0
        refusal: APIError | None = None
        while True:
            try:
                response = await stack.enter_async_context(self._send(capabilities.applied(request)))
            except (APIConnectionError, APIStatusError) as error:
                status = error.status_code if isinstance(error, APIStatusError) else 0
                if less := capabilities.lessened(request, status, str(error.body)):
                    capabilities, refusal = less, refusal or error
                elif refusal or attempt == self.retries or (wait := _wait(error, attempt, ends)) is None:
                    raise refusal or error from None
                else:
                    attempt += 1
                    await asyncio.sleep(wait)
            else:
                if refusal is not None:
                    # Another answer may have set `opens_thoughts` in the meantime.
                    begins = self.known(model).opens_thoughts
                    self._capabilities[model] = replace(capabilities, opens_thoughts=begins)
                return response

    def _send(self, request: Mapping[str, Any]) -> "AbstractAsyncContextManager[AsyncAPIResponse[Any]]":
        create: Any = self.open().chat.completions.with_streaming_response.create
        response: AbstractAsyncContextManager[AsyncAPIResponse[Any]] = create(**request)
        return response


def _wait(error: "APIError", attempt: int, ends: float | None) -> float | None:
    """Seconds before a failed request is repeated; None if it would fail again, or the time does not suffice."""
    response: httpx2.Response | None = getattr(error, "response", None)  # none came if the connection broke
    if response is not None and response.status_code not in PASSING and response.status_code < INTERNAL:
        return None
    asked = retry_after(response.headers) if response is not None else None
    wait, left = asked or min(FIRST_WAIT * 2.0**attempt, MAX_WAIT), _seconds_left(ends)
    return wait if wait <= MAX_WAIT and (left is None or wait < left) else None


def _client(address: Address) -> "AsyncOpenAI":
    import httpx2
    from openai import AsyncAzureOpenAI, AsyncOpenAI, DefaultAioHttpClient

    # `asyncio.timeout` limits the time of the whole request.
    timeout = httpx2.Timeout(None, connect=CONNECT_SECONDS)
    # The library would wait for up to two minutes if the endpoint asks for that, knows no deadline, and retries after
    # every 500.
    http = DefaultAioHttpClient(timeout=timeout)
    common: dict[str, Any] = {"api_key": address.key, "max_retries": 0, "http_client": http}
    if address.api_version is None:
        return AsyncOpenAI(base_url=address.base_url, **common)
    if urlsplit(address.base_url).path.strip("/"):
        return AsyncAzureOpenAI(base_url=address.base_url, api_version=address.api_version, **common)
    return AsyncAzureOpenAI(azure_endpoint=address.base_url, api_version=address.api_version, **common)


def _json_of(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise LlmUnusable("the endpoint's answer is not a chat completion") from error


def _seconds_left(ends: float | None) -> float | None:
    return None if ends is None else max(0.0, ends - time.monotonic())
