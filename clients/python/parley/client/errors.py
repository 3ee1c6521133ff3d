"""The errors of the client: one class for each kind of status, with the reason that the suite gives."""

from collections.abc import Mapping
from typing import Any, Final

import grpc

from parley.client.attempts import DETAILS_KEY, PUSHBACK_KEY
from parley.client.status_details import FieldViolation, StatusDetails, read_details


class ParleyError(Exception):
    """A call failed.

    Attributes:
        code: the gRPC status.
        reason: a name of ErrorReason without its prefix, such as `DOCUMENT_NOT_FOUND`; empty if the connection failed.
        message: for people.
        metadata: what the reason is about.
        retry_after: seconds after which the call may succeed; None if nothing is known.
        violations: the fields of the request that break rules.
    """

    code: grpc.StatusCode = grpc.StatusCode.UNKNOWN

    def __init__(self, code: grpc.StatusCode, details: StatusDetails) -> None:
        super().__init__(details.message)
        self.code = code
        self.reason = details.reason
        self.message = details.message
        self.metadata: Mapping[str, str] = details.metadata
        self.retry_after = details.retry_after
        self.violations: tuple[FieldViolation, ...] = details.violations

    def __str__(self) -> str:
        fields = "; ".join(f"{each.field}: {each.description}" for each in self.violations)
        text = fields or self.message or self.code.name
        return f"{text} ({self.reason})" if self.reason else text


class InvalidArgumentError(ParleyError):
    """The request breaks a rule of the contract; see `violations`."""


class NotFoundError(ParleyError):
    """There is no such session, turn, document, passage, picture or collection, or the caller may not see it."""


class AlreadyExistsError(ParleyError):
    """The id is taken."""


class PermissionDeniedError(ParleyError):
    """The caller may not do this."""


class UnauthenticatedError(ParleyError):
    """The suite does not know the caller: the token or key is missing, wrong or expired."""


class FailedPreconditionError(ParleyError):
    """The suite is not set up for the call, or the request_id was used for another question."""


class ConflictError(ParleyError):
    """Another turn of the session is being answered, or was stored first; ask again when it has ended."""


class ResourceExhaustedError(ParleyError):
    """The suite is too busy, a quota is used up, or a disk is full; see `reason` and `retry_after`."""


class UnavailableError(ParleyError):
    """The suite, or a part that the call needs, cannot be reached."""


class DeadlineExceededError(ParleyError):
    """The call took longer than it may."""


class CancelledError(ParleyError):
    """The call was cancelled."""


class UnimplementedError(ParleyError):
    """The suite does not offer this, or not without an engine that is not configured."""


class InternalError(ParleyError):
    """A fault of the suite; its log tells the cause."""


CLASSES: Final[Mapping[grpc.StatusCode, type[ParleyError]]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidArgumentError,
    grpc.StatusCode.NOT_FOUND: NotFoundError,
    grpc.StatusCode.ALREADY_EXISTS: AlreadyExistsError,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDeniedError,
    grpc.StatusCode.UNAUTHENTICATED: UnauthenticatedError,
    grpc.StatusCode.FAILED_PRECONDITION: FailedPreconditionError,
    grpc.StatusCode.ABORTED: ConflictError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: ResourceExhaustedError,
    grpc.StatusCode.UNAVAILABLE: UnavailableError,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceededError,
    grpc.StatusCode.CANCELLED: CancelledError,
    grpc.StatusCode.UNIMPLEMENTED: UnimplementedError,
    grpc.StatusCode.INTERNAL: InternalError,
}
"""All codes that the suite sends."""


def error_of(error: Any) -> ParleyError:
    """The error that a failed call stands for.

    Args:
        error: a `grpc.RpcError`.
    """
    code, trailers = error.code(), dict(error.trailing_metadata() or ())
    content = trailers.get(DETAILS_KEY)
    details = read_details(content) if isinstance(content, bytes) else StatusDetails()
    retry_after = details.retry_after
    if retry_after is None and int(trailers.get(PUSHBACK_KEY, -1)) >= 0:
        retry_after = int(trailers[PUSHBACK_KEY]) / 1000
    complete = StatusDetails(
        details.message or error.details() or "",
        details.reason,
        details.metadata,
        retry_after,
        details.violations,
        details.resource,
    )
    return CLASSES.get(code, ParleyError)(code, complete)
