"""A gRPC server with what all processes serve: health, server info and reflection; its start, and its end.

Reflection, by which tools list, describe and call services without proto files, is served as v1 and v1alpha. The Python
library supports v1alpha only; v1's messages are the same on the wire, so v1alpha's classes serve both. The pool also
gets v1's descriptor, which clients request when they describe the reflection service itself.

Shutdown: health reports NOT_SERVING. During the lame-duck time the server still accepts calls, so that load balancers
notice. Then it accepts no new calls, and running calls may finish within the drain time.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, text_format
from grpc_reflection.v1alpha import reflection, reflection_pb2

from libs.runtime.security.tls import TlsSettings, server_credentials
from libs.runtime.serving.handler import CallHandler
from libs.runtime.serving.health import HealthServicer
from libs.runtime.serving.listen import BindError, address_of, options, refuse_public_plain_text
from libs.runtime.serving.method import UNKNOWN, methods_of, unknown_method
from libs.runtime.serving.process import until_signal
from libs.runtime.serving.server_info import Capability, ServerInfoServicer, own_version
from libs.runtime.serving.service import Gate, Service
from libs.runtime.serving.validation import Validation
from libs.runtime.settings import ServerSettings
from libs.runtime.telemetry.telemetry import Telemetry

ALPHA: Final = "grpc.reflection.v1alpha"
STABLE: Final = "grpc.reflection.v1"
REFLECTION: Final = (f"{STABLE}.ServerReflection", f"{ALPHA}.ServerReflection")
_STABLE_FILE: Final = "grpc/reflection/v1/reflection.proto"


class Server:
    """One gRPC server with health, reflection and server info in addition to its own services.

    Args:
        settings: address, port and limits; port 0 lets the system choose.
        services: if several are of the same name, the first one is used.
        name: the process's name, such as "retrieve".
        capabilities: the engine behind each task, for GetServerInfo and `parley doctor`.
        tls: the certificate; None: that of the environment.
        gate_of: who may call a service, by its full name; None: everybody may call all.

    Raises:
        protovalidate.CompilationError: a rule in a contract can't be compiled.
    """

    def __init__(
        self,
        settings: ServerSettings,
        *services: Service,
        name: str,
        capabilities: Sequence[Capability] = (),
        telemetry: Telemetry | None = None,
        tls: TlsSettings | None = None,
        gate_of: Callable[[str], Gate] | None = None,
    ) -> None:
        self.settings = settings
        self._tls = tls or TlsSettings()
        self.port = 0
        info = Service.of(ServerInfoServicer(name, capabilities, own_version()))
        by_name = {service.name: service for service in (info, *reversed(services))}
        self.health = HealthServicer(by_name)
        health = Service.of(self.health)
        guarded = [*by_name.values(), *(reflection_services([*by_name, health.name]) if settings.reflection else ())]
        gates, validation = gate_of or (lambda _: Gate()), Validation()
        wait = settings.client_seconds
        methods = [each for service in guarded for each in methods_of(service, gates(service.name), validation, wait)]
        methods += methods_of(health, Gate(), validation, wait)  # whoever supervises a process has no credentials
        unknown = unknown_method(gates(UNKNOWN), validation, wait)
        self._server = grpc.aio.server(options=options(settings))
        self._server.add_generic_rpc_handlers((CallHandler(settings, telemetry or Telemetry(), methods, unknown),))

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
        refuse_public_plain_text(self.settings.host, "host", self.settings, self._tls)
        address = address_of(self.settings.host, self.settings.port)
        credentials = server_credentials(self._tls) if self._tls.serves else None
        try:
            if credentials is None:
                self.port = self._server.add_insecure_port(address)
            else:
                self.port = self._server.add_secure_port(address, credentials)
        except RuntimeError:
            raise BindError(address, self.settings.variable("port"), self.settings.variable("host")) from None
        await self._server.start()

    async def stop(self) -> None:
        """Report NOT_SERVING, wait the lame-duck time, refuse new calls and drain. A signal skips all waits."""
        self.health.serving(False)
        with until_signal():
            await asyncio.sleep(self.settings.lame_duck_seconds)
            self.health.end_watches()
            await asyncio.shield(self._server.stop(self.settings.drain_seconds))
            return
        self.health.end_watches()
        await self._server.stop(None)


class ReflectionServicer(reflection.aio.ReflectionServicer):  # type: ignore[misc]  # untyped
    """Finds a method, too, which the pool knows by its service only."""

    def _file_containing_symbol(self, request: Any, fully_qualified_name: str) -> Any:
        with suppress(KeyError):
            method = descriptor_pool.Default().FindMethodByName(fully_qualified_name)
            fully_qualified_name = method.containing_service.full_name
        return super()._file_containing_symbol(request, fully_qualified_name)


def reflection_services(services: Sequence[str]) -> list[Service]:
    """The two reflection services; they tell of themselves and of `services` (full names)."""
    _put_stable_descriptor()
    servicer = ReflectionServicer((*services, *REFLECTION))
    return [Service(name, servicer, contract=f"{ALPHA}.ServerReflection") for name in REFLECTION]


def _put_stable_descriptor() -> None:
    """Add v1's descriptor to the pool, made from v1alpha's by renaming the package."""
    pool = descriptor_pool.Default()
    try:
        pool.FindFileByName(_STABLE_FILE)
    except KeyError:
        alpha = descriptor_pb2.FileDescriptorProto.FromString(reflection_pb2.DESCRIPTOR.serialized_pb)
        text = text_format.MessageToString(alpha).replace(ALPHA, STABLE)
        stable = text_format.Parse(text, descriptor_pb2.FileDescriptorProto())
        stable.name = _STABLE_FILE
        pool.AddSerializedFile(stable.SerializeToString())
