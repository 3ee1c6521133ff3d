"""The health service of a server (grpc.health.v1: Check, Watch, List), and queries of other servers' health.

`python -m libs.runtime.serving.health 127.0.0.1:50051` exits 0 if that process reports SERVING, else 1. The service of
the library `grpc_health` has no List, and its errors have no details.
"""
# ruff: noqa: N802 - gRPC method names

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable
from typing import Any, Final

from grpc_health.v1 import health_pb2, health_pb2_grpc

from libs.runtime.calling.channel import ChannelSettings, open_channel, unary
from libs.runtime.errors import NotFound, ParleyError

UNREACHABLE: Final = "UNREACHABLE"
WHOLE: Final = ""
"""The service name that stands for the server as a whole."""

_Response = health_pb2.HealthCheckResponse


class HealthServicer(health_pb2_grpc.HealthServicer):  # type: ignore[misc]  # untyped
    """Reports NOT_SERVING for everything until `serving` changes it.

    Args:
        services: full names of this server's services; `""`, the server as a whole, is added.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self._services = (WHOLE, *services)
        self._status = _Response.NOT_SERVING
        self._changed = asyncio.Event()
        self._closed = False

    def serving(self, yes: bool) -> None:
        """Set the server and all its services to SERVING or NOT_SERVING and notify watchers."""
        self._status = _Response.SERVING if yes else _Response.NOT_SERVING
        self._tell()

    def end_watches(self) -> None:
        """End all Watch streams after their last update; an open one would delay a graceful stop."""
        self._closed = True
        self._tell()

    def _tell(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def Check(self, request: Any, context: Any) -> Any:
        if request.service not in self._services:
            raise NotFound("service", request.service)
        return _Response(status=self._status)

    async def Watch(self, request: Any, context: Any) -> AsyncIterator[Any]:
        last_status = None
        while True:
            changed, closed = self._changed, self._closed  # read before the status, so that its last change is sent
            status = self._status if request.service in self._services else _Response.SERVICE_UNKNOWN
            if status != last_status:
                last_status = status
                yield _Response(status=status)
            if closed:
                return
            await changed.wait()

    async def List(self, request: Any, context: Any) -> Any:
        return health_pb2.HealthListResponse(statuses={name: _Response(status=self._status) for name in self._services})


async def health_of(target: str, service: str = WHOLE, timeout: float = 1.0) -> str:  # noqa: ASYNC109 - the call's deadline
    """Query a server's health once, for at most `timeout` seconds.

    Returns:
        SERVING, NOT_SERVING, SERVICE_UNKNOWN, or UNREACHABLE if no valid answer came in time.
    """
    request = health_pb2.HealthCheckRequest(service=service)
    async with open_channel(target, ChannelSettings(retries=False)) as channel:
        try:
            answer = await unary(health_pb2_grpc.HealthStub(channel).Check, request, timeout=timeout)
        except ParleyError as error:
            return "SERVICE_UNKNOWN" if isinstance(error, NotFound) else UNREACHABLE
    return str(_Response.ServingStatus.Name(answer.status))


async def until_serving(target: str, pause: float = 0.2) -> None:
    """Return once a server reports SERVING; asks every `pause` seconds, without a time limit; .2 by taste."""
    while await health_of(target) != "SERVING":  # noqa: ASYNC110 - the event is in another process
        await asyncio.sleep(pause)


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(health_of(sys.argv[1], timeout=3.0)) == "SERVING" else 1)
