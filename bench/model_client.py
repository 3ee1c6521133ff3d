"""What a streamed answer of 60 pieces costs its reader in CPU: `python -m bench.model_client [ROUNDS]`.

A stub in another process streams the pieces, once all at once and once each 3 ms after the last; both of OpenAI's
transports ask it, with its own reading of the stream (an object a chunk), and with the bytes read as plain JSON; then
the suite's own way. Milliseconds of processor time an answer: the least of all rounds and the lower quartile, which
what else runs on the machine disturbs least. A round asks in every way, so that all meet the same disturbances.
"""

import asyncio
import json
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Final

from openai import AsyncOpenAI, DefaultAioHttpClient
from rich.console import Console
from rich.table import Table

from libs.llm.capabilities import Capabilities
from libs.llm.chunks import chunks_of
from libs.llm.connection import Address, Connection
from libs.runtime.serving.process import run

PIECES: Final = 60  # a short answer, as in `bench.model`
GAPS: Final[Mapping[str, float]] = {"all at once": 0.0, "3 ms apart": 0.003}
BAR: Final = 8.0
"""Milliseconds that an answer may take: a goal. The gaps, the prompt's length and all other numbers are taste."""
ASKED: Final = [{"role": "system", "content": "Answer briefly."}, {"role": "user", "content": "word " * 1500}]

Way = Callable[[Mapping[str, Any]], Awaitable[int]]
"""Asks for a stream and counts its pieces."""


async def main(rounds: int) -> None:
    """Measure and print."""
    own = await asyncio.create_subprocess_exec(sys.executable, "-m", "bench.model_client", "stub", stdout=PIPE)
    try:
        assert own.stdout is not None
        base_url = f"http://127.0.0.1:{int(await own.stdout.readline())}/v1"
        async with AsyncExitStack() as stack:
            ways = await _ways(base_url, stack)
            times_by_gap = {gap: await _measure(ways, gap, rounds) for gap in GAPS}
        Console().print(_table(times_by_gap))
    finally:
        own.terminate()
        await own.wait()


async def _ways(base_url: str, stack: AsyncExitStack) -> dict[str, Way]:
    common: dict[str, Any] = {"base_url": base_url, "api_key": "none"}
    httpx = await stack.enter_async_context(AsyncOpenAI(**common))
    aiohttp = await stack.enter_async_context(AsyncOpenAI(**common, http_client=DefaultAioHttpClient()))
    own = Connection(Address(base_url), 0, Capabilities())
    stack.push_async_callback(own.close)
    return {
        "httpx, parsed chunks": lambda request: _parse_with_library(httpx, request),
        "httpx, raw response": lambda request: _raw(httpx, request),
        "aiohttp, parsed chunks": lambda request: _parse_with_library(aiohttp, request),
        "aiohttp, raw response": lambda request: _raw(aiohttp, request),
        "the suite's own": lambda request: _own(own, request),
    }


async def _parse_with_library(client: AsyncOpenAI, request: Mapping[str, Any]) -> int:
    create: Any = client.chat.completions.create
    return sum([bool(chunk.choices[0].delta.content) async for chunk in await create(**request, stream=True)])


async def _raw(client: AsyncOpenAI, request: Mapping[str, Any]) -> int:
    create: Any = client.chat.completions.with_streaming_response.create
    async with create(**request, stream=True) as response:
        return await _count_pieces(chunks_of(response.iter_bytes(), None))


async def _own(connection: Connection, request: Mapping[str, Any]) -> int:
    return await _count_pieces(connection.chunks(request, time.monotonic() + 30))


async def _count_pieces(lists: AsyncIterator[Sequence[Any]]) -> int:
    return sum([bool(chunk["choices"][0]["delta"].get("content")) async for chunks in lists for chunk in chunks])


async def _measure(ways: Mapping[str, Way], gap: str, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of processor time of each answer, sorted."""
    request = {"model": gap, "messages": ASKED, "max_tokens": 100, "temperature": 0.0}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for at in range(rounds + 3):  # taste
        for name, way in ways.items():
            busy = time.process_time()
            assert await way(request) == PIECES
            if at >= 3:  # the first ones warm up
                times[name].append(1000 * (time.process_time() - busy))
    return {name: sorted(each) for name, each in times.items()}


def _table(times_by_gap: Mapping[str, Mapping[str, Sequence[float]]]) -> Table:
    table = Table(title=f"CPU ms for a streamed answer of {PIECES} pieces (bar: {BAR:g}, all at once)")
    table.add_column("", no_wrap=True)
    for gap in times_by_gap:
        table.add_column(f"{gap}: least", justify="right")
        table.add_column("quartile", justify="right")
    for name in next(iter(times_by_gap.values())):
        figures = [each[name] for each in times_by_gap.values()]
        table.add_row(name, *(f"{ms:.1f}" for each in figures for ms in (each[0], each[len(each) // 4])))
    return table


async def stub() -> None:
    """Stream the pieces to whoever asks, with the gap that the model's name tells; prints its port first."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            return
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        gap = GAPS[json.loads(await reader.readexactly(length))["model"]]
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in [*(_chunk({"content": f"word{n} "}) for n in range(PIECES)), _chunk({}, "stop"), "[DONE]"]:
            data = f"data: {piece}\n\n".encode()
            writer.write(b"%x\r\n%b\r\n" % (len(data), data))
            if gap:
                await asyncio.sleep(gap)
        writer.write(b"0\r\n\r\n")


def _chunk(delta: Mapping[str, str], finish: str | None = None) -> str:
    frame = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return json.dumps({**frame, "system_fingerprint": "fp_1", "choices": [choice]})


if __name__ == "__main__":
    if sys.argv[1:] == ["stub"]:
        run(stub)
    else:
        run(partial(main, int(sys.argv[1]) if len(sys.argv) > 1 else 30))
