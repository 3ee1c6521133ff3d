"""Telemetry and logs of one incoming call, from its arrival to its status."""

import re
import secrets
import time
from typing import Any, Final

import grpc
import structlog
from opentelemetry.trace import SpanKind, format_trace_id

from libs.runtime.errors import InternalError, ParleyError
from libs.runtime.storage import storage_error
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Ambient, Telemetry, read_trace, set_ambient, within

_REQUEST_ID: Final = re.compile(r"[\x21-\x7e]{1,128}")
_log = structlog.get_logger("parley.call")


class IncomingCall:
    """Starts the span, sets the call's ids in the context, and records once how the call ended."""

    def __init__(self, method: str, context: Any, telemetry: Telemetry) -> None:
        self._context = context
        self._telemetry = telemetry
        self._start_time = time.perf_counter()
        name = method.lstrip("/")
        self._attributes = {names.RPC_SYSTEM: "grpc", names.RPC_METHOD: name}
        self._sent_messages = 0
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
