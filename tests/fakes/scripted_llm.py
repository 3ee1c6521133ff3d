"""A language model that says what a test tells it to: a local OpenAI-compatible server on a port of its own.

    async with ScriptedLlm() as llm:
        llm.reply("Apollo 11 landed in 1969.")          # the next request is answered so
        llm.reply("{}", when="JSON")                    # the next one whose messages contain "JSON"
        llm.answer_with(lambda request: "Yes.")         # every request that nothing is scripted for
        ... LlmSettings(base_url=llm.base_url) ...
        assert llm.requests[0].prompt.endswith("?")

Scripts are used up in the order they were given; `reply` and `answer_with` serve streaming requests too. A request that
nothing fits gets HTTP 404, so that a test that forgot its script fails.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

Condition = str | Callable[["LlmRequest"], bool] | None


@dataclass(frozen=True, slots=True)
class LlmRequest:
    """What a client asked."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The chat, as it came."""
        messages: list[dict[str, Any]] = self.body.get("messages", [])
        return messages

    @property
    def prompt(self) -> str:
        """All the chat's texts, one below the other."""
        return "\n".join(str(message.get("content")) for message in self.messages)

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema the answer is to be held to."""
        schema: dict[str, Any] | None = self.body.get("response_format", {}).get("json_schema", {}).get("schema")
        return schema

    @property
    def streams(self) -> bool:
        """Whether the answer is wanted as a stream."""
        return bool(self.body.get("stream"))

    @property
    def writes(self) -> bool:
        """Whether a text is wanted as a stream, and no form."""
        return self.streams and self.schema is None


@dataclass(frozen=True, slots=True)
class _Script:
    """How one request is served."""

    pieces: tuple[str, ...] = ()
    when: Condition = None
    before: float = 0.0
    """Seconds of silence before anything."""
    between: float = 0.0
    """Seconds before each piece."""
    usage: bool = True
    finish: str = "stop"
    cut_off: bool = False
    status: int = 200
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def fits(self, request: LlmRequest) -> bool:
        if self.when is None:
            return True
        return self.when in request.prompt if isinstance(self.when, str) else self.when(request)


class ScriptedLlm:
    """See the module's docstring. All times in seconds."""

    def __init__(self) -> None:
        self.requests: list[LlmRequest] = []
        """All requests so far."""
        self.ended: list[tuple[LlmRequest, float]] = []
        """The requests whose answers ended, complete or not, and when, in seconds of time.monotonic."""
        self.disconnects = 0
        """How many clients left before their answer was complete."""
        self.asked = asyncio.Event()
        """Set by the first request."""
        self.left = asyncio.Event()
        """Set by the first client that left early."""
        self._scripts: list[_Script] = []
        self._default: Callable[[LlmRequest], str] | None = None
        self._default_delay = 0.0
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def base_url(self) -> str:
        """Where it listens, for `LlmSettings.base_url`."""
        assert self._server is not None, "not started"
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"http://{host}:{port}/v1"

    async def stop(self) -> None:
        """Go down: running answers break off, new connections are refused."""
        if self._server is None:
            return
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def reply(self, text: str, *, when: Condition = None, usage: bool = True, finish: str = "stop") -> None:
        """Answer with a text; a stream gets it word by word."""
        self._scripts.append(_Script(_words(text), when, usage=usage, finish=finish))

    def stream(self, pieces: Sequence[str], *, delay: float = 0.0, usage: bool = True, when: Condition = None) -> None:
        """Answer with these pieces, each after a delay."""
        self._scripts.append(_Script(tuple(pieces), when, between=delay, usage=usage))

    def slow(self, seconds: float, text: str = "At last.", *, when: Condition = None) -> None:
        """Say nothing for a while, then answer."""
        self._scripts.append(_Script(_words(text), when, before=seconds))

    def cut_off(self, pieces: Sequence[str] = (), *, when: Condition = None) -> None:
        """Send these pieces of a stream, then drop the connection; without pieces nothing is sent."""
        self._scripts.append(_Script(tuple(pieces), when, cut_off=True))

    def fail(
        self,
        status: int,
        *,
        retry_after: float | str | None = None,
        message: str = "scripted failure",
        when: Condition = None,
    ) -> None:
        """Answer with an HTTP error, as 500 or 429."""
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        body = json.dumps({"error": {"message": message, "type": "scripted"}}).encode()
        self._scripts.append(_Script(when=when, status=status, raw=body, headers=headers))

    def nonsense(
        self, body: str = "<html>Welcome</html>", *, content_type: str = "text/html", when: Condition = None
    ) -> None:
        """Answer 200 with something that is no chat completion."""
        self._scripts.append(_Script(when=when, raw=body.encode(), headers={"Content-Type": content_type}))

    def answer_with(self, answer: Callable[[LlmRequest], str], *, delay: float = 0.0) -> None:
        """Answer every request that no script fits by a function of it, each word after a delay."""
        self._default, self._default_delay = answer, delay

    def forget(self) -> None:
        """Drop all scripts and requests, for the next test of a server that stays."""
        self.requests.clear()
        self.ended.clear()
        self._scripts.clear()
        self._default, self.disconnects = None, 0

    def _script_for(self, request: LlmRequest) -> _Script:
        for script in self._scripts:
            if script.fits(request):
                self._scripts.remove(script)
                return script
        if self._default is not None:
            return _Script(_words(self._default(request)), between=self._default_delay)
        body = json.dumps({"error": {"message": f"nothing scripted for: {request.prompt[:200]}"}}).encode()
        return _Script(status=404, raw=body)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request a connection, so that anything more that arrives means that the client has left."""
        request = None
        try:
            request = await _read_request(reader)
            self.requests.append(request)
            self.asked.set()
            answer = asyncio.create_task(_answer(self._script_for(request), request, writer))
            disconnect = asyncio.create_task(reader.read(1))
            done, pending = await asyncio.wait({answer, disconnect}, return_when=asyncio.FIRST_COMPLETED)
            if answer not in done:
                self._client_left()
            for task in pending:
                task.cancel()
            await asyncio.gather(answer, disconnect, return_exceptions=True)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._client_left()
        finally:
            if request is not None:
                self.ended.append((request, time.monotonic()))
            with suppress(ConnectionError):
                writer.close()
                await writer.wait_closed()

    def _client_left(self) -> None:
        self.disconnects += 1
        self.left.set()


@contextmanager
def in_a_thread() -> Iterator[ScriptedLlm]:
    """The server on a loop of its own, for tests that wait without one."""
    loop, llm = asyncio.new_event_loop(), ScriptedLlm()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(llm.__aenter__(), loop).result()
    try:
        yield llm
    finally:
        asyncio.run_coroutine_threadsafe(llm.stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _read_request(reader: asyncio.StreamReader) -> LlmRequest:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return LlmRequest(first.split(" ")[1], headers, json.loads(body or b"{}"))


async def _answer(script: _Script, request: LlmRequest, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(script.before)
    if script.raw is not None:
        await _send_whole(writer, script.status, script.raw, script.headers)
    elif script.cut_off and not (request.streams and script.pieces):
        writer.transport.abort()
        return
    elif request.streams:
        await _send_stream(writer, _events(script, request))
        if script.cut_off:
            writer.transport.abort()
            return
        writer.write(b"0\r\n\r\n")
    else:
        await asyncio.sleep(script.between * len(script.pieces))
        await _send_whole(writer, 200, json.dumps(_completion(script, request)).encode(), {})
    await writer.drain()


async def _send_whole(writer: asyncio.StreamWriter, status: int, body: bytes, headers: dict[str, str]) -> None:
    fields = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"} | headers
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    writer.write(f"HTTP/1.1 {status} Scripted\r\n{lines}\r\n".encode("latin-1") + body)
    await writer.drain()


async def _send_stream(writer: asyncio.StreamWriter, events: AsyncIterator[str]) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
    writer.write(b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
    async for event in events:
        data = f"data: {event}\n\n".encode()
        writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        await writer.drain()


async def _events(script: _Script, request: LlmRequest) -> AsyncIterator[str]:
    for piece in script.pieces:
        await asyncio.sleep(script.between)
        yield json.dumps(_chunk(request, [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]))
    if script.cut_off:
        return
    yield json.dumps(_chunk(request, [{"index": 0, "delta": {}, "finish_reason": script.finish}]))
    if script.usage and request.body.get("stream_options", {}).get("include_usage"):
        yield json.dumps(_chunk(request, []) | {"usage": _usage(script, request)})
    yield "[DONE]"


def _completion(script: _Script, request: LlmRequest) -> dict[str, Any]:
    message = {"role": "assistant", "content": "".join(script.pieces)}
    choices = [{"index": 0, "message": message, "finish_reason": script.finish}]
    answer = _frame(request, "chat.completion") | {"choices": choices}
    return answer | {"usage": _usage(script, request)} if script.usage else answer


def _chunk(request: LlmRequest, choices: list[dict[str, Any]]) -> dict[str, Any]:
    return _frame(request, "chat.completion.chunk") | {"choices": choices}


def _frame(request: LlmRequest, kind: str) -> dict[str, Any]:
    return {"id": "scripted", "object": kind, "created": 0, "model": request.body.get("model", "scripted")}


def _usage(script: _Script, request: LlmRequest) -> dict[str, int]:
    """Words, so that tests can count them."""
    prompt_words, answer_words = len(request.prompt.split()), len("".join(script.pieces).split())
    return {
        "prompt_tokens": prompt_words,
        "completion_tokens": answer_words,
        "total_tokens": prompt_words + answer_words,
    }


def _words(text: str) -> tuple[str, ...]:
    """The text in pieces that make it again."""
    pieces = [word + " " for word in text.split(" ")]
    return (*pieces[:-1], pieces[-1][:-1])
