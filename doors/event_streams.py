"""Server-sent events, the same at each door: how one is written, and signs of life while nothing is said."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, TypeVar

T = TypeVar("T")

SILENT_SECONDS: Final = 10.0
"""Silence after which a stream says that it lives; proxies cut one that is silent for 15 s to 60 s."""
ALIVE: Final = ": keep-alive\n\n"
"""A comment, which readers of server-sent events leave aside."""
MEDIA_TYPE: Final = "text/event-stream"
HEADERS: Final = {"cache-control": "no-cache", "x-accel-buffering": "no"}
"""No proxy keeps a stream back."""


def event(data: str, name: str = "", event_id: str = "") -> str:
    """An event; its data have one line."""
    fields = (("event", name), ("id", event_id), ("data", data))
    return "".join(f"{field}: {value}\n" for field, value in fields if value) + "\n"


async def with_silences(stream: AsyncIterator[T]) -> AsyncIterator[T | None]:
    """The pieces, and None whenever none came for so long; who leaves cancels the wait for the next one."""
    while True:
        coming = asyncio.ensure_future(anext(stream, None))
        try:
            while not (await asyncio.wait((coming,), timeout=SILENT_SECONDS))[0]:
                yield None
        finally:
            coming.cancel()
            await asyncio.wait((coming,))
        piece = coming.result()
        if piece is None:
            return
        yield piece
