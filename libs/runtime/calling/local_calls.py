"""Calls of domain code in this process, with a deadline, a span and typed errors, as a call over the network has.

Values are passed by reference. There is no extra task: the caller's cancellation reaches the work directly.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Final, TypeVar

import grpc
import structlog
from opentelemetry.trace import SpanKind

from libs.runtime import deadline
from libs.runtime.errors import DeadlineExceeded, InternalError, ParleyError
from libs.runtime.status import code_of
from libs.runtime.storage import storage_error
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Ambient, ambient, end, entered, within

T = TypeVar("T")

LOCAL: Final = "local"
"""Value of `rpc.system.name` for calls without a network; they are measured as server calls."""

_log = structlog.get_logger("parley.call")


async def local_unary(method: str, work: Callable[[], Awaitable[T]], seconds: float | None) -> T:
    """Await `work`, which does the task of a unary RPC.

    Args:
        method: the RPC, `package.Service/Method`, for spans, metrics and logs.
        work: starts the task.
        seconds: its deadline; the time left for the call being served limits it further.

    Raises:
        ParleyError: the task failed; an exception of another type becomes an InternalError.
    """
    call = _LocalCall(method, seconds)
    try:
        result = await call.part(work())
    except BaseException as error:
        call.end(error)
        raise
    call.end()
    return result


async def local_stream(
    method: str, steps: Callable[[], AsyncGenerator[T, None]], seconds: float | None
) -> AsyncGenerator[T, None]:
    """Yield the steps of a task; arguments and errors as with `local_unary`. Closing it closes the task's generator."""
    call = _LocalCall(method, seconds)
    try:
        async with aclosing(await call.part(_invoke(steps))) as source:
            while (step := await call.part(anext(source, _END))) is not _END:
                yield step  # type: ignore[misc]  # anext's default is only _END
    except BaseException as error:
        call.end(error)
        raise
    call.end()


class _End:
    """Marks the end of a stream."""


_END = _End()


async def _invoke(steps: Callable[[], AsyncGenerator[T, None]]) -> AsyncGenerator[T, None]:
    return steps()


class _LocalCall:
    """One call; its context variables are set only while a part of it runs, as a stream is consumed in between."""

    def __init__(self, method: str, seconds: float | None) -> None:
        now = ambient()
        self._attributes = {names.RPC_SYSTEM: LOCAL, names.RPC_METHOD: method}
        self._telemetry = now.telemetry
        self._span = now.telemetry.span(method, SpanKind.INTERNAL, now.trace, self._attributes)
        self._ambient = Ambient(now.telemetry, within(self._span), now.request_id)
        self._start_time = time.perf_counter()
        budget = deadline.budget(seconds)
        self._ends = None if budget is None else time.monotonic() + budget

    async def part(self, work: Awaitable[T]) -> T:
        """Await a part of the call.

        Raises:
            ParleyError: see `local_unary`.
        """
        remaining = None if self._ends is None else max(0.0, self._ends - time.monotonic())
        with deadline.limited(remaining), entered(self._ambient):
            try:
                async with asyncio.timeout(remaining) as timer:
                    return await work
            except ParleyError as error:
                error.from_peer = True
                raise
            except Exception as error:
                if isinstance(error, TimeoutError) and timer.expired():
                    raise DeadlineExceeded() from None
                raise self._typed(error) from error

    def _typed(self, error: Exception) -> ParleyError:
        internal = storage_error(error) or InternalError()
        internal.from_peer = True
        _log.error("call failed", method=self._attributes[names.RPC_METHOD], reason=internal.reason, exc_info=error)
        return internal

    def end(self, error: BaseException | None = None) -> None:
        """Record the call's end; an error that is not typed is the caller's cancellation."""
        untyped_status = grpc.StatusCode.OK if error is None else grpc.StatusCode.CANCELLED
        status = code_of(error) if isinstance(error, ParleyError) else untyped_status
        failure = None if error is None else status.name
        attributes = {**self._attributes, names.RPC_STATUS: status.name}
        if failure:
            attributes[names.ERROR_TYPE] = failure
        self._telemetry.observe(names.SERVER_DURATION, time.perf_counter() - self._start_time, attributes)
        self._span.set_attributes(attributes)
        end(self._span, failure)
