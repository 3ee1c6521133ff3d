"""Traces and metrics behind one small Protocol, and the context of the call being served.

`Silent` is used when neither OTLP nor Prometheus is configured: it propagates trace ids (W3C traceparent), so that the
logs of all processes can be joined, and records nothing; OpenTelemetry isn't imported. The other implementation is
`libs.runtime.telemetry.telemetry_otel`.
"""

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol, Self

AttributeValue = str | int | float | bool | tuple[str, ...]
Attributes = Mapping[str, AttributeValue]

_TRACEPARENT: Final = re.compile(r"00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})")


@dataclass(frozen=True, slots=True)
class TraceContext:
    """A position in a trace: ids as lower-case hex (32 and 16 digits), flags as 2 hex digits."""

    trace_id: str
    span_id: str
    flags: str = "01"

    @classmethod
    def parse(cls, traceparent: str | None) -> Self | None:
        """Parse a W3C traceparent header; None if it is missing or malformed."""
        match = _TRACEPARENT.fullmatch(traceparent or "")
        return cls(*match.groups()) if match else None

    @classmethod
    def under(cls, parent: "TraceContext | None") -> "TraceContext":
        """The context of a new span under `parent`, or in a new trace if `parent` is None."""
        if parent is None:
            return TraceContext(secrets.token_hex(16), secrets.token_hex(8))
        return TraceContext(parent.trace_id, secrets.token_hex(8), parent.flags)

    def header(self) -> str:
        """The W3C traceparent header."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"


class SpanKind(Enum):
    """The side of a call that a span covers, or neither."""

    SERVER = "server"
    CLIENT = "client"
    INTERNAL = "internal"


class TraceSpan(Protocol):
    """A piece of work in a trace."""

    @property
    def context(self) -> TraceContext: ...

    def set(self, attributes: Attributes) -> None:
        """Add attributes."""

    def end(self, error: str | None = None) -> None:
        """End the span; `error` is the type of its failure, None on success. Further calls have no effect."""


class Telemetry(Protocol):
    """Receives spans and measurements."""

    def span(self, name: str, kind: SpanKind, parent: TraceContext | None, attributes: Attributes) -> TraceSpan:
        """Start a span; the caller ends it."""

    def observe(self, histogram: str, value: float, attributes: Attributes) -> None:
        """Record one value of a histogram, with the trace of the call being served as an example of it."""

    def add(self, counter: str, by: int, attributes: Attributes) -> None:
        """Change a counter; only up-down counters take negative numbers."""

    def close(self) -> None:
        """Send what is still buffered and stop; may block for seconds."""


@dataclass(frozen=True, slots=True)
class SilentSpan:
    """A span that only carries ids."""

    context: TraceContext

    def set(self, attributes: Attributes) -> None: ...

    def end(self, error: str | None = None) -> None: ...


class Silent:
    """Propagates trace ids and records nothing."""

    def span(self, name: str, kind: SpanKind, parent: TraceContext | None, attributes: Attributes) -> TraceSpan:
        return SilentSpan(TraceContext.under(parent))

    def observe(self, histogram: str, value: float, attributes: Attributes) -> None: ...

    def add(self, counter: str, by: int, attributes: Attributes) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Ambient:
    """The context of a call: its id for logs, its position in the trace, and the telemetry in use."""

    telemetry: Telemetry
    trace: TraceContext | None = None
    request_id: str = ""


_ambient: ContextVar[Ambient | None] = ContextVar("ambient", default=None)


def ambient() -> Ambient:
    """The context of the call being served; outside a call it has neither a trace nor a request id."""
    return _ambient.get() or Ambient(Silent())


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


@contextmanager
def span(name: str, **attributes: AttributeValue) -> Iterator[TraceSpan]:
    """A span around a piece of work within a call: `with span("search", engine="lexical") as s: s.set({"hits": 3})`.

    Don't put it around a `yield` of an async generator, whose context may change between two steps.
    """
    now = ambient()
    started = now.telemetry.span(name, SpanKind.INTERNAL, now.trace, attributes)
    try:
        with entered(Ambient(now.telemetry, started.context, now.request_id)):
            yield started
    except BaseException as error:
        started.end(type(error).__name__)
        raise
    finally:
        started.end()
