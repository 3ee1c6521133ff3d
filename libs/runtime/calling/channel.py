"""Channels to other processes, and calls over them with deadline, cancellation, trace and typed errors.

async with open_channel("127.0.0.1:50053") as channel:
    stub = retrieve_pb2_grpc.RetrieveServiceStub(channel)
    ranges = await unary(stub.DetectRange, request, timeout=2.0)
    async with aclosing(stream(stub.Retrieve, request)) as steps:
        async for step in steps: ...
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Literal, TypeVar, cast

import grpc
from pydantic import Field

from libs.runtime.calling.outgoing import OutgoingChannel
from libs.runtime.errors import Unavailable
from libs.runtime.security.tls import TlsSettings
from libs.runtime.security.trust import TrustSettings, open_secrets
from libs.runtime.settings import AreaSettings
from libs.runtime.status import error_from_rpc

KEEPALIVE_MS, KEEPALIVE_TIMEOUT_MS = 30_000, 10_000
"""Idle time after which a connection is pinged (servers accept a ping every 10 s), and the wait for the answer
(taste)."""
MAX_RESPONSE_BYTES: Final = 64 * 1024 * 1024
"""Largest message that can be received: a batch of passages with their vectors, several times over (taste)."""

Metadata = Sequence[tuple[str, str]]
Response = TypeVar("Response")
UnaryMethod = Callable[..., Awaitable[Response]]
StreamMethod = Callable[..., AsyncIterable[Response]]


class ChannelSettings(AreaSettings, area="channel"):
    """How this process calls others."""

    retries: bool = True
    """Repeat calls of stages that got UNAVAILABLE; turn it off where a mesh or proxy already retries."""
    restart_seconds: float = Field(default=3.0, ge=0)  # taste
    """How long a turn's calls wait for a stage that cannot be reached, counted from the first call that missed it, and
    within their deadlines; later calls fail at once until it serves again. A stage restarts in 2 to 3 s. 0: no wait."""
    load_balancing: Literal["pick_first", "round_robin"] = "pick_first"
    """round_robin spreads calls over all addresses of a name (`dns:///retrieve:50053`, a headless service)."""


@asynccontextmanager
async def open_channel(
    target: str,
    settings: ChannelSettings | None = None,
    tls: TlsSettings | None = None,
) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to `target`, closed after the block; it connects when first used.

    Args:
        target: `host:port`, `dns:///name:port`, or `xds:///name` for a name that a control plane knows.
        tls: whether and how it is encrypted; None: as the environment says.

    Raises:
        SettingsError: the certificates or the suite's secret cannot be used.
    """
    options = _options(settings or ChannelSettings())
    channel = OutgoingChannel(target, options, tls or TlsSettings(), open_secrets(TrustSettings()))
    try:
        yield cast("grpc.aio.Channel", channel)
    finally:
        await channel.close()


async def unary(
    method: UnaryMethod[Response],
    request: Any,
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - the call's deadline, which is sent to the other side
    metadata: Metadata = (),
) -> Response:
    """Call a method with one response; `request` is a message, or an async iterator of messages for a request stream.

    Args:
        method: a method of a stub.
        timeout: in seconds; the time left for the call being served limits it further.
        metadata: additional metadata, keys may repeat; traceparent and x-request-id are added if missing.

    Raises:
        ParleyError: the call failed; of the same type as the other side raised.
    """
    call: Any = method(request, timeout=timeout, metadata=tuple(metadata))
    try:
        response: Response = _readable(await asyncio.shield(call))
        return response
    except grpc.aio.AioRpcError as error:
        raise error_from_rpc(error) from error
    finally:
        _end(call)  # if we were cancelled


async def stream(
    method: StreamMethod[Response],
    request: Any,
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - the call's deadline
    metadata: Metadata = (),
) -> AsyncGenerator[Response, None]:
    """Call a method with a stream of responses; arguments and errors as with `unary`.

    Closing the generator cancels the call. Wrap it in `contextlib.aclosing` if the loop may end early. If an iterator
    of messages fails, the other side is told that no more will come, and the error is raised after its last response.
    """
    messages = _RequestStream(request) if hasattr(request, "__aiter__") else None
    call: Any = method(messages or request, timeout=timeout, metadata=tuple(metadata))
    try:
        # Reading costs half as much as iterating over the call.
        while (response := await asyncio.shield(call.read())) is not grpc.aio.EOF:
            yield _readable(response)
        if messages and messages.error:
            raise messages.error
    except grpc.aio.AioRpcError as error:
        raise (messages and messages.error) or error_from_rpc(error) from error
    finally:
        _end(call)  # if the loop ended early: the other side would run to its end


def _end(call: Any) -> None:
    """Cancel the call in gRPC's core, so that what waits for it ends by itself.

    `call.cancel()` and a cancelled wait also cancel grpc.aio's tasks, which then never free the operations they began:
    3 to 5 kB a cancelled turn (measured).
    """
    if not call.done():
        call._cython_call.cancel("Cancelled by the caller.")  # no public method does only that


def _readable(response: Response | None) -> Response:
    """The response; gRPC gives None for one that it could not decode.

    Raises:
        Unavailable: it could not be decoded (reason STAGE_FAILED).
    """
    if response is None:
        raise Unavailable(
            "STAGE_FAILED", "A stage's answer cannot be decoded: it may be of another version than this process."
        )
    return response


class _RequestStream:
    """Iterates over messages. gRPC would cancel a call whose messages fail, and lose the other side's responses."""

    def __init__(self, messages: AsyncIterable[Any]) -> None:
        self._messages = messages
        self.error: Exception | None = None
        """Why the messages ended early."""

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            async for message in self._messages:
                yield message
        except Exception as error:
            self.error = error


def _options(settings: ChannelSettings) -> list[tuple[str, Any]]:
    service_config: dict[str, Any] = {"loadBalancingConfig": [{settings.load_balancing: {}}]}
    return [
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.max_receive_message_length", MAX_RESPONSE_BYTES),
        ("grpc.max_send_message_length", -1),
        ("grpc.keepalive_time_ms", KEEPALIVE_MS),
        ("grpc.keepalive_timeout_ms", KEEPALIVE_TIMEOUT_MS),
        # Reconnect to a restarted process while a call still retries, not after minutes.
        ("grpc.initial_reconnect_backoff_ms", 100),  # taste, like the next one
        ("grpc.max_reconnect_backoff_ms", 500),
        ("grpc.enable_retries", int(settings.retries)),
        ("grpc.service_config", json.dumps(service_config)),
    ]
