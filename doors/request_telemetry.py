"""Telemetry of HTTP requests: a span, the time until the response has ended, and how many are being answered.

Requests are grouped by the template of their route, never by their path, which would let callers create any number of
time series. Nothing is awaited but the application itself, whose errors pass unchanged.
"""

import time
from typing import Final

from opentelemetry.trace import SpanKind
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Ambient, Attributes, Telemetry, end, entered, read_trace, within

METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"))
OTHER: Final = "_OTHER"
"""The name of all other methods, by OpenTelemetry's semantic conventions."""
FAILURE: Final = 500
"""Status from which a response is a failure of the server, and that of a request that raised an exception."""


class RequestTelemetry:
    """Measures each request, and makes its trace that of the calls which are made for it."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry) -> None:
        self._app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Measure a request, and pass it on (ASGI)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = IncomingRequest(scope, self._telemetry)
        with entered(Ambient(self._telemetry, within(request.span))):
            await request.answer(self._app, receive, send)


class IncomingRequest:
    """Starts the span of a request, and records once how it ended."""

    def __init__(self, scope: Scope, telemetry: Telemetry) -> None:
        self._scope = scope
        self._telemetry = telemetry
        self._start_time = time.perf_counter()
        method = scope["method"] if scope["method"] in METHODS else OTHER
        self._attributes: Attributes = {names.HTTP_METHOD: method, names.HTTP_SCHEME: scope["scheme"]}
        self._status: int | None = None
        parent = read_trace(Headers(scope=scope))
        self.span = telemetry.tracer.start_span(method, parent, SpanKind.SERVER, self._attributes)

    async def answer(self, app: ASGIApp, receive: Receive, send: Send) -> None:
        """Let the application answer it; errors are the application's."""
        self._telemetry.add(names.HTTP_SERVER_IN_FLIGHT, +1, self._attributes)
        error_type = None
        try:
            await app(self._scope, receive, self._recording_status(send))
        except BaseException as error:
            error_type = type(error).__name__
            raise
        finally:
            self._telemetry.add(names.HTTP_SERVER_IN_FLIGHT, -1, self._attributes)
            self._end(error_type)

    def _recording_status(self, send: Send) -> Send:
        async def record(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._status = message["status"]
            await send(message)

        return record

    def _end(self, error_type: str | None) -> None:
        status = self._status or FAILURE
        if error_type is None and status >= FAILURE:
            error_type = str(status)
        outcome = {**self._attributes, names.HTTP_STATUS: status, **self._route()}
        if error_type:
            outcome[names.ERROR_TYPE] = error_type
        self._telemetry.observe(names.HTTP_SERVER_DURATION, time.perf_counter() - self._start_time, outcome)
        self.span.set_attributes(outcome)
        end(self.span, error_type)

    def _route(self) -> dict[str, str]:
        """The template of the route, such as `/v1/models/{model}`; nothing for what was refused before."""
        template = getattr(self._scope.get("route"), "path_format", None)
        return {names.HTTP_ROUTE: template} if template else {}
