"""The processes of a suite on one machine: what each serves, and its port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gateway import names

DEFAULT_PORT: Final = 50051
"""The gateway's port; the stages follow it."""

STAGES: Final = ("gateway", *names.STAGES)
"""In the order of their ports, from the gateway's on."""

LAYOUTS: Final[Mapping[int, tuple[tuple[str, ...], ...]]] = {
    6: tuple((name,) for name in STAGES),
    3: (("gateway", "intent", "decompose", "timeline"), ("retrieve",), ("answer",)),
    2: (("gateway", "intent", "decompose", "retrieve", "timeline"), ("answer",)),
    1: (STAGES,),
}
"""What is served together, by the number of processes: what works the most is the last to share one."""
TOGETHER: Final = "+"
"""Between the names of what one process serves; `libs.runtime.stage` names it so."""


@dataclass(frozen=True, slots=True)
class Process:
    """One of them."""

    names: tuple[str, ...]
    """What it serves, in the order of STAGES."""
    host: str
    port: int

    @property
    def name(self) -> str:
        """What it is called: `gateway`, `gateway+intent`."""
        return TOGETHER.join(self.names)

    @property
    def command(self) -> tuple[str, ...]:
        """What `python -m` runs."""
        if len(self.names) > 1:
            return ("cli.serving", *self.names)
        return (self.name if self.name == "gateway" else f"services.{self.name}",)

    @property
    def address(self) -> str:
        """Where clients find it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def suite(host: str, port: int, processes: int = len(STAGES)) -> tuple[Process, ...]:
    """All of it in that many processes, the gateway on `port`; what is served together is on the lowest port."""
    return tuple(Process(served, host, port_of(served, port)) for served in LAYOUTS[processes])


def port_of(names: Sequence[str], gateway: int = DEFAULT_PORT) -> int:
    """The port of a process that serves these: the lowest of their own, for a gateway counts the others' from its own.

    Args:
        names: some of STAGES, in any order.
        gateway: the port of the suite's gateway.
    """
    return gateway + min(map(STAGES.index, names))
