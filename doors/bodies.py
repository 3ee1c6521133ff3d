"""Request bodies as they arrive."""

from collections.abc import AsyncIterator

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope


class BodyTooLarge(Exception):  # noqa: N818 - it names what is wrong
    """The body has more bytes than allowed."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(most_bytes)
        self.most_bytes = most_bytes


async def body_parts(scope: Scope, receive: Receive, most_bytes: int) -> AsyncIterator[bytes]:
    """Yield the parts of a body; one that is announced as too large is not read.

    Raises:
        BodyTooLarge: it has more than `most_bytes`.
        ClientDisconnect: it ended too early.
    """
    announced = Headers(scope=scope).get("content-length", "")
    if announced.isdigit() and int(announced) > most_bytes:
        raise BodyTooLarge(most_bytes)
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientDisconnect
        part, more = message.get("body", b""), message.get("more_body", False)
        size += len(part)
        if size > most_bytes:
            raise BodyTooLarge(most_bytes)
        yield part


async def read_body(scope: Scope, receive: Receive, most_bytes: int) -> bytes:
    """The whole body; errors as with `body_parts`."""
    return b"".join([part async for part in body_parts(scope, receive, most_bytes)])


async def until_disconnected(receive: Receive) -> None:
    """Return when the client has gone; call it after the body was read."""
    while (await receive())["type"] != "http.disconnect":
        pass
