"""Parses the chunks of a streamed answer from the response's bytes, as plain JSON.

OpenAI's library can do that too, but makes an object of each chunk: an answer of 60 pieces takes 6.3 ms of CPU instead
of 1.7 if they arrive together, 14.5 ms instead of 6.7 if they come 3 ms apart.
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
    """The chunks up to the stream's end marker, in lists of those that arrived together.

    Args:
        source: the bytes of server-sent events, split at any point.
        seconds: time limit for the whole stream; None sets no limit.

    Raises:
        LlmUnusable: an event isn't JSON; the chunks before it are yielded first.
        TimeoutError: the stream is not complete within the time limit.
        Exception: an error of the source, raised after all earlier chunks.
    """
    remainder = b""
    async with aclosing(_gather(source, seconds)) as parts:
        async for part in parts:
            *lines, remainder = (remainder + part).split(b"\n")
            events = [line[len(_DATA) :].strip() for line in lines if line.startswith(_DATA)]
            values, error = _parse([chunk for chunk in events if chunk != _DONE])
            if values:
                yield values
            if error:
                raise error
            if _DONE in events:
                return


def json_of(content: bytes) -> Any:
    """Parse a whole answer, or a chunk of one.

    Raises:
        LlmUnusable: the content isn't JSON.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise LlmUnusable("the endpoint's answer is not a chat completion") from error


async def _gather(source: AsyncIterator[bytes], seconds: float | None) -> AsyncGenerator[bytes, None]:
    """Yield all bytes that have arrived since the last step.

    A task keeps reading between steps, because aiohttp drops its buffered data as soon as the connection breaks.
    """
    async with asyncio.timeout(seconds) as limit:
        buffer = bytearray(await anext(source, b""))
    news = asyncio.Event()
    news.set()

    async def read_on() -> None:
        try:
            async with asyncio.timeout_at(limit.when()):
                async for part in source:
                    buffer.extend(part)
                    news.set()
        finally:
            news.set()

    reading = asyncio.create_task(read_on())
    try:
        while buffer or not reading.done():
            await news.wait()
            news.clear()
            if buffer:
                part = bytes(buffer)
                buffer.clear()
                yield part
        await reading
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


def _parse(chunks: Sequence[bytes]) -> tuple[list[Any], LlmUnusable | None]:
    """The chunks up to the first that isn't JSON, and the error of that one."""
    with suppress(LlmUnusable):  # parsed as one text: 60 chunks take less than half the time of single ones
        together = json_of(b"[%b]" % b",".join(chunks))
        if len(together) == len(chunks):
            return together, None
    values: list[Any] = []
    for chunk in chunks:
        try:
            values.append(json_of(chunk))
        except LlmUnusable as error:
            return values, error
    return values, None
