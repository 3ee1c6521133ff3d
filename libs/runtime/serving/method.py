"""What distinguishes a method of a server: the options of its service, its deadline, the errors its callers get."""

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Final

from libs.runtime.errors import InternalError, InvalidInput, ParleyError, PermissionDenied, Unauthenticated
from libs.runtime.serving.service import Service
from libs.runtime.storage import storage_error

DEFAULT_DEADLINE_SECONDS: Final = 60.0
"""Deadline of a call whose caller sets none: a turn with a slow language model."""
INFRASTRUCTURE: Final = "/grpc."
"""Prefix of methods that are exempt from admission and default deadlines: health and reflection."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method as its calls need it."""

    path: str
    """`/package.Service/Method`."""
    service: Service

    @property
    def name(self) -> str:
        """Its name within the service."""
        return self.path.rpartition("/")[2]

    @property
    def is_infrastructure(self) -> bool:
        """Whether it is exempt from admission and default deadlines."""
        return self.path.startswith(INFRASTRUCTURE)

    def begin(self, context: Any) -> None:
        """Count a call among those of its caller.

        Raises:
            QuotaExceeded: the caller has had all that it may have.
        """
        if self.service.quotas is not None:
            self.service.quotas.begin(self.name, context)

    def receive(self, context: Any, size: int) -> None:
        """Count a message; errors as with `begin`."""
        if self.service.quotas is not None:
            self.service.quotas.receive(self.name, context, size)

    def place(self, context: Any) -> AbstractAsyncContextManager[None]:
        """The place of a costly call among the others; nothing for a cheap one."""
        admitted = self.service.admitted
        if admitted is None or self.name not in admitted.methods:
            return nullcontext()
        return admitted.admission.place(admitted.identify(context))

    def observe(self, context: Any, request: Any, answer: Any, error: ParleyError | None) -> None:
        """Tell the service's observer that a call ended."""
        if self.service.observer is not None:
            self.service.observer.ended(self.path, context, request, answer, error)

    def outward(self, error: Exception) -> ParleyError:
        """The error that the caller gets: INTERNAL for unknown ones and for our own requests that a peer rejected."""
        if not isinstance(error, ParleyError):
            return storage_error(error) or _caused_by(error)
        if isinstance(error, InvalidInput) and error.from_peer and not self.service.relays:
            return _caused_by(error)
        return _caused_by(error) if _refuses_us(error) else error

    def limit(self, caller_seconds: float | None, max_seconds: float) -> float | None:
        """Seconds a call may take: the caller's deadline, capped by the server's limit."""
        if self.is_infrastructure or self.name in self.service.long_running:
            return caller_seconds
        return min(DEFAULT_DEADLINE_SECONDS if caller_seconds is None else caller_seconds, max_seconds)


def _refuses_us(error: ParleyError) -> bool:
    """Whether a peer refused this process, and not its caller."""
    not_trusted = isinstance(error, PermissionDenied) and error.reason == "CALLER_NOT_TRUSTED"
    return error.from_peer and (not_trusted or isinstance(error, Unauthenticated))


def _caused_by(error: Exception) -> InternalError:
    internal = InternalError()
    internal.__cause__ = error
    return internal
