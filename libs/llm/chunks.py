"""The chunks of a streamed answer, read off the bytes of the response as plain JSON.

OpenAI's library can read them too, and makes an object of each: `python -m bench.model_client` shows what that costs.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from typing import Any, Final

from libs.llm.errors import LlmUnusable

_DATA: Final = b"data:"
_DONE: Final = b"[DONE]"


async def chunks_of(source: AsyncIterator[bytes], seconds: float | None) -> AsyncGenerator[list[Any], None]:
    """The chunks up to the stream's own end, those that came together in one list.

    Args:
        source: the bytes of server-sent events, cut anywhere.
        seconds: until the last chunk must have come; None sets no limit.

    Raises:
        LlmUnusable: an event is no JSON; what came before it is handed over first.
        TimeoutError: there are more, and the time is over.
        Exception: what the source raises, after all that came before.
    """
    left = b""
    async with aclosing(_gathered(source, seconds)) as parts:
        async for part in parts:
            *lines, left = (left + part).split(b"\n")
            told = [line[len(_DATA) :].strip() for line in lines if line.startswith(_DATA)]
            read, broken = _read([chunk for chunk in told if chunk != _DONE])
            if read:
                yield read
            if broken:
                raise broken
            if _DONE in told:
                return


def json_of(content: bytes) -> Any:
    """A whole answer, or a chunk of one.

    Raises:
        LlmUnusable: it is no JSON.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise LlmUnusable("the endpoint's answer is no chat completion") from error


async def _gathered(source: AsyncIterator[bytes], seconds: float | None) -> AsyncGenerator[bytes, None]:
    """What has come since, each time it is asked for.

    Somebody reads on while nobody asks: aiohttp forgets what it holds as soon as the connection breaks.
    """
    async with asyncio.timeout(seconds) as limit:
        came = bytearray(await anext(source, b""))
    news = asyncio.Event()
    news.set()

    async def read_on() -> None:
        try:
            async with asyncio.timeout_at(limit.when()):
                async for part in source:
                    came.extend(part)
                    news.set()
        finally:
            news.set()

    reading = asyncio.create_task(read_on())
    try:
        while came or not reading.done():
            await news.wait()
            news.clear()
            if came:
                part = bytes(came)
                came.clear()
                yield part
        await reading
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


def _read(chunks: Sequence[bytes]) -> tuple[list[Any], LlmUnusable | None]:
    """The chunks up to the first that is no JSON, and what is wrong with that one."""
    with suppress(LlmUnusable):  # as one text: 60 take less than half the time that they take one by one
        together = json_of(b"[%b]" % b",".join(chunks))
        if len(together) == len(chunks):
            return together, None
    read: list[Any] = []
    for chunk in chunks:
        try:
            read.append(json_of(chunk))
        except LlmUnusable as error:
            return read, error
    return read, None
