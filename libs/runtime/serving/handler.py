"""Handles all incoming calls of a server.

Span, metrics, log context, admission, deadline, validation, and the mapping of errors to statuses.

Each call is handled by a coroutine, which writes streams with `context.write` and never yields them: an async
generator blocked in a write would be closed in another context, which breaks context variables and spans.
"""

import asyncio
import re
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import aclosing, nullcontext
from functools import partial
from operator import methodcaller
from typing import Any, Final

import grpc
import structlog
from opentelemetry.trace import SpanKind, format_trace_id

from libs.runtime import deadline
from libs.runtime.errors import DeadlineExceeded, InternalError, NotSupported, ParleyError
from libs.runtime.limits.callers import present_caller
from libs.runtime.limits.places import Places, UnreadBytes
from libs.runtime.serving.method import Method
from libs.runtime.settings import ServerSettings
from libs.runtime.status import code_of, status_of, trailers_of
from libs.runtime.storage import storage_error
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Ambient, Telemetry, read_trace, set_ambient, within

STREAMS_SHARE: Final = 4
"""Long-running calls have the places of others divided by this, at least one (taste)."""
_REQUEST_ID: Final = re.compile(r"[\x21-\x7e]{1,128}")
_to_bytes: Final = methodcaller("SerializeToString")
_log = structlog.get_logger("parley.call")

Context = Any


class IncomingCall:
    """Starts the span, sets the call's ids in the context, and records once how the call ended."""

    def __init__(self, method: str, context: Any, telemetry: Telemetry) -> None:
        self._context = context
        self._telemetry = telemetry
        self._start_time = time.perf_counter()
        name = method.lstrip("/")
        self._attributes = {names.RPC_SYSTEM: "grpc", names.RPC_METHOD: name}
        self._sent_messages = 0
        self.caller = ""
        self.count: Callable[[int], None] = lambda by: None  # gives its place back (-1), and takes it again (+1)
        metadata = {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}
        self._span = telemetry.tracer.start_span(name, read_trace(metadata), SpanKind.SERVER, self._attributes)
        request_id = metadata.get(names.REQUEST_ID, "")
        if not _REQUEST_ID.fullmatch(request_id):  # unfit for logs and metadata
            request_id = secrets.token_hex(16)
        set_ambient(Ambient(telemetry, within(self._span), request_id))
        trace_id = format_trace_id(self._span.get_span_context().trace_id)
        structlog.contextvars.bind_contextvars(method=name, request_id=request_id, trace_id=trace_id)

    def in_flight(self, by: int) -> None:
        """Count the call as being handled (+1) or no longer (-1)."""
        self._telemetry.add(names.SERVER_IN_FLIGHT, by, self._attributes)

    def sends(self) -> None:
        """Record that a message of the stream is about to be sent."""
        if self._sent_messages == 0:
            self._telemetry.observe(names.SERVER_FIRST_MESSAGE, self._elapsed(), self._attributes)
        self._sent_messages += 1

    def ends(self, status: grpc.StatusCode, error: ParleyError | None = None) -> None:
        """Record the call's status; `error` is the cause if it isn't OK."""
        reason = error.reason if error else ""
        self._telemetry.end_call(
            names.SERVER_DURATION, self._start_time, self._span, self._attributes, status.name, reason
        )
        self._log(status.name, error)

    def ends_cancelled(self) -> None:
        """Record that the caller has cancelled or that its deadline has passed."""
        remaining = self._context.time_remaining()
        is_late = remaining is not None and remaining <= 0
        self.ends(grpc.StatusCode.DEADLINE_EXCEEDED if is_late else grpc.StatusCode.CANCELLED)

    def _log(self, status: str, error: ParleyError | None) -> None:
        fields: dict[str, Any] = {"status": status, "ms": round(self._elapsed() * 1000, 1)}
        if self._sent_messages:
            fields["messages"] = self._sent_messages
        if isinstance(error, InternalError):
            _log.error("call failed", reason=error.reason, exc_info=error, **fields)
        elif error is not None and storage_error(error.__cause__ or error):
            _log.error("call failed", reason=error.reason, cause=str(error.__cause__ or error), **fields)
        elif error is not None:
            _log.info("call refused", reason=error.reason, message=error.message, **fields)
        else:
            _log.debug("call", **fields)

    def _elapsed(self) -> float:
        return time.perf_counter() - self._start_time


