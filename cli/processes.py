"""The processes of a suite on one machine: what each serves, and its port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gateway import names

DEFAULT_PORT: Final = 50051
"""The gateway's port; the stages use the ports after it."""

STAGES: Final = ("gateway", *names.STAGES)
"""In the order of their ports, starting with the gateway."""

LAYOUTS: Final[Mapping[int, tuple[tuple[str, ...], ...]]] = {
    6: tuple((name,) for name in STAGES),
    3: (("gateway", "intent", "decompose", "timeline"), ("retrieve",), ("answer",)),
    2: (("gateway", "intent", "decompose", "retrieve", "timeline"), ("answer",)),
    1: (STAGES,),
}
"""What is served together, by the number of processes; the busiest stages are the last to share a process."""
TOGETHER: Final = "+"
"""Separates the names of what one process serves; `libs.runtime.stage` uses the same separator."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process of a suite."""

    names: tuple[str, ...]
    """What it serves, in the order of STAGES."""
    host: str
    port: int

    @property
    def name(self) -> str:
        """Its name: `gateway`, `gateway+intent`."""
        return TOGETHER.join(self.names)

    @property
    def command(self) -> tuple[str, ...]:
        """The module and arguments for `python -m`."""
        if len(self.names) > 1:
            return ("cli.serving", *self.names)
        return (self.name if self.name == "gateway" else f"services.{self.name}",)

    @property
    def address(self) -> str:
        """The address for clients."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def suite(host: str, port: int, processes: int = len(STAGES)) -> tuple[Process, ...]:
    """Return a suite of that many processes, the gateway on `port`; a shared process uses the lowest of its ports."""
    return tuple(Process(stages, host, port_of(stages, port)) for stages in LAYOUTS[processes])


def port_of(names: Sequence[str], gateway: int = DEFAULT_PORT) -> int:
    """Return the port of a process that serves these stages: the lowest of their own ports.

    The gateway computes the ports of other stages from its own.

    Args:
        names: some of STAGES, in any order.
        gateway: the port of the suite's gateway.
    """
    return gateway + min(map(STAGES.index, names))
