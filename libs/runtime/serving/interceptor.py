"""Handles what is common to all incoming calls.

Span, metrics, log context, admission, deadline, validation, and the mapping of errors to statuses.

Each handler is wrapped in a coroutine, which writes streams with `context.write` and never yields them: an async
generator blocked in a write would be closed in another context, which breaks context variables and spans.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from functools import partial
from typing import Any, Final

import grpc

from libs.runtime import deadline
from libs.runtime.errors import (
    DeadlineExceeded,
    InternalError,
    InvalidInput,
    NotSupported,
    Overloaded,
    ParleyError,
    PermissionDenied,
    Unauthenticated,
)
from libs.runtime.serving.call import IncomingCall
from libs.runtime.serving.gate import Gate
from libs.runtime.serving.requests import RequestReader, unread
from libs.runtime.serving.service import Service
from libs.runtime.serving.validation import Validation
from libs.runtime.settings import ServerSettings
from libs.runtime.status import code_of, status_of, trailers_of
from libs.runtime.storage import storage_error
from libs.runtime.telemetry.telemetry import Telemetry

DEFAULT_DEADLINE_SECONDS: Final = 60.0
"""Deadline of a call whose caller sets none: a turn with a slow language model."""
MAX_IDLE_SECONDS: Final = 3600.0
"""Longest wait for a client's next message: of a stream, and of a call whose first message does not come. The slowest
ingest sends a document after some files that took 120 s each and could not be read."""
OVERLOAD_RETRY_SECONDS: Final = 0.5
"""Seconds that a caller is asked to wait after RESOURCE_EXHAUSTED (taste)."""
INFRASTRUCTURE: Final = "/grpc."
"""Prefix of methods that are exempt from admission and default deadlines: health and reflection."""
OTHER: Final = "/_OTHER"
"""What an unknown method is called: a caller's own names would be new metrics without end."""

