"""Parley's errors as plain exceptions: domain code raises them and does not depend on gRPC.

Each error has a `kind` (decides the status code), a `reason` (a stable UPPER_SNAKE word that a program can act on) and
a `message` that is safe to show to a client: no stack, no path, no text of another exception. Only
`libs.runtime.status` converts them to a gRPC status and back.
"""
# ruff: noqa: N818 - named after the gRPC statuses that callers know

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar


class ErrorKind(Enum):
    """The kind of failure, with the name of its gRPC status code."""

    INVALID = "INVALID_ARGUMENT"
    NOT_FOUND = "NOT_FOUND"
    ALREADY_EXISTS = "ALREADY_EXISTS"
    PRECONDITION = "FAILED_PRECONDITION"
    CONFLICT = "ABORTED"
    PERMISSION = "PERMISSION_DENIED"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    UNAVAILABLE = "UNAVAILABLE"
    OVERLOADED = "RESOURCE_EXHAUSTED"
    NOT_SUPPORTED = "UNIMPLEMENTED"
    DEADLINE = "DEADLINE_EXCEEDED"
    CANCELLED = "CANCELLED"
    INTERNAL = "INTERNAL"


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One error in a request: the field's path (`filters.dates[0].from`), a description, and the rule's id."""

    field: str
    description: str
    rule: str = ""


class ParleyError(Exception):
    """A failure with a stable reason and a message for the client."""

    kind: ClassVar[ErrorKind] = ErrorKind.INTERNAL
    from_peer: bool = False
    """Whether another process returned this error (see `libs.runtime.status.error_from_rpc`)."""
    is_unanswered: bool = False
    """Whether no process answered: the connection broke, a process that stops dropped the call, or time ran out."""
    violations: tuple[FieldViolation, ...] = ()
    """Each invalid field of a request."""
    resource_type: str = ""
    name: str = ""
    """The resource that the error is about."""
    retry_after: float | None = None
    """Seconds after which a retry may succeed."""
    quota: str = ""
    """The name of the setting whose quota is used up."""

    def __init__(self, reason: str, message: str, metadata: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
        self.metadata: Mapping[str, str] = dict(metadata or {})


class InvalidInput(ParleyError):
    """The request itself is invalid, whatever the state of the system: one field, or each of the violations."""

    kind = ErrorKind.INVALID

    def __init__(
        self,
        field: str = "",
        description: str = "",
        reason: str = "FIELD_INVALID",
        metadata: Mapping[str, str] | None = None,
        violations: tuple[FieldViolation, ...] = (),
    ) -> None:
        self.violations = violations or (FieldViolation(field, description),)
        texts = (f"{v.field}: {v.description}" if v.field else v.description for v in self.violations)
        super().__init__(reason, "; ".join(texts), metadata)


class NotFound(ParleyError):
    """A resource doesn't exist, or this caller may not see it. The default reason is `<RESOURCE_TYPE>_NOT_FOUND`."""

    kind = ErrorKind.NOT_FOUND

    def __init__(self, resource_type: str, name: str, reason: str = "") -> None:
        self.resource_type, self.name = resource_type, name
        super().__init__(reason or _reason(resource_type, self.kind), f"There is no {resource_type} {name!r}.")


class AlreadyExists(ParleyError):
    """A resource of that name already exists. The default reason is `<RESOURCE_TYPE>_ALREADY_EXISTS`."""

    kind = ErrorKind.ALREADY_EXISTS

    def __init__(self, resource_type: str, name: str, reason: str = "") -> None:
        self.resource_type, self.name = resource_type, name
        super().__init__(reason or _reason(resource_type, self.kind), f"There is a {resource_type} {name!r} already.")


class FailedPrecondition(ParleyError):
    """The request is valid but doesn't fit the system's state (such as a stale context). A retry alone won't help."""

    kind = ErrorKind.PRECONDITION


class Conflict(ParleyError):
    """Another writer changed the data first. Read it again, then retry."""

    kind = ErrorKind.CONFLICT


class PermissionDenied(ParleyError):
    """The caller may not do this."""

    kind = ErrorKind.PERMISSION


class Unauthenticated(ParleyError):
    """The caller has no credentials, or they are not accepted. The message does not say what is wrong with them."""

    kind = ErrorKind.UNAUTHENTICATED


class Unavailable(ParleyError):
    """A backend, a model or a stage is temporarily down. `retry_after` is in seconds, None if unknown."""

    kind = ErrorKind.UNAVAILABLE

    def __init__(self, reason: str, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(reason, message)


def engine_unavailable(message: str, retry_after: float | None = None) -> Unavailable:
    """Return the error of a database, a search engine or a model that does not answer."""
    return Unavailable("ENGINE_UNAVAILABLE", message, retry_after)


class Overloaded(ParleyError):
    """Too many requests at once. `retry_after` is in seconds; None asks the caller not to retry automatically."""

    kind = ErrorKind.OVERLOADED

    def __init__(
        self,
        retry_after: float | None = 1.0,
        message: str = "There are too many requests at once: try again in a moment.",
        reason: str = "OVERLOADED",
    ) -> None:
        self.retry_after = retry_after
        super().__init__(reason, message)


class QuotaExceeded(Overloaded):
    """The caller has used what it may use in this minute or day. `quota` is the name of the setting."""

    def __init__(self, quota: str, limit: int, retry_after: float, reason: str = "QUOTA_EXCEEDED") -> None:
        super().__init__(
            retry_after, f"The quota {quota} = {limit} is used up: try again in {retry_after:.0f} s.", reason
        )
        self.quota = quota
        self.metadata = {"quota": quota, "limit": str(limit)}


class NotSupported(ParleyError):
    """This installation or version can't do it: not implemented, or the engine it needs isn't configured."""

    kind = ErrorKind.NOT_SUPPORTED

    def __init__(self, message: str, reason: str = "NOT_IMPLEMENTED") -> None:
        super().__init__(reason, message)


class DeadlineExceeded(ParleyError):
    """The caller's deadline has passed."""

    kind = ErrorKind.DEADLINE

    def __init__(self, message: str = "The deadline has passed.", reason: str = "DEADLINE_EXCEEDED") -> None:
        super().__init__(reason, message)


class Cancelled(ParleyError):
    """The other side cancelled the call. A cancellation in this process stays asyncio.CancelledError."""

    kind = ErrorKind.CANCELLED

    def __init__(self, message: str = "The call was cancelled.", reason: str = "CANCELLED") -> None:
        super().__init__(reason, message)


class InternalError(ParleyError):
    """An internal fault. The message stays general; the cause goes to the log (`raise ... from`)."""

    kind = ErrorKind.INTERNAL

    def __init__(self, message: str = "Something went wrong inside the suite.", reason: str = "INTERNAL") -> None:
        super().__init__(reason, message)


def _reason(resource_type: str, kind: ErrorKind) -> str:
    return f"{resource_type.replace(' ', '_').replace('-', '_').upper()}_{kind.value}"
