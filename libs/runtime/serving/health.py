"""The health service of a server (grpc.health.v1: Check, Watch, List), and queries of other servers' health."""
# ruff: noqa: N802 - gRPC method names

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from libs.runtime.calling.renewed_channel import encrypted_or_plain
from libs.runtime.errors import NotFound
from libs.runtime.security.tls import TlsSettings

UNREACHABLE: Final = "UNREACHABLE"
WHOLE: Final = ""
"""The service name that stands for the server as a whole."""

_Status = health_pb2.HealthCheckResponse.ServingStatus


class HealthServicer(health_pb2_grpc.HealthServicer):  # type: ignore[misc]  # untyped
    """Reports NOT_SERVING for everything until `serving` changes it.

    Args:
        services: full names of this server's services; `""`, the server as a whole, is added.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self._statuses = dict.fromkeys((WHOLE, *services), health_pb2.HealthCheckResponse.NOT_SERVING)
        self._changed = asyncio.Event()
        self._closed = False

    def serving(self, yes: bool) -> None:
        """Set the server and all its services to SERVING or NOT_SERVING and notify watchers."""
        status = health_pb2.HealthCheckResponse.SERVING if yes else health_pb2.HealthCheckResponse.NOT_SERVING
        self._statuses = dict.fromkeys(self._statuses, status)
        self._tell()

    def end_watches(self) -> None:
        """End all Watch streams after their last update; an open one would delay a graceful stop."""
        self._closed = True
        self._tell()

    def _tell(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def Check(self, request: Any, context: Any) -> Any:
        status = self._statuses.get(request.service)
        if status is None:
            raise NotFound("service", request.service)
        return health_pb2.HealthCheckResponse(status=status)

    async def Watch(self, request: Any, context: Any) -> AsyncIterator[Any]:
        last_status = None
        while True:
            changed = self._changed
            status = self._statuses.get(request.service, health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)
            if status != last_status:
                last_status = status
                yield health_pb2.HealthCheckResponse(status=status)
            if self._closed:
                return
            await changed.wait()

    async def List(self, request: Any, context: Any) -> Any:
        statuses = {name: health_pb2.HealthCheckResponse(status=s) for name, s in self._statuses.items()}
        return health_pb2.HealthListResponse(statuses=statuses)


async def health_of(target: str, service: str = WHOLE, timeout: float = 1.0) -> str:  # noqa: ASYNC109 - the call's deadline
    """Query a server's health once, for at most `timeout` seconds.

    Returns:
        SERVING, NOT_SERVING, SERVICE_UNKNOWN, or UNREACHABLE if no valid answer came in time.
    """
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
    async with encrypted_or_plain(target, options, TlsSettings()) as channel:
        try:
            request = health_pb2.HealthCheckRequest(service=service)
            answer = await health_pb2_grpc.HealthStub(channel).Check(request, timeout=timeout)
        except grpc.aio.AioRpcError as error:
            return "SERVICE_UNKNOWN" if error.code() is grpc.StatusCode.NOT_FOUND else UNREACHABLE
    return str(_Status.Name(answer.status))


async def until_serving(target: str, service: str = WHOLE, pause: float = 0.2) -> None:
    """Return once a server reports SERVING; asks every `pause` seconds, without a time limit."""
    while await health_of(target, service) != "SERVING":  # noqa: ASYNC110 - the event is in another process
        await asyncio.sleep(pause)
