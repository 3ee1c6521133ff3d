"""Who may call a server: asked before a call's message is read, and again with its bytes."""

from collections.abc import Mapping
from typing import Any

from libs.runtime.errors import PermissionDenied


class Gate:
    """Decides about calls; this one admits everybody. Health is never asked about."""

    async def admit(self, method: str, context: Any) -> None:
        """Return if the call of `/package.Service/Method` may go on.

        Raises:
            PermissionDenied: it may not.
            Unauthenticated: its credentials are missing or not accepted.
        """

    def check(self, method: str, context: Any, content: bytes) -> None:
        """Check the message's bytes; for a stream of messages once, without bytes. Errors as with `admit`."""


class ServiceGates(Gate):
    """The gate of each service, and one for all others."""

    def __init__(self, gates: Mapping[str, Gate], others: Gate) -> None:
        """`gates` are by the full names of services."""
        self._gates = gates
        self._others = others

    async def admit(self, method: str, context: Any) -> None:
        await self._of(method).admit(method, context)

    def check(self, method: str, context: Any, content: bytes) -> None:
        self._of(method).check(method, context, content)

    def _of(self, method: str) -> Gate:
        return self._gates.get(method.strip("/").partition("/")[0], self._others)


def not_trusted() -> PermissionDenied:
    """The error of a service of the suite's own that is called from outside."""
    return PermissionDenied(
        "CALLER_NOT_TRUSTED", "This service is for the processes of its own suite: call the gateway instead."
    )
