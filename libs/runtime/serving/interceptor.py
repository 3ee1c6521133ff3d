"""Handles what is common to all incoming calls.

Span, metrics, log context, admission, deadline, validation, and the mapping of errors to statuses.

Each handler is wrapped in a coroutine, which writes streams with `context.write` and never yields them: an async
generator blocked in a write would be closed in another context, which breaks context variables and spans.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, Final

import grpc

from libs.runtime import deadline
from libs.runtime.errors import (
    DeadlineExceeded,
    NotSupported,
    Overloaded,
    ParleyError,
)
from libs.runtime.serving.call import IncomingCall
from libs.runtime.serving.gate import Gate
from libs.runtime.serving.method import Method
from libs.runtime.serving.requests import RequestReader, unread
from libs.runtime.serving.service import Service
from libs.runtime.serving.validation import Validation
from libs.runtime.settings import ServerSettings
from libs.runtime.status import code_of, status_of, trailers_of
from libs.runtime.telemetry.telemetry import Telemetry

MAX_IDLE_SECONDS: Final = 3600.0
"""Longest wait for a client's next message: of a stream, and of a call whose first message does not come. The slowest
ingest sends a document after some files that took 120 s each and could not be read."""
MAX_DEADLINE_SECONDS: Final = 600.0
"""Longest deadline of a call that is not long-running: above the longest that our clients set (taste)."""
OVERLOAD_RETRY_SECONDS: Final = 0.5
"""Seconds that a caller is asked to wait after RESOURCE_EXHAUSTED (taste)."""
OTHER: Final = "/_OTHER"
"""What an unknown method is called: a caller's own names would be new metrics without end."""

Context = Any
Handler = Any
Behaviour = Callable[[Any, Context], Any]
Read = Callable[[Context], Awaitable[Any]]
"""Reads what a behaviour is called with: a message, or an iterator of messages."""
Work = Callable[[IncomingCall, Any], Awaitable[Any]]
"""Answers a request."""


