"""Calls of domain code in this process, with a deadline, a span and typed errors, as a call over the network has.

Values are passed by reference. There is no extra task: the caller's cancellation reaches the work directly.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any, Final, TypeVar

import structlog
from opentelemetry.trace import SpanKind

from libs.runtime import deadline
from libs.runtime.errors import DeadlineExceeded, ParleyError
from libs.runtime.storage import typed_error
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Ambient, ambient, entered, within

T = TypeVar("T")

LOCAL: Final = "local"
"""Value of `rpc.system.name` for calls without a network; they are measured as server calls."""
_END: Final[Any] = object()
"""Marks the end of a stream."""

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
    with call.recorded():
        return await call.part(work())


async def local_stream(
    method: str, steps: Callable[[], AsyncGenerator[T, None]], seconds: float | None
) -> AsyncGenerator[T, None]:
    """Yield the steps of a task; arguments and errors as with `local_unary`. Closing it closes the task's generator."""

    async def begin() -> AsyncGenerator[T, None]:
        return steps()  # it may fail before its first step

    call = _LocalCall(method, seconds)
    with call.recorded():
        async with aclosing(await call.part(begin())) as source:
            while (step := await call.part(anext(source, _END))) is not _END:
                yield step


class _LocalCall:
    """One call; its context variables are set only while a part of it runs, as a stream is consumed in between."""

    def __init__(self, method: str, seconds: float | None) -> None:
        now = ambient()
        self._method = method
        self._attributes = {names.RPC_SYSTEM: LOCAL, names.RPC_METHOD: method}
        self._telemetry = now.telemetry
        self._span = now.telemetry.tracer.start_span(method, now.trace, SpanKind.INTERNAL, self._attributes)
        self._ambient = Ambient(now.telemetry, within(self._span), now.request_id)
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
                async with asyncio.timeout(remaining) as timer:  # cheaper for a step than deadline.enforced
                    return await work
            except Exception as error:
                if isinstance(error, TimeoutError) and timer.expired():
                    error = DeadlineExceeded()
                typed = error if isinstance(error, ParleyError) else typed_error(error)
                if typed is not error:
                    _log.error("call failed", method=self._method, reason=typed.reason, exc_info=error)
                typed.from_peer = True
                raise typed from typed.__cause__

    @contextmanager
    def recorded(self) -> Iterator[None]:
        """Record how the block ends; an error that is not typed is the caller's cancellation."""
        start_time, status = time.perf_counter(), "CANCELLED"
        try:
            yield
            status = "OK"
        except ParleyError as error:
            status = error.status
            raise
        finally:
            self._telemetry.end_call(names.SERVER_DURATION, start_time, self._span, self._attributes, status)
