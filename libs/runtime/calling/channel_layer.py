"""A channel over another one, for what a channel adds to each call."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self

import grpc

Method = Callable[..., Any]
"""Starts a call: a multi-callable of grpc.aio."""


class ChannelLayer(grpc.aio.Channel):
    """Passes on all but its methods, which subclasses make; see grpc.aio.Channel for what each does."""

    @property
    @abstractmethod
    def under(self) -> grpc.aio.Channel:
        """The channel below."""
        ...

    @abstractmethod
    def method(self, kind: str, path: str, *more: Any, **options: Any) -> Method:
        """A method of a kind, such as "unary_stream"."""
        ...

    def unary_unary(self, method: str, *more: Any, **options: Any) -> Any:
        return self.method("unary_unary", method, *more, **options)

    def unary_stream(self, method: str, *more: Any, **options: Any) -> Any:
        return self.method("unary_stream", method, *more, **options)

    def stream_unary(self, method: str, *more: Any, **options: Any) -> Any:
        return self.method("stream_unary", method, *more, **options)

    def stream_stream(self, method: str, *more: Any, **options: Any) -> Any:
        return self.method("stream_stream", method, *more, **options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.close()

    async def close(self, grace: float | None = None) -> None:
        await self.under.close(grace)

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        return self.under.get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        await self.under.wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        await self.under.channel_ready()
