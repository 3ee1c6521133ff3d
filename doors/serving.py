"""Serves the application: binds, serves liveness, drains on SIGTERM or SIGINT; a second signal ends the draining.

After the first signal requests are still taken for PARLEY_SERVER_LAME_DUCK_SECONDS, while the health path answers 503:
whoever balances the load learns of it before a connection is refused.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from doors.framing import StrictProtocol
from doors.https import https_context
from doors.settings import DoorsSettings
from libs.runtime.serving.listen import BindError, address_of
from libs.runtime.serving.liveness import serving_liveness
from libs.runtime.serving.process import settle, until_signal
from libs.runtime.settings import ServerSettings
from libs.runtime.telemetry.telemetry_opening import configure_logs

KEEP_ALIVE_SECONDS = 75  # of an idle connection; nginx's default
POLL_SECONDS = 0.02  # between two looks (taste)

ContextFactory = Callable[[uvicorn.Config, Callable[[], ssl.SSLContext]], ssl.SSLContext]

_log = structlog.get_logger("parley.doors")


class HttpServer(uvicorn.Server):
    """A server that leaves signals to its process."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone, which uvicorn would take over here."""
        yield


async def serve_app(app: Starlette, settings: DoorsSettings) -> None:
    """Serve until a signal; running requests may finish within PARLEY_SERVER_DRAIN_SECONDS.

    Sets `app.state.is_ending` at the signal.

    Raises:
        BindError: the port is in use or the address isn't this machine's.
        SettingsError: the certificate cannot be used; see also `serving_liveness`.
    """
    process = ServerSettings()
    configure_logs(process, "doors")
    bound = bind(settings)
    server = HttpServer(config_of(app, settings, process.drain_seconds))
    async with serving_liveness(process):
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        with until_signal():
            while not (server.started or serving.done()):  # noqa: ASYNC110 - uvicorn has no event for it
                await asyncio.sleep(POLL_SECONDS)
            settle()
            _log.info("serving", address=f"{settings.scheme}://{address_of(*bound.getsockname()[:2])}")
            await asyncio.wait({serving})
        app.state.is_ending = True
        with until_signal():
            await asyncio.wait({serving}, timeout=process.lame_duck_seconds)
            server.should_exit = True
            await asyncio.wait({serving})
        server.should_exit = server.force_exit = True
        await serving
    _log.info("stopped")


def bind(settings: DoorsSettings) -> socket.socket:
    """A socket that listens on the address.

    Raises:
        BindError: the port is in use or the address isn't this machine's.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError:
        bound.close()
        address = address_of(settings.host, settings.port)
        raise BindError(address, settings.variable("port"), settings.variable("host")) from None
    return bound


def config_of(app: ASGIApp, settings: DoorsSettings, drain_seconds: float) -> uvicorn.Config:
    """How uvicorn serves; it neither logs requests nor believes a proxy's word about callers.

    Raises:
        SettingsError: the certificate cannot be used.
    """
    return uvicorn.Config(
        app,
        http=StrictProtocol,
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=round(drain_seconds),
        ssl_context_factory=_context_factory(settings),
    )


def _context_factory(settings: DoorsSettings) -> ContextFactory | None:
    """What gives uvicorn the context of HTTPS; None for plain HTTP."""
    if settings.certificate is None or settings.key is None:
        return None
    context = https_context(settings.certificate, settings.key)
    return lambda config, default: context
