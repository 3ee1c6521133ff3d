"""Calls to another process of the suite that outlast its restart.

async with open_peer("127.0.0.1:50053", "retrieve") as peer:
    stub = retrieve_pb2_grpc.RetrieveServiceStub(peer.channel)
    ranges = await peer.unary(stub.DetectRange, request, timeout=2.0)
"""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import aclosing, asynccontextmanager
from typing import Any, Final, TypeVar

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from libs.runtime import deadline
from libs.runtime.calling.channel import (
    MAX_ATTEMPTS,
    ChannelSettings,
    Metadata,
    StreamCall,
    UnaryCall,
    open_channel,
    stream,
    unary,
)
from libs.runtime.calling.outage import Outage
from libs.runtime.errors import Cancelled, ParleyError, Unavailable

CHECK_SECONDS: Final = 0.5
"""Timeout of one health check during an outage."""

Response = TypeVar("Response")


class Peer:
    """One other process. Its calls must be safe to repeat; what already brought a response is never repeated.

    A call that finds no process at the other end waits for its restart and is sent again, within the call's deadline
    and `ChannelSettings.restart_seconds`; see `Outage`.
    """

    def __init__(self, channel: grpc.aio.Channel, name: str, settings: ChannelSettings) -> None:
        self.channel = channel
        self._health = health_pb2_grpc.HealthStub(channel)
        self._attempts = MAX_ATTEMPTS if settings.retries else 1
        self.outage = Outage(name, self._is_serving, settings.restart_seconds if settings.retries else 0.0)

    async def unary(
        self,
        method: Callable[..., UnaryCall[Response]],
        request: Any,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - the call's deadline
        metadata: Metadata = (),
    ) -> Response:
        """See `libs.runtime.calling.channel.unary`.

        Raises:
            Unavailable: the process cannot be reached, even after a restart's time.
            ParleyError: the call failed.
        """
        ends = _ends(timeout)
        for attempt in range(1, self._attempts + 1):
            await self.outage.wait(_left(ends))
            try:
                return await unary(method, request, timeout=_left(ends), metadata=metadata)
            except (Unavailable, Cancelled) as error:
                self._begin_outage(error, is_last=attempt == self._attempts)
        raise AssertionError("unreachable")

    async def stream(
        self,
        method: Callable[..., StreamCall[Response]],
        request: Any,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - the call's deadline
        metadata: Metadata = (),
    ) -> AsyncGenerator[Response, None]:
        """See `libs.runtime.calling.channel.stream`; errors as with `unary`. Repeated only before its first one."""
        ends, is_repeatable = _ends(timeout), True
        for attempt in range(1, self._attempts + 1):
            await self.outage.wait(_left(ends))
            try:
                async with aclosing(stream(method, request, timeout=_left(ends), metadata=metadata)) as responses:
                    async for response in responses:
                        is_repeatable = False
                        yield response
                return
            except (Unavailable, Cancelled) as error:
                self._begin_outage(error, is_last=attempt == self._attempts or not is_repeatable)

    def _begin_outage(self, error: ParleyError, is_last: bool) -> None:
        """Begin an outage if no process answered.

        Raises:
            ParleyError: the process itself answered with it.
            Unavailable: this was the last attempt.
        """
        if not error.is_unanswered:
            raise error
        self.outage.begin()
        if is_last:
            raise self.outage.error() from error

    async def _is_serving(self) -> bool:
        try:
            request = health_pb2.HealthCheckRequest()
            answer = await unary(self._health.Check, request, timeout=CHECK_SECONDS)
        except ParleyError:
            return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


@asynccontextmanager
async def open_peer(
    target: str, name: str, settings: ChannelSettings | None = None, idempotent: Iterable[str] = ()
) -> AsyncIterator[Peer]:
    """A peer at `target`; see `open_channel`.

    Args:
        name: the process's name for logs and messages.
    """
    channel_settings = settings or ChannelSettings()
    async with open_channel(target, channel_settings, idempotent) as channel:
        peer = Peer(channel, name, channel_settings)
        try:
            yield peer
        finally:
            await peer.outage.end()


def _ends(seconds: float | None) -> float | None:
    """When a call that may take that long has to end, in time.monotonic's seconds."""
    budget = deadline.budget(seconds)
    return None if budget is None else time.monotonic() + budget


def _left(ends: float | None) -> float | None:
    return None if ends is None else max(0.0, ends - time.monotonic())
