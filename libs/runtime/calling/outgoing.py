"""Adds to every outgoing call its deadline, span, metrics, and the metadata that links it to the call being served.

It wraps a channel instead of using interceptors, because those of grpc.aio run each call in extra tasks, which cost a
third of a call. Nothing here awaits a call, so cancellation reaches it; spans end in its done callback, however it is
consumed.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final
from urllib.parse import quote

import grpc
from google.protobuf.message import DecodeError
from opentelemetry.trace import Span, SpanKind

from libs.runtime import deadline
from libs.runtime.calling.channel_layer import ChannelLayer, Method
from libs.runtime.errors import Unavailable
from libs.runtime.security.trust import SIGNATURE_KEY, Secrets
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Ambient, ambient, end, trace_headers

UNREADABLE: Final = object()
"""Stands for a response that could not be decoded."""
_PRINTABLE: Final = "".join(map(chr, range(0x20, 0x7F)))


class OutgoingChannel(ChannelLayer):
    """A channel that adds deadline and metadata to every call to `target`, signs it with a secret, and records it."""

    def __init__(self, channel: grpc.aio.Channel, target: str, secrets: Secrets | None = None) -> None:
        self._channel = channel
        self._secrets = secrets
        host, _, port = target.rpartition("/")[2].rpartition(":")
        self._server: dict[str, str | int] = {names.SERVER_ADDRESS: host or target}
        if port.isdigit():
            self._server[names.SERVER_PORT] = int(port)
        self._recording: set[asyncio.Task[None]] = set()

    @property
    def under(self) -> grpc.aio.Channel:
        """The channel that makes the calls."""
        return self._channel

    def method(self, kind: str, path: str, *more: Any, **options: Any) -> Method:
        """A method whose responses never fail to decode (see `refuse_unreadable`)."""
        options["response_deserializer"] = marking(options.get("response_deserializer"))
        make = getattr(self._channel, kind)
        return (
            self._one(make, path, *more, **options)
            if kind.startswith("unary")
            else self._many(make(path, *more, **options), path)
        )

    def _one(self, make: Method, method: str, serialize: Any = None, *more: Any, **options: Any) -> Method:
        """A method with one request message; it is serialized here if it is signed."""
        serialize = options.pop("request_serializer", serialize)
        if self._secrets is None:
            return self._wrap(method, make(method, serialize, *more, **options))
        secrets, start = self._secrets, make(method, None, *more, **options)

        def start_signed(request: Any, *, metadata: tuple[Any, ...], **call_options: Any) -> Any:
            content = serialize(request)
            return start(content, metadata=(*metadata, _signature(secrets, method, content)), **call_options)

        return self._wrap(method, start_signed)

    def _many(self, start: Method, method: str) -> Method:
        """A method with a stream of request messages, which the signature does not cover."""
        if self._secrets is None:
            return self._wrap(method, start)
        secrets = self._secrets

        def start_signed(request: Any, *, metadata: tuple[Any, ...], **call_options: Any) -> Any:
            return start(request, metadata=(*metadata, _signature(secrets, method, b"")), **call_options)

        return self._wrap(method, start_signed)

    def _wrap(self, path: str, start: Method) -> Method:
        """A multi-callable that starts a call with deadline, span and metadata."""
        method = path.lstrip("/")
        attributes = {names.RPC_SYSTEM: "grpc", names.RPC_METHOD: method, **self._server}

        def start_call(
            request: Any = None,
            *,
            timeout: float | None = None,
            metadata: Sequence[tuple[str, str | bytes]] | None = None,
            **options: Any,
        ) -> Any:
            now = ambient()
            span = now.telemetry.span(method, SpanKind.CLIENT, now.trace, attributes)
            call_metadata = _with_context(metadata or (), span, now.request_id)
            start_time = time.perf_counter()
            call = start(request, timeout=deadline.budget(timeout), metadata=call_metadata, **options)
            if now.telemetry.is_recording:
                call.add_done_callback(lambda _: self._record(call, span, now, start_time, attributes))
            return call

        return start_call

    def _record(self, call: Any, span: Span, now: Ambient, start_time: float, attributes: dict[str, Any]) -> None:
        task = asyncio.ensure_future(_record(call, span, now, start_time, attributes))
        self._recording.add(task)
        task.add_done_callback(self._recording.discard)


def _signature(secrets: Secrets, method: str, content: bytes) -> tuple[str, str]:
    return SIGNATURE_KEY, secrets.signature(method, content)


def _with_context(
    entries: Iterable[tuple[str, str | bytes]], span: Span, request_id: str
) -> tuple[tuple[str, Any], ...]:
    """The metadata with traceparent and request id added if they are missing."""
    metadata = [(key.lower(), _safe(key, value)) for key, value in entries]
    keys = {key for key, _ in metadata}
    if names.TRACEPARENT not in keys:
        metadata.extend(trace_headers(span).items())
    if request_id and names.REQUEST_ID not in keys:
        metadata.append((names.REQUEST_ID, _safe(names.REQUEST_ID, request_id)))
    return tuple(metadata)


async def _record(call: Any, span: Span, now: Ambient, start_time: float, attributes: dict[str, Any]) -> None:
    status = (await call.code()).name
    error_type = None if status == grpc.StatusCode.OK.name else status
    outcome = {**attributes, names.RPC_STATUS: status, **({names.ERROR_TYPE: error_type} if error_type else {})}
    now.telemetry.observe(names.CLIENT_DURATION, time.perf_counter() - start_time, outcome)
    span.set_attributes(outcome)
    end(span, error_type)


def _safe(key: str, value: str | bytes) -> str | bytes:
    """Percent-encode text outside printable ASCII, which would make gRPC fail the call."""
    if isinstance(value, bytes) or key.lower().endswith("-bin") or (value.isascii() and value.isprintable()):
        return value
    return quote(value, safe=_PRINTABLE)


def marking(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any] | None:
    """A deserializer that returns UNREADABLE instead of raising."""
    if deserialize is None:
        return None

    def deserialize_or_mark(content: bytes) -> Any:
        try:
            return deserialize(content)
        except DecodeError:
            return UNREADABLE

    return deserialize_or_mark


def refuse_unreadable(response: object) -> None:
    """Check a response.

    Raises:
        Unavailable: it could not be decoded (reason STAGE_FAILED).
    """
    if response is UNREADABLE:
        raise Unavailable(
            "STAGE_FAILED", "A stage's answer cannot be decoded: it may be of another version than this process."
        )
