"""Calls to another process of the suite that outlast its restart and are repeated while it is unavailable.

async with open_peer("127.0.0.1:50053", "retrieve") as peer:
    stub = retrieve_pb2_grpc.RetrieveServiceStub(peer.channel)
    ranges = await peer.unary(stub.DetectRange, request, timeout=2.0)
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from math import inf
from typing import Any, Final, TypeVar

import grpc
import structlog

from libs.runtime import deadline
from libs.runtime.calling.channel import ChannelSettings, Metadata, UnaryMethod, open_channel, stream, unary
from libs.runtime.errors import Cancelled, DeadlineExceeded, ParleyError, Unavailable

PAUSE_SECONDS: Final = 0.05
"""Time between two looks for a process that could not be reached; gRPC itself connects anew every 0.1 to 0.5 s."""
MAX_ATTEMPTS: Final = 4
"""Attempts of a call that the process answers with UNAVAILABLE, the first included (taste)."""
FIRST_BACKOFF: Final = 0.1
"""Seconds before the second attempt, doubled for each later one, if the answer names no time itself (taste)."""
RETRY_SECONDS: Final = 1.0
"""Seconds after which a caller is asked to try again (taste)."""

Response = TypeVar("Response")
_log = structlog.get_logger("parley.peer")


class Peer:
    """One other process. Its calls must be safe to repeat; what already brought a response is never repeated.

    A call that finds no process at the other end is sent again once there is one, within the call's deadline and
    `ChannelSettings.restart_seconds` from the first call that missed it. So a restart is waited out, and a process that
    stays away costs later calls nothing. A call that a process answers with UNAVAILABLE is sent again a few times.
    """

    def __init__(self, channel: grpc.aio.Channel, name: str, settings: ChannelSettings) -> None:
        """`name` is the process's name for logs and messages."""
        self.channel = channel
        self._name = name
        self._attempts = MAX_ATTEMPTS if settings.retries else 1
        self._patience = settings.restart_seconds if settings.retries else 0.0
        self._missed_at: float | None = None
        """When the first call found no process; None while there is one."""

    async def unary(
        self,
        method: UnaryMethod[Response],
        request: Any,
        timeout: float | None = None,  # noqa: ASYNC109 - the call's deadline
    ) -> Response:
        """See `libs.runtime.calling.channel.unary`.

        Raises:
            Unavailable: the process cannot be reached, even after a restart's time.
            ParleyError: the call failed.
        """
        async with aclosing(self.stream(method, request, timeout=timeout, call=_one)) as responses:
            response: Response = await anext(responses)
            return response

    async def stream(
        self,
        method: Callable[..., Any],
        request: Any,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - the call's deadline
        metadata: Metadata = (),
        call: Callable[..., AsyncGenerator[Any, None]] = stream,
    ) -> AsyncGenerator[Any, None]:
        """See `libs.runtime.calling.channel.stream`; errors as with `unary`. Repeated only before its first one."""
        ends, is_repeatable, refusals = _ends(timeout), True, 0
        while True:
            await self._until_connectable(ends)
            try:
                async with aclosing(call(method, request, timeout=_left(ends), metadata=metadata)) as responses:
                    async for response in responses:
                        is_repeatable = False
                        self._answered()
                        yield response
                return
            except (Unavailable, Cancelled, DeadlineExceeded) as error:
                last = ends if is_repeatable else 0.0
                if error.is_unanswered:
                    await self._missed(error, last)
                else:
                    refusals += 1
                    await self._refused(error, last, refusals)

    async def _until_connectable(self, ends: float) -> None:
        """Return once gRPC is not known to find nobody.

        Raises:
            Unavailable: that lasts too long.
        """
        while self._missed_at and self.channel.get_state(try_to_connect=True) is _NOBODY:
            await self._pause(ends)

    async def _missed(self, error: ParleyError, ends: float) -> None:
        """Note that a call found no process, and wait before it is sent again.

        Raises:
            DeadlineExceeded: there is a process, which takes long.
            Unavailable: there is no time to send it again.
        """
        if self._missed_at is None:
            if isinstance(error, DeadlineExceeded):
                raise error
            self._missed_at = time.monotonic()
            _log.warning("a stage cannot be reached", stage=self._name)
        await self._pause(ends)

    async def _refused(self, error: ParleyError, ends: float, refusals: int) -> None:
        """Note that the process answered with an error, and wait before the call is sent again, or raise the error."""
        self._answered()
        backoff = FIRST_BACKOFF * 2 ** (refusals - 1) * random.uniform(0.8, 1.2)  # gRPC's own jitter
        pause = backoff if error.retry_after is None else error.retry_after
        is_final = not isinstance(error, Unavailable) or refusals >= self._attempts
        if is_final or time.monotonic() + pause >= ends:
            raise error
        await asyncio.sleep(pause)

    async def _pause(self, ends: float) -> None:
        now = time.monotonic()
        if self._missed_at is not None and now >= min(ends, self._missed_at + self._patience):
            message = f"The {self._name} stage cannot be reached: check that its process runs (`parley doctor`)."
            raise Unavailable("STAGE_UNAVAILABLE", message, RETRY_SECONDS)
        await asyncio.sleep(PAUSE_SECONDS)

    def _answered(self) -> None:
        if self._missed_at is not None:
            seconds, self._missed_at = time.monotonic() - self._missed_at, None
            _log.info("a stage serves again", stage=self._name, after_seconds=round(seconds, 1))


@asynccontextmanager
async def open_peer(target: str, name: str, settings: ChannelSettings | None = None) -> AsyncIterator[Peer]:
    """A peer at `target`; see `open_channel` and `Peer`."""
    channel_settings = settings or ChannelSettings()
    async with open_channel(target, channel_settings) as channel:
        yield Peer(channel, name, channel_settings)


async def _one(method: UnaryMethod[Response], request: Any, **options: Any) -> AsyncGenerator[Response, None]:
    """The response of a unary call as a stream."""
    yield await unary(method, request, **options)


_NOBODY: Final = grpc.ChannelConnectivity.TRANSIENT_FAILURE


def _ends(seconds: float | None) -> float:
    """When a call that may take that long has to end, in time.monotonic's seconds."""
    budget = deadline.budget(seconds)
    return inf if budget is None else time.monotonic() + budget


def _left(ends: float) -> float | None:
    return None if ends == inf else max(0.0, ends - time.monotonic())
