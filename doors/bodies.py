"""Request bodies as they arrive, and the largest one; on the event loop, as all of ASGI (the interface of servers)."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_REQUEST_BYTES: Final = 9 * 1024 * 1024
"""Largest request of a call; the contract's largest is a question with its context, 9 MiB."""

LEAST_BYTES: Final = 64 * 1024
"""That must come of a body within the seconds of the setting: 2 KB/s, as at the edge of a mobile network (taste)."""


class BodyTooLarge(Exception):  # noqa: N818 - it names what is wrong
    """The body has more bytes than allowed."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(max_bytes)
        self.max_bytes = max_bytes


async def body_parts(scope: Scope, receive: Receive, max_bytes: int) -> AsyncIterator[bytes]:
    """Yield the parts of a body; one that is announced as too large is not read.

    Raises:
        BodyTooLarge: it has more than `max_bytes`.
        ClientDisconnect: it ended too early.
    """
    announced = Headers(scope=scope).get("content-length", "")
    if announced.isdigit() and int(announced) > max_bytes:
        raise BodyTooLarge(max_bytes)
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientDisconnect
        part, more = message.get("body", b""), message.get("more_body", False)
        size += len(part)
        if size > max_bytes:
            raise BodyTooLarge(max_bytes)
        yield part


async def read_body(scope: Scope, receive: Receive, max_bytes: int) -> bytes:
    """The whole body; errors as with `body_parts`."""
    return b"".join([part async for part in body_parts(scope, receive, max_bytes)])


async def until_disconnected(receive: Receive) -> None:
    """Return when the client has gone; call it after the body was read."""
    while (await receive())["type"] != "http.disconnect":
        pass


class BodiesInTime:
    """Gives up requests whose body hardly comes: each of them holds memory, a connection and perhaps a place.

    Args:
        idle_seconds: the longest wait for LEAST_BYTES more, or for the end. Time in which nobody waits does not count.
    """

    def __init__(self, app: ASGIApp, idle_seconds: float) -> None:
        self._app = app
        self._idle_seconds = idle_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on (ASGI). Its `receive` raises HTTPException 408 if the body does not come in time."""
        in_time = _TimedBody(receive, self._idle_seconds).receive if scope["type"] == "http" else receive
        await self._app(scope, in_time, send)


class _TimedBody:
    """The body of one request."""

    def __init__(self, receive: Receive, idle_seconds: float) -> None:
        self._receive = receive
        self._idle_seconds = idle_seconds
        self._seconds_left: float | None = idle_seconds
        self._bytes = 0

    async def receive(self) -> Message:
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            async with asyncio.timeout(self._seconds_left):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, headers={"connection": "close"}) from None
        self._bytes += len(message.get("body", b""))
        if not message.get("more_body", False):
            self._seconds_left = None
        elif self._bytes >= LEAST_BYTES:
            self._bytes, self._seconds_left = 0, self._idle_seconds
        elif self._seconds_left is not None:
            self._seconds_left -= loop.time() - start
        return message
