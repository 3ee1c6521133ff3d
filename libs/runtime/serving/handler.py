"""Handles what is common to all incoming calls.

Span, metrics, log context, admission, deadline, validation, and the mapping of errors to statuses.

Each handler is wrapped in a coroutine, which writes streams with `context.write` and never yields them: an async
generator blocked in a write would be closed in another context, which breaks context variables and spans.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final

import grpc

from libs.runtime import deadline
from libs.runtime.errors import NotSupported, Overloaded, ParleyError
from libs.runtime.serving.call import IncomingCall
from libs.runtime.serving.method import UNKNOWN, Method
from libs.runtime.serving.service import Gate, Service
from libs.runtime.serving.validation import Validation
from libs.runtime.settings import ServerSettings
from libs.runtime.status import code_of, status_of, trailers_of
from libs.runtime.telemetry.telemetry import Telemetry

OVERLOAD_RETRY_SECONDS: Final = 0.5
"""Seconds that a caller is asked to wait after RESOURCE_EXHAUSTED (taste)."""

Context = Any
Handler = Any


@dataclass(eq=False)
class CallInterceptor(grpc.aio.ServerInterceptor):
    """The only interceptor of a server."""

    settings: ServerSettings
    services: Mapping[str, Service]
    """The options of each service, by its full name."""
    validation: Validation
    telemetry: Telemetry
    gate_of: Callable[[str], Gate]
    """Who may call a service, by its full name."""
    _in_flight: int = 0
    _handlers: dict[str, Handler] = field(default_factory=dict)
    """Wrapped handlers by method; unknown methods have one in common."""

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
            path, handler = UNKNOWN, grpc.stream_stream_rpc_method_handler(_unknown_method)
        self._handlers[path] = self._wrapped(path, handler)
        return self._handlers[path]

    def _wrapped(self, path: str, handler: Handler) -> Handler:
        """A handler whose requests come undecoded, and as a stream even if there is only one (see `Method`)."""
        name = path.split("/")[1]
        service = self.services.get(name) or Service(name, lambda servicer, server: None, None)
        method = Method(path, service, handler, self.gate_of(name), self.validation)

        async def serve(_: Any, context: Context) -> Any:
            return await self._serve(method, context)

        if handler.response_streaming:
            return grpc.stream_stream_rpc_method_handler(serve, None, handler.response_serializer)
        return grpc.stream_unary_rpc_method_handler(serve, None, handler.response_serializer)

    async def _serve(self, method: Method, context: Context) -> Any:
        """Run a call so that it ends with a result, a cancellation, or a status with details."""
        call, request = IncomingCall(method.path, context, self.telemetry), None
        try:
            request = await method.request(context)  # before admission: who sends nothing takes nobody's place
            answer = await self._admitted(method, call, request, context)
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

    async def _admitted(self, method: Method, call: IncomingCall, request: Any, context: Context) -> Any:
        if method.is_infrastructure:
            return await self._in_time(method, call, request, context)
        if self._in_flight >= self.settings.max_concurrency:
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
                if not method.handler.response_streaming:
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
    raise NotSupported("There is no such method: the server may be older than its caller.")
