"""The messages of an incoming call: received, decoded and checked here, so that each failure gets a status of ours.

gRPC's own decoding answers undecodable bytes with UNKNOWN, and a call that ends without its message never.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import DecodeError

from libs.runtime.errors import DeadlineExceeded, InvalidInput
from libs.runtime.serving.validation import Validation


@dataclass(frozen=True, slots=True)
class RequestReader:
    """Reads the requests of one method."""

    decode: Callable[[bytes], Any]
    """The generated decoder of its request message."""
    validation: Validation
    check: Callable[[Any, bytes], None]
    """Checks the message's bytes against the call's context; of a stream once, without bytes."""
    idle_seconds: float
    """How long the next message may take to arrive."""
    receive: Callable[[Any, int], None] = lambda context, size: None
    """Counts a message of so many bytes before it is decoded."""

    async def one(self, context: Any) -> Any:
        """Return the only message of a call.

        Raises:
            InvalidInput: there is none, it cannot be decoded, or it violates the contract.
            DeadlineExceeded: it does not come.
        """
        content = await self._receive(context)
        if content is grpc.aio.EOF:
            raise InvalidInput("", "The call ended without its request message.", "MESSAGE_MISSING")
        self.check(context, content)
        self.receive(context, len(content))
        return self._decode(content)

    async def each(self, context: Any) -> AsyncIterator[Any]:
        """Yield the messages of a request stream; errors as with `one`, except that there may be none."""
        while (content := await self._receive(context)) is not grpc.aio.EOF:
            self.receive(context, len(content))
            yield self._decode(content)

    async def stream(self, context: Any) -> AsyncIterator[Any]:
        """Return `each`; for use in the place of `one`."""
        self.check(context, b"")
        return self.each(context)

    async def _receive(self, context: Any) -> Any:
        try:
            async with asyncio.timeout(self.idle_seconds) as timer:
                return await context.read()
        except TimeoutError:
            if timer.expired():
                raise DeadlineExceeded(f"The client sent no message for {self.idle_seconds:g} seconds.") from None
            raise

    def _decode(self, content: bytes) -> Any:
        try:
            message = self.decode(content)
        except DecodeError:
            raise InvalidInput(
                "", "The message cannot be decoded: it is not of this method's type, or damaged.", "MESSAGE_UNDECODABLE"
            ) from None
        self.validation.check(message)
        return message


async def unread(context: Any) -> None:
    """Read nothing, for methods that do not exist."""
