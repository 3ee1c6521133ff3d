"""Spans and metrics by OpenTelemetry's API, and the context of the call being served.

Without an exporter (`libs.runtime.telemetry.telemetry_opening`) nothing is recorded, and its SDK isn't imported. Trace
ids are passed on all the same (W3C traceparent), so that the logs of all processes can be joined.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from libs.runtime.telemetry import telemetry_names as names

if TYPE_CHECKING:
    from opentelemetry import metrics

AttributeValue = str | int | float | bool | tuple[str, ...]
Attributes = Mapping[str, AttributeValue]

SCOPE: Final = "parley"
CALL_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Seconds: from a unary hop (about 1 ms) to a turn with a slow language model (taste)."""
MODEL_BUCKETS: Final = tuple(0.01 * 2**n for n in range(14))
"""Seconds: 10 ms to 82 s, as OpenTelemetry's conventions for generative models want it."""
TOKEN_BUCKETS: Final = tuple(float(4**n) for n in range(14))
"""Tokens: 1 to 67 million, from the same conventions."""
HISTOGRAMS: Final = {
    names.SERVER_DURATION: ("s", CALL_BUCKETS),
    names.CLIENT_DURATION: ("s", CALL_BUCKETS),
    names.SERVER_FIRST_MESSAGE: ("s", CALL_BUCKETS),
    names.HTTP_SERVER_DURATION: ("s", CALL_BUCKETS),
    names.MODEL_DURATION: ("s", MODEL_BUCKETS),
    names.MODEL_FIRST_CHUNK: ("s", MODEL_BUCKETS),
    names.MODEL_TOKENS: ("{token}", TOKEN_BUCKETS),
}
"""Unit and bounds of the buckets."""
COUNTERS: Final = {names.TURNS: "{turn}", names.DEGRADATIONS: "{degradation}"}
UP_DOWN_COUNTERS: Final = {
    names.SERVER_IN_FLIGHT: "{call}",
    names.ADMISSION_WAITING: "{call}",
    names.HTTP_SERVER_IN_FLIGHT: "{request}",
}
"""Units."""
_PROPAGATOR: Final = TraceContextTextMapPropagator()


class _Unrecorded(trace.NoOpTracer):
    """Records nothing; its spans only carry ids."""

    def start_span(self, name: str, context: Context | None = None, *_: Any, **__: Any) -> trace.Span:
        parent = trace.get_current_span(context).get_span_context()
        trace_id = parent.trace_id if parent.is_valid else secrets.randbits(128)
        flags = parent.trace_flags if parent.is_valid else trace.TraceFlags(trace.TraceFlags.SAMPLED)
        return trace.NonRecordingSpan(trace.SpanContext(trace_id, secrets.randbits(64), False, flags))


class Telemetry:
    """The tracer and the instruments of one process, or of one server in a test; nothing is set globally.

    Args:
        tracer: starts spans; None: they only carry ids.
        meter: makes the instruments; given with a tracer.
        close: sends what is still buffered and stops; may block for seconds.
    """

    def __init__(
        self,
        tracer: trace.Tracer | None = None,
        meter: "metrics.Meter | None" = None,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.is_recording = meter is not None
        self.close = close
        self.tracer = tracer or _Unrecorded()
        if meter is None:
            return
        self._histograms = {
            name: meter.create_histogram(name, unit, explicit_bucket_boundaries_advisory=bounds)
            for name, (unit, bounds) in HISTOGRAMS.items()
        }
        counters = {name: meter.create_counter(name, unit) for name, unit in COUNTERS.items()}
        gauges = {name: meter.create_up_down_counter(name, unit) for name, unit in UP_DOWN_COUNTERS.items()}
        self._counters: dict[str, metrics.Counter | metrics.UpDownCounter] = {**counters, **gauges}

    def observe(self, histogram: str, value: float, attributes: Attributes) -> None:
        """Record one value of a histogram, with the trace of the call being served as an example of it."""
        if self.is_recording:
            self._histograms[histogram].record(value, attributes, ambient().trace)

    def add(self, counter: str, by: int, attributes: Attributes) -> None:
        """Change a counter; only up-down counters take negative numbers."""
        if self.is_recording:
            self._counters[counter].add(by, attributes)

    def end_call(
        self,
        histogram: str,
        start_time: float,
        span: trace.Span,
        attributes: Attributes,
        status: str,
        reason: str = "",
    ) -> None:
        """Record the duration and the status of a call, and end its span.

        Args:
            start_time: in seconds of time.perf_counter.
            status: the name of its gRPC status.
            reason: why it failed, if that is known better than by the status.
        """
        failure = None if status == "OK" else status
        outcome = {**attributes, names.RPC_STATUS: status, **({names.ERROR_TYPE: reason or failure} if failure else {})}
        self.observe(histogram, time.perf_counter() - start_time, outcome)
        span.set_attributes(outcome)
        end(span, failure)


def end(span: trace.Span, error: str | None = None) -> None:
    """End a span; `error` is the type of its failure, None on success."""
    if error is not None:
        span.set_attribute(names.ERROR_TYPE, error)
        span.set_status(trace.StatusCode.ERROR)
    span.end()


def within(span: trace.Span) -> Context:
    """The context of what is done within a span."""
    return trace.set_span_in_context(span, Context())


def read_trace(headers: Mapping[str, str]) -> Context:
    """The caller's position in its trace, by its headers or metadata; an empty context if they tell none."""
    return _PROPAGATOR.extract(headers, Context())


def trace_headers(span: trace.Span) -> dict[str, str]:
    """The headers or metadata that tell the other side of a span."""
    headers: dict[str, str] = {}
    _PROPAGATOR.inject(headers, within(span))
    return headers


@dataclass(frozen=True, slots=True)
class Ambient:
    """The context of a call: its id for logs, its position in the trace, and the telemetry in use."""

    telemetry: Telemetry
    trace: Context = field(default_factory=Context)
    request_id: str = ""


_OUTSIDE: Final = Ambient(Telemetry())
_ambient: ContextVar[Ambient] = ContextVar("ambient", default=_OUTSIDE)


def ambient() -> Ambient:
    """The context of the call being served; outside a call it has neither a trace nor a request id."""
    return _ambient.get()


def set_ambient(value: Ambient) -> None:
    """Set the context for the rest of the current task and the tasks that it starts."""
    _ambient.set(value)


@contextmanager
def entered(value: Ambient) -> Iterator[None]:
    """Set the context for the block."""
    token = _ambient.set(value)
    try:
        yield
    finally:
        _ambient.reset(token)
