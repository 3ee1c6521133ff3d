"""A gRPC server in the process of its test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from libs.runtime.serving.server import Server
from libs.runtime.serving.service import Gate, Service
from libs.runtime.settings import ServerSettings

QUIET = ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1)
"""A free port, and no waiting at the end."""


@asynccontextmanager
async def running(
    *servicers: object, settings: ServerSettings = QUIET, name: str = "test", gate: Gate | None = None, **more: Any
) -> AsyncIterator[Server]:
    """A server that is SERVING within the block; `gate` decides about the calls of all services."""
    if gate is not None:
        more["gate_of"] = lambda _: gate
    services = (each if isinstance(each, Service) else Service.of(each) for each in servicers)
    server = Server(settings, *services, name=name, **more)
    await server.start()
    server.health.serving(True)
    try:
        yield server
    finally:
        await server.stop()