class CallHandler(grpc.GenericRpcHandler):
    """The only handler of a server.

    Args:
        unknown: stands for all methods that do not exist.
    """

    def __init__(
        self, settings: ServerSettings, telemetry: Telemetry, methods: Iterable[Method], unknown: Method
    ) -> None:
        self._telemetry = telemetry
        self._handlers = {method.path: self._handler(method) for method in methods}
        self._unknown = self._handler(unknown)
        self._calls = Places(settings.max_concurrency)
        self._long_running = Places(max(1, settings.max_concurrency // STREAMS_SHARE))
        self._unread = UnreadBytes()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        return self._handlers.get(handler_call_details.method, self._unknown)

    def _handler(self, method: Method) -> Any:
        """A handler of streams, even if there is only one message.

        Requests come undecoded (see `Method`), and a client that does not read its answer is waited for here.
        """

        async def serve(_: Any, context: Context) -> None:
            await self._serve(method, context)

        return grpc.stream_stream_rpc_method_handler(serve, None, _to_bytes)

    async def _serve(self, method: Method, context: Context) -> None:
        """Run a call so that it ends with a result, a cancellation, or a status with details."""
        call, request = IncomingCall(method.path, context, self._telemetry), None
        try:
            request = await method.request(context)  # before admission: who sends nothing takes nobody's place
            answer = await self._admitted(method, call, request, context)
        except asyncio.CancelledError:
            call.ends_cancelled()
            raise
        except Exception as error:
            outward = method.outward(error)
            method.service.observer(method.path, context, request, None, outward)
            await _abort(call, context, outward)
        else:
            method.service.observer(method.path, context, request, answer, None)
            call.ends(grpc.StatusCode.OK)

    async def _admitted(self, method: Method, call: IncomingCall, request: Any, context: Context) -> Any:
        if method.is_infrastructure:
            return await self._in_time(method, call, request, context)
        limits = method.service.limits
        call.caller = caller = present_caller()
        places = self._long_running if method.is_long_running else self._calls
        places.take(caller)
        call.count = partial(places.count, caller)
        call.in_flight(+1)
        try:
            async with limits.place(method.name, caller) if limits else nullcontext():
                return await self._in_time(method, call, request, context)
        finally:
            call.count(-1)
            call.in_flight(-1)

    async def _in_time(self, method: Method, call: IncomingCall, request: Any, context: Context) -> Any:
        """Answer the call within the server's own deadline; gRPC itself enforces the caller's. Returns the answer."""
        caller_seconds: float | None = context.time_remaining()
        seconds = method.seconds(caller_seconds)
        with deadline.limited(seconds):
            async with deadline.enforced(None if seconds == caller_seconds else seconds):
                answers = _invoke(method, request, context)
                if method.streams_responses:
                    return await self._send_all(call, answers, context, method.client_seconds)
                answer = await answers
                await self._send(call, answer, context, method.client_seconds)
                return answer

    async def _send_all(self, call: IncomingCall, answers: Any, context: Context, seconds: float) -> None:
        """Send a stream's answers; errors as with `_send`."""
        async with aclosing(answers):
            async for answer in answers:
                call.sends()
                await self._send(call, answer, context, seconds)

    async def _send(self, call: IncomingCall, answer: Any, context: Context, seconds: float) -> None:
        """Send a message, without a place while the client has no room for it.

        Raises:
            DeadlineExceeded: it has none for so many seconds.
            Overloaded: its caller leaves too much unread.
        """
        with self._unread.held(call.caller, answer.ByteSize()):
            call.count(-1)
            try:
                await _write(context, answer, seconds)
            finally:
                call.count(+1)


async def _abort(call: IncomingCall, context: Context, error: ParleyError) -> None:
    status = status_of(error)
    call.ends(code_of(error), error)
    trailers = (*(context.trailing_metadata() or ()), *trailers_of(error, status))
    error.__traceback__ = None  # its frames would keep the messages until the next collection of cycles
    try:
        await context.abort(code_of(error), status.message, trailers)
    except grpc.aio.AbortError as ended:  # gRPC keeps it with the call, and raises it again
        ended.__traceback__ = None
    except grpc.aio.InternalError as failure:  # the client takes not even the beginning of a stream
        raise asyncio.CancelledError from failure


def _invoke(method: Method, request: Any, context: Context) -> Any:
    """Call a method; one that the servicer doesn't override is generated code and raises NotImplementedError."""
    try:
        return method.behaviour(request, context)
    except NotImplementedError:
        raise NotSupported from None


async def _write(context: Context, answer: Any, seconds: float) -> None:
    """Send a message; the wait lasts until the client has room for it.

    Raises:
        DeadlineExceeded: it has none for so many seconds.
    """
    try:
        async with deadline.enforced(
            seconds, lambda: DeadlineExceeded(f"The client read nothing for {seconds:g} seconds.")
        ):
            await context.write(answer)
    except grpc.aio.InternalError as error:
        # The caller has disconnected and the cancellation of this call has not arrived yet.
        raise asyncio.CancelledError from error
