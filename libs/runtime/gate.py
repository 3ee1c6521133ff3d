"""Who may call a server: asked before a call's message is read, and again with its bytes."""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Protocol

from libs.runtime.errors import PermissionDenied

HEALTH: Final = "/grpc.health."
"""Prefix of methods that everybody may call: whoever supervises a process has no credentials."""


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller."""

    principals: tuple[str, ...]
    """The first one is the caller's own name, the others are groups."""


_caller: ContextVar[Caller | None] = ContextVar("caller", default=None)


def authenticated_caller() -> Caller | None:
    """The caller of the call being served; None if nobody was authenticated."""
    return _caller.get()


def set_caller(caller: Caller) -> None:
    """Record who makes the call being served."""
    _caller.set(caller)


class Gate(Protocol):
    """Decides about calls; health is never asked about."""

    async def admit(self, method: str, context: Any) -> None:
        """Return if the call of `/package.Service/Method` may go on.

        Raises:
            Unauthenticated, PermissionDenied: it may not.
        """

    def check(self, method: str, context: Any, content: bytes) -> None:
        """Check the message's bytes; for a stream of messages once, without bytes. Errors as with `admit`."""


class OpenGate:
    """Admits everybody."""

    async def admit(self, method: str, context: Any) -> None:
        """See Gate."""

    def check(self, method: str, context: Any, content: bytes) -> None:
        """See Gate."""


class ClosedGate(OpenGate):
    """Admits nobody."""

    async def admit(self, method: str, context: Any) -> None:
        """See Gate."""
        raise not_trusted()


class ServiceGates:
    """The gate of each service, and one for all others."""

    def __init__(self, gates: Mapping[str, Gate], others: Gate) -> None:
        """`gates` are by the full names of services."""
        self._gates = gates
        self._others = others

    async def admit(self, method: str, context: Any) -> None:
        """See Gate."""
        if not method.startswith(HEALTH):
            await self._of(method).admit(method, context)

    def check(self, method: str, context: Any, content: bytes) -> None:
        """See Gate."""
        if not method.startswith(HEALTH):
            self._of(method).check(method, context, content)

    def _of(self, method: str) -> Gate:
        return self._gates.get(method.split("/")[1], self._others)


def not_trusted() -> PermissionDenied:
    """The error of a service of the suite's own that is called from outside."""
    return PermissionDenied("CALLER_NOT_TRUSTED", "This service answers the processes of its suite alone.")