Context = Any
Handler = Any
Behaviour = Callable[[Any, Context], Any]
Read = Callable[[Context], Awaitable[Any]]
"""Reads what a behaviour is called with: a message, or an iterator of messages."""
Work = Callable[[IncomingCall], Awaitable[Any]]


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
        method = handler_call_details.method
        if method in self._handlers:
            return self._handlers[method]
        handler = await continuation(handler_call_details)
        if handler is None:
            # A client may use any of the four call types; a stream of bytes in both directions suits all of them.
            return grpc.stream_stream_rpc_method_handler(self._streaming(OTHER, _unknown_method, unread))
        wrapper = self._handlers[method] = _rebuild(handler, self._wrap(method, handler))
        return wrapper

    def _wrap(self, method: str, handler: Handler) -> Behaviour:
        check = partial(self._gate.check, method)
        receive = self._receiver(method)
        reader = RequestReader(handler.request_deserializer, self._validation, check, MAX_IDLE_SECONDS, receive)
        read: Read = reader.stream if handler.request_streaming else reader.one
        wrap = self._streaming if handler.response_streaming else self._single
        return wrap(method, _behaviour(handler), read)

    def _single(self, method: str, behaviour: Behaviour, read: Read) -> Behaviour:
        async def single(_: Any, context: Context) -> Any:
            return await self._serve(method, context, read, lambda _, request: _invoke(behaviour, request, context))

        return single

    def _streaming(self, method: str, behaviour: Behaviour, read: Read) -> Behaviour:
        async def streaming(_: Any, context: Context) -> None:
            await self._serve(
                method,
                context,
                read,
                lambda call, request: _write_all(call, _invoke(behaviour, request, context), context),
            )

        return streaming

    async def _serve(
        self, method: str, context: Context, read: Read, work: Callable[[IncomingCall, Any], Awaitable[Any]]
    ) -> Any:
        """Run a call so that it ends with a result, a cancellation, or a status with details."""
        call, request = IncomingCall(method, context, self._telemetry), None
        try:
            await self._gate.admit(method, context)
            self._begin(method, context)
            request = await read(context)  # before admission: who sends nothing takes nobody's place
            answer = await self._admit(call, context, lambda call: work(call, request))
        except asyncio.CancelledError:
            call.ends_cancelled()
            raise
        except grpc.aio.AbortError:
            call.ends(context.code())
            raise
        except Exception as error:
            outward = self._outward(method, error)
            self._observe(method, context, request, None, outward)
            await self._abort(call, context, outward)
        else:
            self._observe(method, context, request, answer, None)
            call.ends(context.code())
            return answer

    def _begin(self, method: str, context: Context) -> None:
        """Count the call among those of its caller.

        Raises:
            QuotaExceeded: the caller has had all that it may have.
        """
        service = self._service(method)
        if service is not None and service.quotas is not None:
            service.quotas.begin(method.rpartition("/")[2], context)

    def _receiver(self, method: str) -> Callable[[Context, int], None]:
        """Counts the messages of a method."""
        service = self._service(method)
        if service is None or service.quotas is None:
            return lambda context, size: None
        return partial(service.quotas.receive, method.rpartition("/")[2])

    async def _admit(self, call: IncomingCall, context: Context, work: Work) -> Any:
        if call.method.startswith(INFRASTRUCTURE):
            return await self._in_time(call, context, work)
        if self._in_flight >= self._settings.max_concurrency:
            raise Overloaded(OVERLOAD_RETRY_SECONDS)
        self._in_flight += 1
        call.in_flight(+1)
        try:
            async with self._place(call.method, context):
                return await self._in_time(call, context, work)
        finally:
            self._in_flight -= 1
            call.in_flight(-1)

    def _place(self, method: str, context: Context) -> AbstractAsyncContextManager[None]:
        """The place of a costly call among the others; nothing for a cheap one."""
        service = self._service(method)
        admitted = service.admitted if service is not None else None
        if admitted is None or method.rpartition("/")[2] not in admitted.methods:
            return nullcontext()
        return admitted.admission.place(admitted.identify(context))

    async def _in_time(self, call: IncomingCall, context: Context, work: Work) -> Any:
        """Run the work within the server's own deadline; gRPC itself enforces the caller's."""
        caller_seconds: float | None = context.time_remaining()
        with deadline.limited(self._limit(call.method, caller_seconds)):
            remaining = deadline.remaining()
            if remaining is None or (caller_seconds is not None and remaining >= caller_seconds - 0.001):
                return await work(call)
            try:
                async with asyncio.timeout(remaining) as timer:
                    return await work(call)
            except TimeoutError:
                if timer.expired():
                    raise DeadlineExceeded() from None
                raise

    def _limit(self, method: str, caller_seconds: float | None) -> float | None:
        """Seconds a call may take: the caller's deadline, capped by the server's limit."""
        if method.startswith(INFRASTRUCTURE) or self._is_long_running(method):
            return caller_seconds
        return min(
            DEFAULT_DEADLINE_SECONDS if caller_seconds is None else caller_seconds,
            self._settings.max_deadline_seconds,
        )

    async def _abort(self, call: IncomingCall, context: Context, error: ParleyError) -> None:
        status = status_of(error)
        call.ends(code_of(error), error)
        trailers = (*(context.trailing_metadata() or ()), *trailers_of(error, status))
        await context.abort(code_of(error), status.message, trailers)

    def _outward(self, method: str, error: Exception) -> ParleyError:
        """The error that the caller gets: INTERNAL for unknown ones and for our own requests that a peer rejected."""
        if not isinstance(error, ParleyError):
            return storage_error(error) or _caused_by(error)
        if isinstance(error, InvalidInput) and error.from_peer and not self._relays(method):
            return _caused_by(error)
        return _caused_by(error) if _refuses_us(error) else error

    def _observe(self, method: str, context: Context, request: Any, answer: Any, error: ParleyError | None) -> None:
        service = self._service(method)
        if service is not None and service.observer is not None:
            service.observer.ended(method, context, request, answer, error)

    def _service(self, method: str) -> Service | None:
        return self._services.get(method.split("/")[1])

    def _relays(self, method: str) -> bool:
        service = self._service(method)
        return service is not None and service.relays

    def _is_long_running(self, method: str) -> bool:
        service = self._service(method)
        return service is not None and method.rpartition("/")[2] in service.long_running


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


def _refuses_us(error: ParleyError) -> bool:
    """Whether a peer refused this process, and not its caller."""
    not_trusted = isinstance(error, PermissionDenied) and error.reason == "CALLER_NOT_TRUSTED"
    return error.from_peer and (not_trusted or isinstance(error, Unauthenticated))


def _caused_by(error: Exception) -> InternalError:
    internal = InternalError()
    internal.__cause__ = error
    return internal
