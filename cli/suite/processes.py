"""The processes of a suite on one machine: what each serves, and its port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gateway import names

DEFAULT_PORT: Final = 50051
"""The gateway's port; the stages use the ports after it (gRPC's usual port)."""

STAGES: Final = ("gateway", *names.STAGES)
"""In the order of their ports, starting with the gateway."""

MAX_PORT: Final = 65535 - (len(STAGES) - 1)
"""The gateway's highest port, so that each stage has one after it."""

LAYOUTS: Final[Mapping[int, tuple[tuple[str, ...], ...]]] = {
    6: tuple((name,) for name in STAGES),
    3: (("gateway", "intent", "decompose", "timeline"), ("retrieve",), ("answer",)),
    2: (("gateway", "intent", "decompose", "retrieve", "timeline"), ("answer",)),
    1: (STAGES,),
}
"""What is served together, by the number of processes; the busiest stages are the last to share a process."""
DOORS: Final = "doors"
"""The process that speaks HTTP; it serves no stage."""
TOGETHER: Final = "+"
"""Separates the names of what one process serves; `libs.runtime.serving.stage` uses the same separator."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process of a suite."""

    names: tuple[str, ...]
    """What it serves, in the order of STAGES."""
    host: str
    port: int
    number: int = 1
    """Its place among the processes that serve the same."""

    @property
    def name(self) -> str:
        """Its name: `gateway`, `gateway-2`, `gateway+intent`."""
        return TOGETHER.join(self.names) + (f"-{self.number}" if self.number > 1 else "")

    @property
    def command(self) -> tuple[str, ...]:
        """The module and arguments for `python -m`."""
        if len(self.names) > 1:
            return ("cli.suite.serving", *self.names)
        (name,) = self.names
        return (name if name in ("gateway", DOORS) else f"services.{name}",)

    @property
    def speaks_http(self) -> bool:
        """Whether it serves HTTP, and gRPC only for its liveness."""
        return self.names == (DOORS,)

    @property
    def is_called_by_clients(self) -> bool:
        """Whether it serves the gateway or HTTP."""
        return "gateway" in self.names or self.speaks_http

    @property
    def address(self) -> str:
        """The address for clients."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def suite(host: str, port: int, processes: int = len(STAGES), gateways: int = 1) -> tuple[Process, ...]:
    """Return a suite's processes: the first gateway on `port`, the stages on the ports after it, then further gateways.

    Args:
        processes: how many, besides further gateways; a shared process uses the lowest of its ports.
        gateways: how many gateways; the further ones serve nothing else.
    """
    layout = [Process(stages, host, port_of(stages, port)) for stages in LAYOUTS[processes]]
    further = [Process(("gateway",), host, port + len(STAGES) + n, number=n + 2) for n in range(gateways - 1)]
    return (*layout, *further)


def port_of(names: Sequence[str], gateway: int = DEFAULT_PORT) -> int:
    """Return the port of a process that serves these stages: the lowest of their own ports.

    The gateway computes the ports of other stages from its own.

    Args:
        names: some of STAGES, in any order.
        gateway: the port of the suite's gateway.
    """
    return gateway + min(map(STAGES.index, names))


def metrics_port(process: Process, processes: Sequence[Process], first: int) -> int:
    """Return the port at which Prometheus scrapes a process of a suite.

    It is as far from `first`, the port of the first gateway, as the process's own port is from that gateway's. The
    process that speaks HTTP, whose port is no neighbour of theirs, has the one after all others.
    """
    ports = {each: first + each.port - processes[0].port for each in processes if not each.speaks_http}
    return ports.get(process, max(ports.values()) + 1)
