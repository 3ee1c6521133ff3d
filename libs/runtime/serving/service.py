"""One gRPC service of a server: its full name, its servicer, its special options; and who may call it."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from libs.runtime.errors import ParleyError, PermissionDenied
from libs.runtime.limits.callers import CallerLimits

GENERATED = "_pb2_grpc"
BASE = "Servicer"


class Gate:
    """Decides about calls before their message is read, and again with its bytes; this one admits everybody.

    Health is never asked about.
    """

    async def admit(self, method: str, context: Any) -> None:
        """Return if the call of `/package.Service/Method` may go on.

        Raises:
            PermissionDenied: it may not.
            Unauthenticated: its credentials are missing or not accepted.
        """

    def check(self, method: str, context: Any, content: bytes) -> None:
        """Check the message's bytes; for a stream of messages once, without bytes. Errors as with `admit`."""


def not_trusted() -> PermissionDenied:
    """The error of a service of the suite's own that is called from outside."""
    return PermissionDenied(
        "CALLER_NOT_TRUSTED", "This service is for the processes of its own suite: call the gateway instead."
    )


CallObserver = Callable[[str, Any, Any, Any, ParleyError | None], None]
"""Learns that a call ended and was not cancelled: its method (`/package.Service/Method`), gRPC's context, the request's
message (an iterator of messages, or None if none was read), the response's message (None for a stream or a failure),
and the failure that the caller gets."""


@dataclass(frozen=True, slots=True)
class Service:
    """A service; `Service.of(servicer)` finds its name by the servicer's generated base class."""

    name: str
    """Full name: `parley.retrieve.v1.CorpusService`."""
    servicer: object
    """Has a method for each RPC, with its name."""
    long_running: tuple[str, ...] = ()
    """Methods without a default or longest deadline, such as an ingest."""
    relays: bool = False
    """Whether it forwards requests unchanged, so that a peer's INVALID_ARGUMENT is its caller's fault. Otherwise such
    an error is this process's own fault, and the caller gets INTERNAL."""
    observer: CallObserver = lambda *_: None
    limits: CallerLimits | None = None
    """What each caller may do; None: only the server's own limit counts."""
    contract: str = ""
    """Full name of the service whose contract it has; empty: its own."""

    @classmethod
    def of(cls, servicer: object, **options: Any) -> Self:
        """Find the service that a servicer implements.

        Args:
            options: `long_running`, `relays`, `observer`, `limits`.

        Raises:
            ValueError: it derives from no generated base class, or from several.
        """
        bases = [each for each in type(servicer).__mro__ if each.__module__.endswith(GENERATED)]
        [base] = [each for each in bases if each.__name__.endswith(BASE)]
        contract = sys.modules[base.__module__.removesuffix("_grpc")].DESCRIPTOR
        return cls(contract.services_by_name[base.__name__.removesuffix(BASE)].full_name, servicer, **options)
