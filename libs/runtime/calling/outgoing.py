"""Adds to every outgoing call its deadline, span, metrics, and the metadata that links it to the call being served.

It wraps a channel instead of using interceptors, because those of grpc.aio run each call in extra tasks, which cost a
third of a call. Nothing here awaits a call, so cancellation reaches it; spans end in its done callback, however it is
consumed.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partialmethod
from typing import Any, Final, Self
from urllib.parse import quote

import grpc
from opentelemetry.trace import Span, SpanKind

from libs.runtime import deadline
from libs.runtime.calling.renewed_channel import RenewedChannel
from libs.runtime.security.trust import SIGNATURE_KEY, Secrets
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Ambient, ambient, trace_headers

_PRINTABLE: Final = "".join(map(chr, range(0x20, 0x7F)))

Method = Callable[..., Any]
"""Starts a call: a multi-callable of grpc.aio."""


class OutgoingChannel(grpc.aio.Channel):
    """A channel that adds deadline and metadata to every call to `target`, signs it with a secret, and records it."""

    def __init__(self, channel: RenewedChannel, target: str, secrets: Secrets | None = None) -> None:
        self._channel = channel
        self._secrets = secrets
        host, _, port = target.rpartition("/")[2].rpartition(":")
        self._server: dict[str, str | int] = {names.SERVER_ADDRESS: host or target}
        if port.isdigit():
            self._server[names.SERVER_PORT] = int(port)
        self._recording: set[asyncio.Task[None]] = set()

    def _method(
        self, kind: str, path: str, request_serializer: Any = None, response_deserializer: Any = None, **options: Any
    ) -> Method:
        """A method; a single request is serialized here, as its signature covers the bytes; a stream's covers none."""
        is_single, method = kind.startswith("unary"), path.lstrip("/")
        serialize = request_serializer or bytes
        attributes = {names.RPC_SYSTEM: "grpc", names.RPC_METHOD: method, **self._server}
        serializers = None if is_single else request_serializer, response_deserializer
        last: tuple[grpc.aio.Channel, Method] | None = None

        def start_call(
            request: Any = None,
            *,
            timeout: float | None = None,
            metadata: Sequence[tuple[str, str | bytes]] | None = None,
            **call_options: Any,
        ) -> Any:
            nonlocal last
            channel = self._channel.current()
            if last is None or last[0] is not channel:
                last = channel, getattr(channel, kind)(path, *serializers, **options)
            now = ambient()
            span = now.telemetry.span(method, SpanKind.CLIENT, now.trace, attributes)
            request = serialize(request) if is_single else request
            call_metadata = _with_context(metadata or (), span, now.request_id)
            if self._secrets is not None:
                signature = self._secrets.signature(path, request if is_single else b"")
                call_metadata = (*call_metadata, (SIGNATURE_KEY, signature))
            start_time = time.perf_counter()
            call = last[1](request, timeout=deadline.budget(timeout), metadata=call_metadata, **call_options)
            if now.telemetry.is_recording:
                call.add_done_callback(lambda _: self._record(call, span, now, start_time, attributes))
            return call

        return start_call

    unary_unary: Any = partialmethod(_method, "unary_unary")
    unary_stream: Any = partialmethod(_method, "unary_stream")
    stream_unary: Any = partialmethod(_method, "stream_unary")
    stream_stream: Any = partialmethod(_method, "stream_stream")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self, grace: float | None = None) -> None:
        await self._channel.close(grace)

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        return self._channel.current().get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        await self._channel.current().wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        await self._channel.current().channel_ready()

    def _record(self, call: Any, span: Span, now: Ambient, start_time: float, attributes: dict[str, Any]) -> None:
        async def record() -> None:
            status = (await call.code()).name
            now.telemetry.end_call(names.CLIENT_DURATION, start_time, span, attributes, status)

        task = asyncio.ensure_future(record())
        self._recording.add(task)
        task.add_done_callback(self._recording.discard)


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


def _safe(key: str, value: str | bytes) -> str | bytes:
    """Percent-encode text outside printable ASCII, which would make gRPC fail the call."""
    if isinstance(value, bytes) or key.lower().endswith("-bin") or (value.isascii() and value.isprintable()):
        return value
    return quote(value, safe=_PRINTABLE)
