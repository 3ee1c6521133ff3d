"""The six processes of a suite on one machine: their modules and ports."""

from dataclasses import dataclass
from typing import Final

from gateway import names

DEFAULT_PORT: Final = 50051
"""The gateway's port; the stages follow it."""

STAGES: Final = ("gateway", *names.STAGES)
"""In the order of their ports, from the gateway's on."""


@dataclass(frozen=True, slots=True)
class Process:
    """One of them."""

    name: str
    host: str
    port: int

    @property
    def module(self) -> str:
        """What `python -m` runs."""
        return self.name if self.name == "gateway" else f"services.{self.name}"

    @property
    def address(self) -> str:
        """Where clients find it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def suite(host: str, port: int) -> tuple[Process, ...]:
    """All six, the gateway on `port`."""
    return tuple(Process(name, host, port + offset) for offset, name in enumerate(STAGES))
