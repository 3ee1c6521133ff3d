"""A stub of the chat completions API, served on an event loop of this machine by the standard library alone."""

import asyncio
import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from typing import Any

STREAM_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
STREAM_END = b"0\r\n\r\n"
DONE = "[DONE]"


class StubModel(ABC):
    """A model that counts what it is asked: /stats tells it, /reset begins anew."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    @abstractmethod
    async def complete(self, request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        """Answer a request by its JSON."""

    async def serve_forever(self, port: int) -> None:
        """Answer all connections on a port of this machine, request after request, until it is stopped."""
        serving = asyncio.start_server(self._serve, "127.0.0.1", port, limit=1 << 24, backlog=1024)  # more than is sent
        async with await serving as server:
            await server.serve_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin1")
                length = re.search(r"content-length: *(\d+)", head, re.IGNORECASE)
                body = await reader.readexactly(int(length[1])) if length else b""
                await self._respond(head.split(" ", 2)[1], json.loads(body or b"{}"), writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _respond(self, path: str, request: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        if path.endswith("/stats"):
            writer.write(json_response(self.counts))
        elif path.endswith("/reset"):
            self.counts.clear()
            writer.write(json_response({}))
        else:
            await self.complete(request, writer)


def json_response(content: object) -> bytes:
    """A whole HTTP response."""
    body = json.dumps(content).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)


def completion(text: str, tokens: int = 1, prompt_tokens: int = 1) -> dict[str, Any]:
    """A whole answer of so many tokens to a prompt of so many."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    about = {"id": "x", "object": "chat.completion", "created": 1, "model": "stub"}
    return {**about, "choices": [choice], "usage": usage(tokens, prompt_tokens)}


def delta(content: dict[str, str], finish: str | None = None) -> dict[str, Any]:
    """A chunk of a streamed one."""
    about = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    return {**about, "choices": [{"index": 0, "delta": content, "finish_reason": finish}]}


def usage(tokens: int, prompt_tokens: int = 1) -> dict[str, int]:
    """What it took."""
    return {"prompt_tokens": prompt_tokens, "completion_tokens": tokens, "total_tokens": prompt_tokens + tokens}


def event(data: str) -> bytes:
    """An event of a stream, as HTTP sends it."""
    line = f"data: {data}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(line), line)
