"""Handles all incoming calls of a server.

Span, metrics, log context, admission, deadline, validation, and the mapping of errors to statuses.

Each call is handled by a coroutine, which writes streams with `context.write` and never yields them: an async
generator blocked in a write would be closed in another context, which breaks context variables and spans.
"""

import asyncio
from collections.abc import Iterable
from contextlib import aclosing, nullcontext
from operator import methodcaller
from typing import Any, Final

import grpc

from libs.runtime import deadline
from libs.runtime.errors import NotSupported, Overloaded, ParleyError
from libs.runtime.serving.call import IncomingCall
from libs.runtime.serving.method import Method
from libs.runtime.settings import ServerSettings
from libs.runtime.status import code_of, status_of, trailers_of
from libs.runtime.telemetry.telemetry import Telemetry

OVERLOAD_RETRY_SECONDS: Final = 0.5
"""Seconds that a caller is asked to wait after RESOURCE_EXHAUSTED (taste)."""
_to_bytes: Final = methodcaller("SerializeToString")

Context = Any


class CallHandler(grpc.GenericRpcHandler):
    """The only handler of a server.

    Args:
        unknown: stands for all methods that do not exist.
    """

    def __init__(
        self, settings: ServerSettings, telemetry: Telemetry, methods: Iterable[Method], unknown: Method
    ) -> None:
        self._settings, self._telemetry = settings, telemetry
        self._handlers = {method.path: self._handler(method) for method in methods}
        self._unknown = self._handler(unknown)
        self._in_flight = 0

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        return self._handlers.get(handler_call_details.method, self._unknown)

    def _handler(self, method: Method) -> Any:
        """A handler whose requests come undecoded, and as a stream even if there is only one (see `Method`)."""

        async def serve(_: Any, context: Context) -> Any:
            return await self._serve(method, context)

        if method.streams_responses:
            return grpc.stream_stream_rpc_method_handler(serve, None, _to_bytes)
        return grpc.stream_unary_rpc_method_handler(serve, None, _to_bytes)

    async def _serve(self, method: Method, context: Context) -> Any:
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
            return answer

    async def _admitted(self, method: Method, call: IncomingCall, request: Any, context: Context) -> Any:
        if method.is_infrastructure:
            return await self._in_time(method, call, request, context)
        if self._in_flight >= self._settings.max_concurrency:
            raise Overloaded(OVERLOAD_RETRY_SECONDS)
        limits = method.service.limits
        self._in_flight += 1
        call.in_flight(+1)
        try:
            async with limits.place(method.name, context) if limits else nullcontext():
                return await self._in_time(method, call, request, context)
        finally:
            self._in_flight -= 1
            call.in_flight(-1)

    async def _in_time(self, method: Method, call: IncomingCall, request: Any, context: Context) -> Any:
        """Answer the call within the server's own deadline; gRPC itself enforces the caller's."""
        caller_seconds: float | None = context.time_remaining()
        seconds = method.seconds(caller_seconds)
        with deadline.limited(seconds):
            async with deadline.Enforced(None if seconds == caller_seconds else seconds):
                answers = _invoke(method, request, context)
                if not method.streams_responses:
                    return await answers
                return await _write_all(call, answers, context)


async def _abort(call: IncomingCall, context: Context, error: ParleyError) -> None:
    status = status_of(error)
    call.ends(code_of(error), error)
    trailers = (*(context.trailing_metadata() or ()), *trailers_of(error, status))
    await context.abort(code_of(error), status.message, trailers)


def _invoke(method: Method, request: Any, context: Context) -> Any:
    """Call a method; one that the servicer doesn't override is generated code and raises NotImplementedError."""
    try:
        return method.behaviour(request, context)
    except NotImplementedError:
        raise NotSupported from None


async def _write_all(call: IncomingCall, answers: Any, context: Context) -> None:
    """Send a stream's answers."""
    async with aclosing(answers):
        async for answer in answers:
            call.sends()
            await _write(context, answer)


async def _write(context: Context, answer: Any) -> None:
    try:
        await context.write(answer)
    except grpc.aio.InternalError as error:
        # The caller has disconnected and the cancellation of this call has not arrived yet.
        raise asyncio.CancelledError from error
