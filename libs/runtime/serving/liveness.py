"""A process's liveness: health that is served by a thread of its own, so that a busy event loop does not delay it.

Health (`libs.runtime.serving.health`) says whether a process takes calls and is served by the event loop, which a
second of Python in a handler delays by that second. Liveness says whether the process works at all: SERVING while the
event loop has run within the last `HANG_SECONDS`, else NOT_SERVING. A process that is stopped, or holds the interpreter
lock for good, does not answer. Whoever supervises the process restarts it in both cases, after several misses.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from libs.runtime.security.tls import TlsSettings
from libs.runtime.serving.listen import BindError, refuse_public_plain_text
from libs.runtime.settings import ServerSettings

BEAT_SECONDS: Final = 0.5
"""Seconds between two signs of life of the event loop (taste)."""
HANG_SECONDS: Final = 10.0
"""Seconds without one after which the loop counts as hung. What computes runs in threads; the longest time that a
handler keeps the loop to itself is some tens of milliseconds (taste)."""
UNIX: Final = "unix:"


class LivenessServicer(health_pb2_grpc.HealthServicer):  # type: ignore[misc]  # untyped
    """Health.Check about the event loop in which it was made, for whichever service is named; from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._beat()

    def _beat(self) -> None:
        self._last = time.monotonic()
        self._timer = self._loop.call_later(BEAT_SECONDS, self._beat)

    def stop(self) -> None:
        """End the beats."""
        self._timer.cancel()

    def Check(self, request: Any, context: Any) -> Any:  # noqa: N802 - gRPC method name
        """Return SERVING if the loop has run lately, else NOT_SERVING."""
        response, is_alive = health_pb2.HealthCheckResponse, time.monotonic() - self._last < HANG_SECONDS
        return response(status=response.SERVING if is_alive else response.NOT_SERVING)


@asynccontextmanager
async def serving_liveness(settings: ServerSettings) -> AsyncIterator[None]:
    """Serve the liveness of this process at `settings.liveness_address` within the block; empty: not at all.

    Raises:
        SettingsError: other machines could reach the address in plain text, with neither `insecure` nor TLS.
        BindError: the address is in use or isn't this machine's.
    """
    address = settings.liveness_address
    if not address:
        yield
        return
    if not address.startswith(UNIX):
        host = address.rpartition(":")[0].strip("[]")
        refuse_public_plain_text(host, "liveness_address", settings, TlsSettings())
    servicer = LivenessServicer()
    server = grpc.server(
        ThreadPoolExecutor(1, "liveness"), options=[("grpc.so_reuseport", 0)], maximum_concurrent_rpcs=8
    )
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    try:
        try:
            server.add_insecure_port(address)
        except RuntimeError:
            raise BindError(address, settings.variable("liveness_address")) from None
        server.start()
        yield
    finally:
        servicer.stop()
        server.stop(BEAT_SECONDS)  # not at once: the supervisor's gRPC would report its cut connection
