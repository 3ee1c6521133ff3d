"""Holds where a call comes from that the HTTP server passes on, if it proves to be the suite's.

It tells callers apart who have no principals, so that each gets its own share and quota. It proves nobody's principals.
"""

from contextvars import ContextVar
from typing import Any, Final

from libs.runtime.security.trust import Secrets, TrustSettings, open_origin_secrets, proven_origin
from libs.runtime.serving.gate import Gate

_origin: Final[ContextVar[str]] = ContextVar("parley_origin", default="")


class OriginGate(Gate):
    """Holds the proven origin of each call, and asks another gate who may call."""

    def __init__(self, gate: Gate, secrets: Secrets) -> None:
        self._gate = gate
        self._secrets = secrets

    async def admit(self, method: str, context: Any) -> None:
        """See Gate. The origin is held first: it is recorded of refused calls, too."""
        _origin.set(proven_origin(self._secrets, context.invocation_metadata() or ()))
        await self._gate.admit(method, context)

    def check(self, method: str, context: Any, content: bytes) -> None:
        """See Gate."""
        self._gate.check(method, context, content)


def with_origins(gate: Gate, settings: TrustSettings) -> Gate:
    """The gate, which holds origins if there is a secret that proves them.

    Raises:
        SettingsError: the secret cannot be read.
    """
    secrets = open_origin_secrets(settings)
    return OriginGate(gate, secrets) if secrets else gate


def held_origin() -> str:
    """Where the call being served comes from, as the HTTP server has proven; empty otherwise."""
    return _origin.get()
