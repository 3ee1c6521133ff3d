"""The messages of an outgoing stream, whose failure ends the stream instead of the call."""

from collections.abc import AsyncIterable, AsyncIterator
from typing import Any


class RequestStream:
    """Iterates over messages. gRPC would cancel a call whose messages fail, and lose the other side's responses."""

    def __init__(self, messages: AsyncIterable[Any]) -> None:
        self._messages = messages
        self.error: Exception | None = None
        """Why the messages ended early."""

    @classmethod
    def of(cls, request: Any) -> "RequestStream | None":
        """The stream of a request; None for a single message."""
        return cls(request) if hasattr(request, "__aiter__") else None

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            async for message in self._messages:
                yield message
        except Exception as error:
            self.error = error
