"""A gRPC server with what all processes serve; its start, and its end.

Shutdown: health reports NOT_SERVING. During the lame-duck time the server still accepts calls, so that load balancers
notice. Then it accepts no new calls, and running calls may finish within the drain time.
"""

import asyncio
from collections.abc import Callable, Sequence

import grpc
from grpc_health.v1 import health_pb2_grpc

from libs.runtime.security.tls import TlsSettings
from libs.runtime.serving.health import HealthServicer
from libs.runtime.serving.interceptor import CallInterceptor
from libs.runtime.serving.listen import address_of, bind, options, refuse_public_plain_text
from libs.runtime.serving.process import first_of
from libs.runtime.serving.reflection import add_reflection
from libs.runtime.serving.server_info import Capability, ServerInfoServicer, own_version
from libs.runtime.serving.service import Gate, Service, as_service
from libs.runtime.serving.validation import Validation
from libs.runtime.settings import ServerSettings
from libs.runtime.telemetry.telemetry import Telemetry


class Server:
    """One gRPC server with health, reflection and server info in addition to its own services.

    Args:
        settings: address, port and limits; port 0 lets the system choose.
        servicers: generated servicers, or `Service` objects for special options; if several implement the same
            service, the first one is used.
        name: the process's name, such as "retrieve".
        capabilities: the engine behind each task, for GetServerInfo and `parley doctor`.
        tls: the certificate; None: that of the environment.
        gate_of: who may call a service, by its full name; None: everybody may call all.
    """

    def __init__(
        self,
        settings: ServerSettings,
        *servicers: object,
        name: str,
        capabilities: Sequence[Capability] = (),
        telemetry: Telemetry | None = None,
        tls: TlsSettings | None = None,
        gate_of: Callable[[str], Gate] | None = None,
    ) -> None:
        self.settings = settings
        self._tls = tls or TlsSettings()
        self.name = name
        self.port = 0
        own = [as_service(s) for s in servicers]
        info = Service.of(ServerInfoServicer(name, capabilities, own_version()))
        self._services = {s.name: s for s in (info, *reversed(own))}
        self._validation = Validation()
        self.health = HealthServicer(self._services)
        interceptor = CallInterceptor(
            settings, self._services, self._validation, telemetry or Telemetry(), gate_of or (lambda _: Gate())
        )
        self._server = grpc.aio.server(interceptors=[interceptor], options=options(settings))

    @property
    def target(self) -> str:
        """The address that clients connect to: `127.0.0.1:50051`."""
        return address_of(self.settings.host, self.port)

    async def start(self) -> None:
        """Bind the port and accept calls; health stays NOT_SERVING.

        Raises:
            SettingsError: plain text on an address that other machines can reach, without `insecure`, or a certificate
                that cannot be used.
            BindError: the port is in use or the address isn't this machine's.
        """
        self._tls.check()
        refuse_public_plain_text(self.settings.host, "host", self.settings, self._tls)
        self._validation.compile(s.descriptor for s in self._services.values() if s.descriptor is not None)
        for service in self._services.values():
            service.add(service.servicer, self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self._server)
        if self.settings.reflection:
            add_reflection(self._server, (*self._services, "grpc.health.v1.Health"))
        self.port = bind(self._server, self.settings, self._tls)
        await self._server.start()

    async def stop(self, hurry: asyncio.Event | None = None) -> None:
        """Report NOT_SERVING, wait the lame-duck time, refuse new calls and drain. Setting `hurry` skips all waits."""
        hurry = hurry or asyncio.Event()
        self.health.serving(False)
        await first_of(hurry, seconds=self.settings.lame_duck_seconds)
        self.health.end_watches()
        stopping = asyncio.create_task(self._server.stop(self.settings.drain_seconds))
        await first_of(hurry, stopping)
        if not stopping.done():
            await self._server.stop(None)
        await stopping
