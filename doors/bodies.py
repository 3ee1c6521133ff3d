"""Request bodies as they arrive, and the largest one; on the event loop, as all of ASGI (the interface of servers)."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope

MAX_REQUEST_BYTES: Final = 9 * 1024 * 1024
"""Largest request of a call; the contract's largest is a question with its context, 9 MiB."""

LEAST_BYTES: Final = 64 * 1024
IDLE_SECONDS: Final = 30.0
"""So much must come of a body in so long: 2 KB/s, as at the edge of a mobile network (taste)."""


class BodyTooLarge(Exception):  # noqa: N818 - it names what is wrong
    """The body has more bytes than allowed."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(max_bytes)
        self.max_bytes = max_bytes


async def body_parts(
    scope: Scope, receive: Receive, max_bytes: int, idle_seconds: float = IDLE_SECONDS
) -> AsyncIterator[bytes]:
    """Yield the parts of a body; one that is announced as too large is not read.

    Args:
        idle_seconds: the longest wait for LEAST_BYTES more, or for the end; time in which nobody waits does not count.

    Raises:
        BodyTooLarge: it has more than `max_bytes`.
        ClientDisconnect: it ended too early.
        HTTPException: it does not come in time (408).
    """
    announced = Headers(scope=scope).get("content-length", "")
    if announced.isdigit() and int(announced) > max_bytes:
        raise BodyTooLarge(max_bytes)
    size, more, enough, seconds = 0, True, LEAST_BYTES, idle_seconds
    while more:
        start = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, headers={"connection": "close"}) from None
        if message["type"] != "http.request":
            raise ClientDisconnect
        part, more = message.get("body", b""), message.get("more_body", False)
        size += len(part)
        if size > max_bytes:
            raise BodyTooLarge(max_bytes)
        seconds -= time.monotonic() - start
        if size >= enough:
            enough, seconds = size + LEAST_BYTES, idle_seconds
        yield part


async def read_body(scope: Scope, receive: Receive, max_bytes: int) -> bytes:
    """The whole body; errors as with `body_parts`."""
    return b"".join([part async for part in body_parts(scope, receive, max_bytes)])


async def until_disconnected(receive: Receive) -> None:
    """Return when the client has gone; call it after the body was read."""
    while (await receive())["type"] != "http.disconnect":
        pass