class CallInterceptor(grpc.aio.ServerInterceptor):
    """The only interceptor of a server.

    Args:
        services: the options of each service, by its full name.
        gate: who may call.
    """

    def __init__(
        self,
        settings: ServerSettings,
        services: Mapping[str, Service],
        validation: Validation,
        telemetry: Telemetry,
        gate: Gate,
    ) -> None:
        self._settings = settings
        self._services = services
        self._validation = validation
        self._telemetry = telemetry
        self._gate = gate
        self._in_flight = 0
        self._handlers: dict[str, Handler] = {}
        """Wrapped handlers by method; unknown methods are not cached."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        path = handler_call_details.method
        if path in self._handlers:
            return self._handlers[path]
        handler = await continuation(handler_call_details)
        if handler is None:
            # A client may use any of the four call types; a stream of bytes in both directions suits all of them.
            return grpc.stream_stream_rpc_method_handler(self._streaming(self._method(OTHER), _unknown_method, unread))
        wrapper = self._handlers[path] = _rebuild(handler, self._wrap(self._method(path), handler))
        return wrapper

    def _method(self, path: str) -> Method:
        name = path.split("/")[1]
        return Method(path, self._services.get(name) or Service(name, lambda servicer, server: None, None))

    def _wrap(self, method: Method, handler: Handler) -> Behaviour:
        check = partial(self._gate.check, method.path)
        reader = RequestReader(handler.request_deserializer, self._validation, check, MAX_IDLE_SECONDS, method.receive)
        read: Read = reader.stream if handler.request_streaming else reader.one
        wrap = self._streaming if handler.response_streaming else self._single
        return wrap(method, _behaviour(handler), read)

    def _single(self, method: Method, behaviour: Behaviour, read: Read) -> Behaviour:
        async def single(_: Any, context: Context) -> Any:
            return await self._serve(method, context, read, lambda _, request: _invoke(behaviour, request, context))

        return single

    def _streaming(self, method: Method, behaviour: Behaviour, read: Read) -> Behaviour:
        async def streaming(_: Any, context: Context) -> None:
            def write(call: IncomingCall, request: Any) -> Awaitable[None]:
                return _write_all(call, _invoke(behaviour, request, context), context)

            await self._serve(method, context, read, write)

        return streaming

    async def _serve(self, method: Method, context: Context, read: Read, work: Work) -> Any:
        """Run a call so that it ends with a result, a cancellation, or a status with details."""
        call, request = IncomingCall(method.path, context, self._telemetry), None
        try:
            await self._gate.admit(method.path, context)
            method.begin(context)
            request = await read(context)  # before admission: who sends nothing takes nobody's place
            answer = await self._admit(method, call, context, partial(work, call, request))
        except asyncio.CancelledError:
            call.ends_cancelled()
            raise
        except grpc.aio.AbortError:
            call.ends(context.code())
            raise
        except Exception as error:
            outward = method.outward(error)
            method.observe(context, request, None, outward)
            await _abort(call, context, outward)
        else:
            method.observe(context, request, answer, None)
            call.ends(context.code())
            return answer

    async def _admit(
        self, method: Method, call: IncomingCall, context: Context, work: Callable[[], Awaitable[Any]]
    ) -> Any:
        if method.is_infrastructure:
            return await self._in_time(method, context, work)
        if self._in_flight >= self._settings.max_concurrency:
            raise Overloaded(OVERLOAD_RETRY_SECONDS)
        self._in_flight += 1
        call.in_flight(+1)
        try:
            async with method.place(context):
                return await self._in_time(method, context, work)
        finally:
            self._in_flight -= 1
            call.in_flight(-1)

    async def _in_time(self, method: Method, context: Context, work: Callable[[], Awaitable[Any]]) -> Any:
        """Run the work within the server's own deadline; gRPC itself enforces the caller's."""
        caller_seconds: float | None = context.time_remaining()
        with deadline.limited(method.limit(caller_seconds, MAX_DEADLINE_SECONDS)):
            remaining = deadline.remaining()
            if remaining is None or (caller_seconds is not None and remaining >= caller_seconds - 0.001):
                return await work()
            try:
                async with asyncio.timeout(remaining) as timer:
                    return await work()
            except TimeoutError:
                if timer.expired():
                    raise DeadlineExceeded() from None
                raise


async def _abort(call: IncomingCall, context: Context, error: ParleyError) -> None:
    status = status_of(error)
    call.ends(code_of(error), error)
    trailers = (*(context.trailing_metadata() or ()), *trailers_of(error, status))
    await context.abort(code_of(error), status.message, trailers)


def _rebuild(handler: Handler, behaviour: Behaviour) -> Handler:
    """A handler whose requests come undecoded, and as a stream even if there is only one (see `RequestReader`)."""
    make: Any = (
        grpc.stream_stream_rpc_method_handler if handler.response_streaming else grpc.stream_unary_rpc_method_handler
    )
    return make(behaviour, None, handler.response_serializer)


def _behaviour(handler: Handler) -> Behaviour:
    behaviour: Behaviour = handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
    return behaviour


def _invoke(behaviour: Behaviour, request: Any, context: Context) -> Any:
    """Call a method; one that the servicer doesn't override is generated code and raises NotImplementedError."""
    try:
        return behaviour(request, context)
    except NotImplementedError:
        raise NotSupported("This method is not implemented.") from None


def _is_progress(answer: Any) -> bool:
    """Whether the message is a stage's step that reports progress only."""
    return "step" in answer.DESCRIPTOR.oneofs_by_name and answer.WhichOneof("step") == "state"


async def _write_all(call: IncomingCall, answers: Any, context: Context) -> None:
    """Send a stream's answers."""
    if not hasattr(answers, "__aiter__"):  # the handler writes its messages itself
        await answers
        return
    async with aclosing(answers):
        async for answer in answers:
            if not call.tells_progress and _is_progress(answer):
                continue
            call.sends()
            await _write(context, answer)


async def _write(context: Context, answer: Any) -> None:
    try:
        await context.write(answer)
    except grpc.aio.InternalError as error:
        # The caller has disconnected and the cancellation of this call has not arrived yet.
        raise asyncio.CancelledError from error


def _unknown_method(requests: Any, context: Context) -> Any:
    raise NotSupported("There is no such method.")
