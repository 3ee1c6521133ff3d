"""Adds to every outgoing call its deadline, span, metrics, and the metadata that links it to the call being served.

It wraps a channel instead of using interceptors, because those of grpc.aio run each call in extra tasks, which cost a
third of a call. Nothing here awaits a call, so cancellation reaches it; spans end in its done callback, however it is
consumed.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partialmethod
from typing import Any, Final

import grpc
from opentelemetry.trace import Span, SpanKind

from libs.runtime import deadline
from libs.runtime.security.tls import Pem, TlsSettings, channel_credentials, channel_files
from libs.runtime.security.trust import SIGNATURE_KEY, Secrets
from libs.runtime.telemetry import telemetry_names as names
from libs.runtime.telemetry.telemetry import Ambient, ambient, trace_headers

GRACE_SECONDS: Final = 3600.0
"""Longest time for the last calls of an earlier channel; a call has its own deadline, an ingest has none (taste)."""


class OutgoingChannel:
    """What stubs need of a channel. Adds deadline and metadata to each call, signs it with a secret, and records it.

    It is opened anew when the TLS certificates change: gRPC's own channel keeps those it began with. The earlier one is
    closed after its last call, so that no call fails for a renewal.

    Raises:
        SettingsError: the certificates cannot be used.
    """

    def __init__(
        self, target: str, options: Sequence[tuple[str, Any]], tls: TlsSettings, secrets: Secrets | None = None
    ) -> None:
        is_plain = not tls.calls or target.startswith("unix:")
        name = [("grpc.ssl_target_name_override", tls.server_name)] if tls.server_name and not is_plain else []
        self._target = target
        self._options = [*options, *name]
        self._secrets = secrets
        self._files = None if is_plain else channel_files(tls)
        self._pem = self._files.current() if self._files else None
        self._channel = self._open(self._pem)
        self._earlier: dict[grpc.aio.Channel, asyncio.Task[None]] = {}
        host, _, port = target.rpartition("/")[2].rpartition(":")
        self._server: dict[str, str | int] = {names.SERVER_ADDRESS: host or target}
        if port.isdigit():
            self._server[names.SERVER_PORT] = int(port)
        self._recording: set[asyncio.Task[None]] = set()

    def _current(self) -> grpc.aio.Channel:
        """The channel for the next call."""
        pem = self._files.current() if self._files else None
        if pem is not self._pem:
            earlier, self._channel, self._pem = self._channel, self._open(pem), pem
            task = self._earlier[earlier] = asyncio.ensure_future(earlier.close(GRACE_SECONDS))
            task.add_done_callback(lambda _: self._earlier.pop(earlier))
        return self._channel

    async def close(self) -> None:
        """Close the earlier channels, too."""
        earlier = dict(self._earlier)
        for task in earlier.values():
            task.cancel()
        await asyncio.gather(*earlier.values(), return_exceptions=True)
        for channel in (*earlier, self._channel):
            await channel.close()

    def _open(self, pem: Pem | None) -> grpc.aio.Channel:
        if pem is None:
            return grpc.aio.insecure_channel(self._target, self._options)
        return grpc.aio.secure_channel(self._target, channel_credentials(pem), self._options)

    def _method(
        self, kind: str, path: str, request_serializer: Any = None, response_deserializer: Any = None, **options: Any
    ) -> Callable[..., Any]:
        """What starts calls. A single request is serialized here: the signature covers its bytes; of a stream, none."""
        is_single, method = kind.startswith("unary"), path.lstrip("/")
        serialize = request_serializer or bytes
        attributes = {names.RPC_SYSTEM: "grpc", names.RPC_METHOD: method, **self._server}
        serializers = None if is_single else request_serializer, response_deserializer

        def start_call(
            request: Any = None,
            *,
            timeout: float | None = None,
            metadata: Iterable[tuple[str, Any]] | None = None,
            **call_options: Any,
        ) -> Any:
            now = ambient()
            span = now.telemetry.tracer.start_span(method, now.trace, SpanKind.CLIENT, attributes)
            request = serialize(request) if is_single else request
            context = trace_headers(span)
            if now.request_id:
                context[names.REQUEST_ID] = now.request_id
            if self._secrets is not None:
                context[SIGNATURE_KEY] = self._secrets.signature(path, request if is_single else b"")
            call_metadata = (*context.items(), *(metadata or ()))  # of a key that occurs twice, the last one counts
            start_time = time.perf_counter()
            start = getattr(self._current(), kind)(path, *serializers, **options)
            call = start(request, timeout=deadline.budget(timeout), metadata=call_metadata, **call_options)
            if now.telemetry.is_recording:
                call.add_done_callback(lambda _: self._record(call, span, now, start_time, attributes))
            return call

        return start_call

    unary_unary: Any = partialmethod(_method, "unary_unary")
    unary_stream: Any = partialmethod(_method, "unary_stream")
    stream_unary: Any = partialmethod(_method, "stream_unary")
    stream_stream: Any = partialmethod(_method, "stream_stream")

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        """See grpc.aio.Channel."""
        return self._current().get_state(try_to_connect)

    def _record(self, call: Any, span: Span, now: Ambient, start_time: float, attributes: dict[str, Any]) -> None:
        async def record() -> None:
            status = (await call.code()).name
            now.telemetry.end_call(names.CLIENT_DURATION, start_time, span, attributes, status)

        task = asyncio.ensure_future(record())
        self._recording.add(task)
        task.add_done_callback(self._recording.discard)
