"""The failures that parley speaks of, as plain exceptions: domain code raises them and knows nothing of gRPC.

Each error has a `kind` (what sort of failure, decides the status code), a `reason` (a stable UPPER_SNAKE word that a
program can act on) and a `message` that is safe to show to a client: no stack, no path, no text of another exception.
`libs.runtime.status` is the one place that turns them into a gRPC status and back.
"""
# ruff: noqa: N818 - named after the statuses they become, as callers know them

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Self


class Kind(Enum):
    """The sort of failure; each has exactly one gRPC status code."""

    INVALID = "invalid"
    NOT_FOUND = "not_found"
    ALREADY_EXISTS = "already_exists"
    PRECONDITION = "precondition"
    CONFLICT = "conflict"
    PERMISSION = "permission"
    UNAVAILABLE = "unavailable"
    OVERLOADED = "overloaded"
    NOT_SUPPORTED = "not_supported"
    DEADLINE = "deadline"
    CANCELLED = "cancelled"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One thing wrong with a request: the field's path (`filters.dates[0].from`), what was expected, the rule's id."""

    field: str
    description: str
    rule: str = ""


class ParleyError(Exception):
    """A failure with a stable reason and a message for the client."""

    kind: ClassVar[Kind] = Kind.INTERNAL
    from_peer: bool = False
    """True for an error that another process answered with (see `libs.runtime.status.error_from_rpc`)."""

    def __init__(self, reason: str, message: str, metadata: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
        self.metadata: Mapping[str, str] = dict(metadata or {})


class InvalidInput(ParleyError):
    """The request itself is wrong, whatever the state of the system; names each field at fault."""

    kind = Kind.INVALID

    def __init__(
        self,
        field: str,
        description: str,
        reason: str = "FIELD_INVALID",
        metadata: Mapping[str, str] | None = None,
        *,
        others: tuple[FieldViolation, ...] = (),
    ) -> None:
        self.violations: tuple[FieldViolation, ...] = (FieldViolation(field, description), *others)
        super().__init__(
            reason,
            "; ".join(f"{v.field}: {v.description}" if v.field else v.description for v in self.violations),
            metadata,
        )

    @classmethod
    def of(
        cls,
        violations: Mapping[str, str] | tuple[FieldViolation, ...],
        reason: str = "FIELD_INVALID",
        metadata: Mapping[str, str] | None = None,
    ) -> Self:
        """Several fields at once: {path: description}, or ready violations. At least one is needed."""
        found = (
            tuple(FieldViolation(f, d) for f, d in violations.items())
            if isinstance(violations, Mapping)
            else violations
        )
        if not found:
            raise ValueError("an InvalidInput needs at least one violation")
        error = cls(found[0].field, found[0].description, reason, metadata, others=found[1:])
        error.violations = found
        return error


class NotFound(ParleyError):
    """A named thing doesn't exist, or isn't for this caller. The reason defaults to `<RESOURCE_TYPE>_NOT_FOUND`."""

    kind = Kind.NOT_FOUND

    def __init__(
        self, resource_type: str, name: str, reason: str | None = None, metadata: Mapping[str, str] | None = None
    ) -> None:
        self.resource_type = resource_type
        self.name = name
        super().__init__(
            reason or f"{_upper_snake(resource_type)}_NOT_FOUND", f"There is no {resource_type} {name!r}.", metadata
        )


class AlreadyExists(ParleyError):
    """A thing of that name is there already. The reason defaults to `<RESOURCE_TYPE>_ALREADY_EXISTS`."""

    kind = Kind.ALREADY_EXISTS

    def __init__(
        self, resource_type: str, name: str, reason: str | None = None, metadata: Mapping[str, str] | None = None
    ) -> None:
        self.resource_type = resource_type
        self.name = name
        super().__init__(
            reason or f"{_upper_snake(resource_type)}_ALREADY_EXISTS",
            f"There is a {resource_type} {name!r} already.",
            metadata,
        )


class FailedPrecondition(ParleyError):
    """The request is fine but the system isn't in the state for it (a stale context, say); a retry alone won't help."""

    kind = Kind.PRECONDITION


class Conflict(ParleyError):
    """Another writer came first; read again, then retry."""

    kind = Kind.CONFLICT


class PermissionDenied(ParleyError):
    """The caller may not do this."""

    kind = Kind.PERMISSION


class Unavailable(ParleyError):
    """A backend, a model or a stage is down for now. `retry_after` in seconds, None when nothing is known about it."""

    kind = Kind.UNAVAILABLE

    def __init__(
        self,
        reason: str,
        message: str,
        retry_after: float | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        self.retry_after = retry_after
        super().__init__(reason, message, metadata)


class Overloaded(ParleyError):
    """Too much at once. `retry_after` in seconds; None asks the caller not to retry by itself."""

    kind = Kind.OVERLOADED

    def __init__(
        self,
        retry_after: float | None = 1.0,
        message: str = "There are too many requests at once.",
        reason: str = "OVERLOADED",
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        self.retry_after = retry_after
        super().__init__(reason, message, metadata)


class NotSupported(ParleyError):
    """This installation or version can't do it: not built, or the engine it needs isn't configured."""

    kind = Kind.NOT_SUPPORTED

    def __init__(
        self, message: str, reason: str = "NOT_IMPLEMENTED", metadata: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(reason, message, metadata)


class DeadlineExceeded(ParleyError):
    """The time the caller gave is over."""

    kind = Kind.DEADLINE

    def __init__(
        self,
        message: str = "The deadline has passed.",
        reason: str = "DEADLINE_EXCEEDED",
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(reason, message, metadata)


class Cancelled(ParleyError):
    """The other side cancelled the call (our own cancellation is asyncio.CancelledError and stays that)."""

    kind = Kind.CANCELLED

    def __init__(
        self,
        message: str = "The call was cancelled.",
        reason: str = "CANCELLED",
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(reason, message, metadata)


class InternalError(ParleyError):
    """A fault of ours. The message stays general; the cause goes to the log (`raise ... from`)."""

    kind = Kind.INTERNAL

    def __init__(
        self,
        message: str = "Something went wrong inside the suite.",
        reason: str = "INTERNAL",
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(reason, message, metadata)


def _upper_snake(words: str) -> str:
    return words.replace(" ", "_").replace("-", "_").upper()
