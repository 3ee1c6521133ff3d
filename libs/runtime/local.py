"""Calls to services of the same process, without a network: a channel that calls the handlers directly.

As over the network, each call passes the interceptor (admission, deadline, validation, errors as statuses), has its own
context variables, can be cancelled and ends with a status. Messages are passed by reference, not copied: a sender must
not change a message after sending it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, NoReturn

import grpc

from libs.runtime.interceptor import CallInterceptor
from libs.runtime.service import Service

_ENDED: Final = object()
_MESSAGES_AHEAD: Final = 16
"""Messages of a stream that are buffered before its handler waits for the reader."""

Handler = Any
Metadata = Sequence[tuple[str, str | bytes]]


class LocalServices:
    """The services of this process, registered by `take`; `channel()` gives a channel to them."""

    def __init__(self) -> None:
        self._interceptor: CallInterceptor | None = None
        self._handlers: dict[str, Handler] = {}

    def take(self, services: Iterable[Service], interceptor: CallInterceptor) -> None:
        """Register services; the interceptor is only for local calls, whose outer calls are admitted already."""
        self._interceptor = interceptor
        server: Any = self
        for service in services:
            service.add(service.servicer, server)

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """Called by generated code; does nothing, as `add_registered_method_handlers` gets the same handlers."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Handler]) -> None:
        """Called by generated code to register the handlers of a service."""
        self._handlers.update({f"/{service}/{name}": handler for name, handler in handlers.items()})

    async def handler(self, method: str, context: "LocalContext") -> Handler:
        """The method's handler behind the interceptor; ends the call with UNAVAILABLE if nothing is served yet."""
        if self._interceptor is None:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "this process does not serve yet")
        details: Any = _Details(method)
        return await self._interceptor.intercept_service(self._found, details)

    async def _found(self, details: grpc.HandlerCallDetails) -> Handler:
        return self._handlers.get(details.method)

    def channel(self) -> grpc.aio.Channel:
        """A channel to the services of this process."""
        return LocalChannel(self)


class _Details(NamedTuple):
    """Same fields as grpc.HandlerCallDetails."""

    method: str
    invocation_metadata: Metadata = ()


class LocalChannel(grpc.aio.Channel):
    """Behaves as a channel to this process's own address, without a connection to open or close."""

    def __init__(self, services: LocalServices) -> None:
        self._services = services

    def unary_unary(self, method: str, *more: Any, **options: Any) -> Any:
        """See grpc.aio.Channel; the same applies to the methods below."""

        def started(
            request: Any = None,
            *,
            timeout: float | None = None,
            metadata: Metadata | None = None,
            **options: Any,
        ) -> LocalCall:
            return LocalCall(self._services, method, request, LocalContext(tuple(metadata or ()), timeout))

        return started

    unary_stream = stream_unary = stream_stream = unary_unary

    async def __aenter__(self) -> "LocalChannel":
        return self

    async def __aexit__(self, *error: Any) -> None:
        return None

    async def close(self, grace: float | None = None) -> None:
        return None

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        return grpc.ChannelConnectivity.READY

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        if last_observed_state is grpc.ChannelConnectivity.READY:
            await asyncio.Event().wait()

    async def channel_ready(self) -> None:
        return None


@dataclass(slots=True)
class _Status:
    code: grpc.StatusCode | None = None
    details: str = ""
    trailers: tuple[tuple[str, str | bytes], ...] = ()


class LocalContext:
    """The part of grpc.aio.ServicerContext that our servicers and the interceptor use."""

    def __init__(self, metadata: Metadata, seconds: float | None) -> None:
        self.status = _Status()
        self.messages: asyncio.Queue[Any] = asyncio.Queue(_MESSAGES_AHEAD)
        self.ends = None if seconds is None else time.monotonic() + seconds
        self._metadata = metadata

    def invocation_metadata(self) -> Metadata:
        """The caller's metadata."""
        return self._metadata

    def time_remaining(self) -> float | None:
        """Seconds until the caller's deadline, 0 after it; None if there is no deadline."""
        return None if self.ends is None else max(0.0, self.ends - time.monotonic())

    def peer(self) -> str:
        """The caller's address, which is always this process."""
        return "unix:"

    def code(self) -> grpc.StatusCode | None:
        """The status code; None until it is set."""
        return self.status.code

    def trailing_metadata(self) -> Metadata:
        """The trailers passed to `abort`."""
        return self.status.trailers

    async def write(self, message: Any) -> None:
        """Send a message of a stream; waits while the buffer is full."""
        await self.messages.put(message)

    async def abort(self, code: grpc.StatusCode, details: str = "", trailing_metadata: Metadata = ()) -> NoReturn:
        """End the call with a status.

        Raises:
            AbortError: always.
        """
        self.status = _Status(code, details, tuple(trailing_metadata))
        raise grpc.aio.AbortError


class LocalCall:
    """A running call with the methods that `libs.runtime.channel` uses."""

    def __init__(self, services: LocalServices, method: str, request: Any, context: LocalContext) -> None:
        self._context = context
        self._left = False
        self._task = asyncio.get_running_loop().create_task(self._serve(services, method, request))
        seconds = context.time_remaining()
        self._timer = None if seconds is None else self._task.get_loop().call_later(seconds, self._expire)

    async def _serve(self, services: LocalServices, method: str, request: Any) -> None:
        """Call the handler and report its end to the reader, unless the caller has cancelled."""
        context = self._context
        try:
            await self._handle(await services.handler(method, context), request)
            context.status.code = context.status.code or grpc.StatusCode.OK
        except grpc.aio.AbortError:
            pass  # the status says why
        except asyncio.CancelledError:
            context.status.code = context.status.code or grpc.StatusCode.CANCELLED
            if self._left:
                raise
        finally:
            if self._timer is not None:
                self._timer.cancel()
        await context.messages.put(_ENDED)

    async def _handle(self, handler: Handler, request: Any) -> None:
        if handler.response_streaming:
            await (handler.unary_stream or handler.stream_stream)(request, self._context)
        else:
            await self._context.write(await (handler.unary_unary or handler.stream_unary)(request, self._context))

    def _expire(self) -> None:
        self._context.status.code = grpc.StatusCode.DEADLINE_EXCEEDED
        self._task.cancel()

    async def read(self) -> Any:
        """The next response, grpc.aio.EOF after the last.

        Raises:
            grpc.aio.AioRpcError: the call failed.
        """
        message = await self._context.messages.get()
        if message is not _ENDED:
            return message
        self._context.messages.put_nowait(_ENDED)  # for further reads
        status = self._context.status
        if status.code is None or status.code is grpc.StatusCode.OK:
            return grpc.aio.EOF
        trailers = grpc.aio.Metadata(*status.trailers)
        raise grpc.aio.AioRpcError(status.code, grpc.aio.Metadata(), trailers, status.details)

    def __await__(self) -> Generator[Any, Any, Any]:
        return self.read().__await__()

    async def __aiter__(self) -> AsyncIterator[Any]:
        while (response := await self.read()) is not grpc.aio.EOF:
            yield response

    def cancel(self) -> bool:
        """Cancel the call; returns whether it was still running."""
        self._left = True
        return self._task.cancel()

    async def code(self) -> grpc.StatusCode:
        """Wait for the call's end and return its status code."""
        await asyncio.wait({self._task})
        return self._context.status.code or grpc.StatusCode.CANCELLED

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        """Run `callback` when the call has ended."""
        self._task.add_done_callback(lambda _: callback(self))
