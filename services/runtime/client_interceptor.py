"""What every outgoing call goes through: its deadline, span, metrics, and the metadata that joins it to ours.

The interceptors never await a call, so cancelling reaches it; spans end in its done callback, however it is consumed.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any
from urllib.parse import quote

import grpc

from services.runtime import deadline
from services.runtime import telemetry_names as names
from services.runtime.telemetry import Ambient, Span, SpanKind, ambient

Continuation = Callable[[grpc.aio.ClientCallDetails, Any], Awaitable[Any]]
_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))


def outgoing_interceptors(target: str) -> Sequence[grpc.aio.ClientInterceptor]:
    """One for each of the four kinds of call (gRPC picks by class), over one `Outgoing`."""
    outgoing = Outgoing(target)
    return [kind(outgoing) for kind in (_UnaryUnary, _UnaryStream, _StreamUnary, _StreamStream)]


class Outgoing:
    """Starts a call with what belongs to every call to `target`, and records how it ends."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition("/")[2].rpartition(":")
        self._server: dict[str, str | int] = {names.SERVER_ADDRESS: host or target}
        if port.isdigit():
            self._server[names.SERVER_PORT] = int(port)
        self._recording: set[asyncio.Task[None]] = set()

    async def start(self, continuation: Continuation, details: grpc.aio.ClientCallDetails, request: Any) -> Any:
        """The call, started."""
        now = ambient()
        method = _text(details.method).lstrip("/")
        attributes = {names.RPC_SYSTEM: "grpc", names.RPC_METHOD: method, **self._server}
        span = now.telemetry.span(method, SpanKind.CLIENT, now.trace, attributes)
        started = time.perf_counter()
        call = await continuation(_completed(details, span, now.request_id), request)

        def ended(_: object) -> None:
            task = asyncio.ensure_future(_record(call, span, now, started, attributes))
            self._recording.add(task)
            task.add_done_callback(self._recording.discard)

        call.add_done_callback(ended)
        return call


class _UnaryUnary(grpc.aio.UnaryUnaryClientInterceptor):
    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        return await self._outgoing.start(continuation, client_call_details, request)


class _UnaryStream(grpc.aio.UnaryStreamClientInterceptor):
    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_stream(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        return await self._outgoing.start(continuation, client_call_details, request)


class _StreamUnary(grpc.aio.StreamUnaryClientInterceptor):
    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_stream_unary(self, continuation: Any, client_call_details: Any, request_iterator: Any) -> Any:
        return await self._outgoing.start(continuation, client_call_details, request_iterator)


class _StreamStream(grpc.aio.StreamStreamClientInterceptor):
    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_stream_stream(self, continuation: Any, client_call_details: Any, request_iterator: Any) -> Any:
        return await self._outgoing.start(continuation, client_call_details, request_iterator)


def _completed(details: grpc.aio.ClientCallDetails, span: Span, request_id: str) -> grpc.aio.ClientCallDetails:
    """The details with the deadline cut to what is left for the call being served, and the ids in the metadata."""
    metadata = [(key.lower(), _safe(key, value)) for key, value in _items(details.metadata)]
    given = {key for key, _ in metadata}
    own = {names.TRACEPARENT: span.context.header(), names.REQUEST_ID: request_id}
    metadata += [(key, value) for key, value in own.items() if value and key not in given]
    return grpc.aio.ClientCallDetails(
        details.method,
        deadline.budget(details.timeout),
        grpc.aio.Metadata(*metadata),
        details.credentials,
        details.wait_for_ready,
    )


async def _record(call: Any, span: Span, now: Ambient, started: float, attributes: dict[str, Any]) -> None:
    status = (await call.code()).name
    failed = None if status == grpc.StatusCode.OK.name else status
    ended = {**attributes, names.RPC_STATUS: status, **({names.ERROR_TYPE: failed} if failed else {})}
    now.telemetry.observe(names.CLIENT_DURATION, time.perf_counter() - started, ended)
    span.set(ended)
    span.end(failed)


def _items(metadata: Any) -> Iterable[tuple[str, str | bytes]]:
    return metadata or ()


def _safe(key: str, value: str | bytes) -> str | bytes:
    """Text outside printable ASCII makes gRPC fail the call: it is percent-encoded."""
    return value if isinstance(value, bytes) or key.lower().endswith("-bin") else quote(value, safe=_PRINTABLE)


def _text(method: str | bytes) -> str:
    return method.decode() if isinstance(method, bytes) else method
