"""Assembles the HTTP application: the one place where its parts meet.

A further API is a list of routes over the channel to the gateway, added in `app_over` before the console's files,
which take all other paths. Telemetry, checks of host and origin, security headers and metadata of callers hold for all
routes.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from grpc_health.v1 import health_pb2
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from doors.access import AccessCheck, SecurityHeaders
from doors.callers import Networks, Origins
from doors.console_files import CONSOLE, ConsoleFiles
from doors.grpc_web import GrpcWeb
from doors.mcp_api.server import McpServer
from doors.openai_api.routes import SESSION, UNUSED, openai_routes
from doors.request_telemetry import RequestTelemetry
from doors.settings import DoorsSettings
from doors.turns import Turns
from doors.uploads import Uploads
from libs.runtime.calling.channel import open_channel
from libs.runtime.limits.places import UnreadBytes
from libs.runtime.security.trust import Secrets, TrustSettings, open_origin_secrets
from libs.runtime.serving.server_info import own_version
from libs.runtime.settings import ServerSettings
from libs.runtime.telemetry.telemetry import Telemetry
from libs.runtime.telemetry.telemetry_opening import open_telemetry
from parley.answer.v1 import answer_pb2
from parley.client.gateways import target_of
from parley.gateway.v1 import gateway_pb2, replay_pb2, session_pb2
from parley.retrieve.v1 import corpus_pb2

SERVICES: Final[tuple[ServiceDescriptor, ...]] = tuple(
    service
    for file in (gateway_pb2, session_pb2, replay_pb2, corpus_pb2, answer_pb2, health_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
)
"""The services that a gateway serves to clients."""

METHODS: Final[Mapping[str, MethodDescriptor]] = {
    f"/{service.full_name}/{method.name}": method for service in SERVICES for method in service.methods
}
"""The method of each path, such as `/parley.gateway.v1.GatewayService/Ask`."""


HEALTH_PATH: Final = "/healthz"
EXPOSED_HEADERS: Final = ("grpc-status", "grpc-message", "grpc-status-details-bin", SESSION, UNUSED)


@asynccontextmanager
async def open_app(settings: DoorsSettings) -> AsyncIterator[Starlette]:
    """Open telemetry and the channel to the gateway, and yield the application.

    Raises:
        SettingsError: the certificates of the channel or a secret cannot be used, or the port for Prometheus is in use.
        ValueError: see `target_of`.
    """
    async with opened_telemetry(settings) as telemetry, open_channel(target_of(settings.gateway)) as channel:
        mcp = McpServer(channel, own_version())
        async with mcp.running():
            secrets = open_origin_secrets(TrustSettings())
            yield app_over(channel, settings, mcp.routes(), telemetry, secrets)


@asynccontextmanager
async def opened_telemetry(settings: DoorsSettings) -> AsyncIterator[Telemetry]:
    """The telemetry as the settings of `server` have it; Prometheus scrapes it at the host of the HTTP server.

    Raises:
        SettingsError: the port for Prometheus is in use.
    """
    server = ServerSettings().model_copy(update={"host": settings.host})
    telemetry = open_telemetry(server, "doors", own_version())
    try:
        yield telemetry
    finally:
        await asyncio.to_thread(telemetry.close)


def app_over(
    channel: grpc.aio.Channel,
    settings: DoorsSettings,
    further: Sequence[BaseRoute],
    telemetry: Telemetry,
    secrets: Secrets | None,
) -> Starlette:
    """The application over an open channel to the gateway.

    Args:
        further: routes of APIs that have to run.
        secrets: sign where requests come from; None: that is said without proof.
    """
    unread = UnreadBytes()
    routes: list[BaseRoute] = [
        Route(HEALTH_PATH, healthy),
        *grpc_web_routes(channel, unread, settings.trusted_proxies),
        *Turns(channel, unread, settings.trusted_proxies).routes(),
        *openai_routes(channel),
        *further,
        Route("/upload", Uploads(channel, settings), methods=["POST"]),
        Mount("/", ConsoleFiles(CONSOLE)),
    ]
    origins = Middleware(Origins, secrets=secrets, proxies=settings.trusted_proxies)
    layers = [Middleware(RequestTelemetry, telemetry=telemetry), *middleware(settings), origins]
    return Starlette(routes=routes, middleware=layers, exception_handlers={ClientDisconnect: left})


def grpc_web_routes(channel: grpc.aio.Channel, unread: UnreadBytes, proxies: Networks) -> list[BaseRoute]:
    """A route for each method of the gateway's services."""
    app = partial(GrpcWeb, channel, unread=unread, proxies=proxies)
    return [Route(path, app(path, method), methods=["POST"]) for path, method in METHODS.items()]


def middleware(settings: DoorsSettings) -> list[Middleware]:
    """What every request passes within its telemetry, the outermost first."""
    layers = [Middleware(SecurityHeaders), Middleware(AccessCheck, settings=settings)]
    if settings.allowed_origins:
        layers.append(
            Middleware(
                CORSMiddleware,
                allow_origins=settings.allowed_origins,
                allow_methods=["GET", "POST", "DELETE"],
                allow_headers=["*"],
                expose_headers=EXPOSED_HEADERS,
            )
        )
    return layers


async def healthy(request: Request) -> Response:
    """Say that this process serves, or will soon end; whether the gateway serves is for GetServerInfo to say."""
    if getattr(request.app.state, "is_ending", False):
        return JSONResponse({"status": "ending"}, 503)
    return JSONResponse({"status": "serving"})


async def left(request: Request, error: Exception) -> Response:
    """Answer a client that left before its answer, which nobody reads: it is no error of this process."""
    return Response(status_code=499)  # as nginx logs it
