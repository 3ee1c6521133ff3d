"""Parley's errors as plain exceptions: domain code raises them and does not depend on gRPC.

Each error has a `status` (the name of its gRPC status code), a `reason` (a stable UPPER_SNAKE word that a program can
act on) and a `message` that is safe to show to a client: no stack, no path, no text of another exception. Only
`libs.runtime.status` converts them to a gRPC status and back.
"""
# ruff: noqa: N818 - named after the gRPC statuses that callers know

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One error in a request: the field's path (`filters.dates[0].from`), a description, and the rule's id."""

    field: str
    description: str
    rule: str = ""


class ParleyError(Exception):
    """A failure with a stable reason and a message for the client."""

    status: ClassVar[str] = "INTERNAL"
    """The name of its gRPC status code."""
    usual_reason: ClassVar[str] = "INTERNAL"
    usual_message: ClassVar[str] = ""
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

    def __init_subclass__(cls, status: str = "", reason: str = "", message: str = "") -> None:
        """Set the status, usual reason (default: the status) and message of a class; without a status: its base's."""
        if status:
            cls.status, cls.usual_reason, cls.usual_message = status, reason or status, message


class InvalidInput(ParleyError, status="INVALID_ARGUMENT", reason="FIELD_INVALID"):
    """The request itself is invalid, whatever the state of the system: one field, or each of the violations."""

    def __init__(
        self,
        field: str = "",
        description: str = "",
        reason: str = "FIELD_INVALID",
        violations: tuple[FieldViolation, ...] = (),
    ) -> None:
        self.violations = violations or (FieldViolation(field, description),)
        texts = (f"{v.field}: {v.description}" if v.field else v.description for v in self.violations)
        super().__init__(reason, "; ".join(texts))


class _OfResource(ParleyError):
    """A failure that concerns one resource. The usual reason is `<RESOURCE_TYPE>_<STATUS>`."""

    def __init__(self, resource_type: str, name: str, reason: str = "") -> None:
        self.resource_type, self.name = resource_type, name
        usual_reason = f"{resource_type.replace(' ', '_').replace('-', '_').upper()}_{self.status}"
        super().__init__(reason or usual_reason, self.usual_message.format(resource_type, name))


class NotFound(_OfResource, status="NOT_FOUND", message="There is no {} {!r}."):
    """A resource doesn't exist, or this caller may not see it."""


class AlreadyExists(_OfResource, status="ALREADY_EXISTS", message="There is a {} {!r} already."):
    """A resource of that name already exists."""


class FailedPrecondition(ParleyError, status="FAILED_PRECONDITION"):
    """The request is valid but doesn't fit the system's state (such as a stale context). A retry alone won't help."""


class Conflict(ParleyError, status="ABORTED"):
    """Another writer changed the data first. Read it again, then retry."""


class PermissionDenied(ParleyError, status="PERMISSION_DENIED"):
    """The caller may not do this."""


class Unauthenticated(ParleyError, status="UNAUTHENTICATED"):
    """The caller has no credentials, or they are not accepted. The message does not say what is wrong with them."""


class Unavailable(
    ParleyError, status="UNAVAILABLE", reason="STAGE_UNAVAILABLE", message="The service cannot be reached right now."
):
    """A backend, a model or a stage is temporarily down. `retry_after` is in seconds, None if unknown."""

    def __init__(self, reason: str, message: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(reason, message)


def engine_unavailable(message: str, retry_after: float | None = None) -> Unavailable:
    """Return the error of a database, a search engine or a model that does not answer."""
    return Unavailable("ENGINE_UNAVAILABLE", message, retry_after)


class Overloaded(ParleyError, status="RESOURCE_EXHAUSTED", reason="OVERLOADED"):
    """Too many requests at once. `retry_after` is in seconds; None asks the caller not to retry automatically."""

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

    def __init__(self, quota: str, limit: int, retry_after: float) -> None:
        message = f"The quota {quota} = {limit} is used up: try again in {retry_after:.0f} s."
        super().__init__(retry_after, message, "QUOTA_EXCEEDED")
        self.quota = quota
        self.metadata = {"quota": quota, "limit": str(limit)}


class _Usual(ParleyError):
    """A failure of which there is usually no more to say."""

    def __init__(self, message: str = "", reason: str = "") -> None:
        super().__init__(reason or self.usual_reason, message or self.usual_message)


class NotSupported(_Usual, status="UNIMPLEMENTED", reason="NOT_IMPLEMENTED", message="This method is not implemented."):
    """This installation or version can't do it: not implemented, or the engine it needs isn't configured."""


class DeadlineExceeded(_Usual, status="DEADLINE_EXCEEDED", message="The deadline has passed."):
    """The caller's deadline has passed."""


class Cancelled(_Usual, status="CANCELLED", message="The call was cancelled."):
    """The other side cancelled the call. A cancellation in this process stays asyncio.CancelledError."""


class DataLoss(_Usual, status="DATA_LOSS", reason="STORE_DAMAGED", message="A store of the suite is damaged."):
    """A part of what is stored cannot be read any more; the log of the process names the file."""


class InternalError(_Usual, status="INTERNAL", message="Something went wrong inside the suite."):
    """An internal fault. The message stays general; the cause goes to the log (`raise ... from`)."""
