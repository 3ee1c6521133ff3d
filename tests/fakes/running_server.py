"""A gRPC server in the process of its test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from libs.runtime.serving.server import Server
from libs.runtime.serving.service import Gate, Service
from libs.runtime.settings import ServerSettings


@asynccontextmanager
async def running(
    settings: ServerSettings, *servicers: object, name: str = "test", gate: Gate | None = None, **more: Any
) -> AsyncIterator[Server]:
    """A server that is SERVING within the block and stopped after it; `gate` decides about the calls of all services.

    `ServerSettings(port=0, lame_duck_seconds=0, drain_seconds=1)` suits most tests.
    """
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
