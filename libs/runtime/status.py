"""Converts our errors to gRPC statuses (AIP-193) and back; no other module knows both.

Every status carries a `google.rpc.Status` with exactly one ErrorInfo (domain "parley"), and BadRequest, RetryInfo or
ResourceInfo where they apply. It is sent in the trailers, which are limited to 8 KiB in all: what doesn't fit is left
out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import quote

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from libs.runtime.errors import (
    AlreadyExists,
    Cancelled,
    Conflict,
    DeadlineExceeded,
    FailedPrecondition,
    FieldViolation,
    InternalError,
    InvalidInput,
    Kind,
    NotFound,
    NotSupported,
    Overloaded,
    ParleyError,
    PermissionDenied,
    Unavailable,
)

DOMAIN: Final = "parley"
DETAILS_KEY: Final = "grpc-status-details-bin"
PUSHBACK_KEY: Final = "grpc-retry-pushback-ms"

MAX_TRAILER_BYTES: Final = 6 * 1024
"""Most bytes of message and details together on the wire; the rest up to 8 KiB is for other trailers."""
MAX_TEXT: Final = 300
"""Longest message, description or metadata value, in characters; longer ones are cut."""

_CODES: Final[Mapping[Kind, grpc.StatusCode]] = {
    Kind.INVALID: grpc.StatusCode.INVALID_ARGUMENT,
    Kind.NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Kind.ALREADY_EXISTS: grpc.StatusCode.ALREADY_EXISTS,
    Kind.PRECONDITION: grpc.StatusCode.FAILED_PRECONDITION,
    Kind.CONFLICT: grpc.StatusCode.ABORTED,
    Kind.PERMISSION: grpc.StatusCode.PERMISSION_DENIED,
    Kind.UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    Kind.OVERLOADED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Kind.NOT_SUPPORTED: grpc.StatusCode.UNIMPLEMENTED,
    Kind.DEADLINE: grpc.StatusCode.DEADLINE_EXCEEDED,
    Kind.CANCELLED: grpc.StatusCode.CANCELLED,
    Kind.INTERNAL: grpc.StatusCode.INTERNAL,
}
_KINDS: Final[Mapping[grpc.StatusCode, Kind]] = {
    **{code: kind for kind, code in _CODES.items()},
    grpc.StatusCode.OUT_OF_RANGE: Kind.INVALID,
    grpc.StatusCode.UNAUTHENTICATED: Kind.PERMISSION,
}
_DEFAULT_REASONS: Final[Mapping[Kind, str]] = {
    Kind.INVALID: "FIELD_INVALID",
    Kind.UNAVAILABLE: "STAGE_UNAVAILABLE",
    Kind.OVERLOADED: "OVERLOADED",
    Kind.NOT_SUPPORTED: "NOT_IMPLEMENTED",
    Kind.DEADLINE: "DEADLINE_EXCEEDED",
    Kind.CANCELLED: "CANCELLED",
    Kind.INTERNAL: "INTERNAL",
}
_PLAIN_MESSAGES: Final[Mapping[Kind, str]] = {
    Kind.UNAVAILABLE: "The service cannot be reached right now.",
    Kind.INTERNAL: "Something went wrong inside the suite.",
}


def code_of(error: ParleyError) -> grpc.StatusCode:
    """The status code of an error's kind."""
    return _CODES[error.kind]


def status_of(error: ParleyError) -> status_pb2.Status:
    """The error as a google.rpc.Status, shortened to fit into the trailers."""
    status = _status(error, error.message, _details(error))
    keep = len(getattr(error, "violations", ()))
    while keep > 1 and _wire_size(status) > MAX_TRAILER_BYTES:
        keep //= 2
        status = _status(error, error.message, _details(error, keep))
    if _wire_size(status) > MAX_TRAILER_BYTES:
        status = _status(error, error.message, [_error_info(error, with_metadata=False)])
    return status


def trailers_of(error: ParleyError, status: status_pb2.Status) -> tuple[tuple[str, str | bytes], ...]:
    """Trailing metadata: the details, and a pushback for callers that retry automatically (-1: don't)."""
    trailers: list[tuple[str, str | bytes]] = [(DETAILS_KEY, status.SerializeToString())]
    if isinstance(error, Overloaded | Unavailable):
        if error.retry_after is not None:
            trailers.append((PUSHBACK_KEY, str(max(0, round(error.retry_after * 1000)))))
        elif isinstance(error, Overloaded):
            trailers.append((PUSHBACK_KEY, "-1"))
    return tuple(trailers)


def error_from_rpc(error: grpc.RpcError) -> ParleyError:
    """The error that the other side raised, rebuilt from a failed call's trailers.

    A code that our own servers don't use (UNKNOWN, DATA_LOSS) becomes an InternalError. A status without details gets
    the default reason of its code; for UNAVAILABLE and INTERNAL, whose text is gRPC's own (addresses, exceptions), it
    also gets a plain message.
    """
    details = _read_details(error)
    kind = _KINDS.get(error.code(), Kind.INTERNAL)
    info = details.get("ErrorInfo", error_details_pb2.ErrorInfo())
    reason = info.reason or _DEFAULT_REASONS.get(kind, error.code().name)
    message = error.details() or ""
    if not details:
        message = _PLAIN_MESSAGES.get(kind, message)
    rebuilt = _REBUILD[kind](reason, message, details)
    rebuilt.metadata = dict(info.metadata)
    rebuilt.from_peer = True
    return rebuilt


def _status(error: ParleyError, message: str, details: list[Message]) -> status_pb2.Status:
    status = status_pb2.Status(code=code_of(error).value[0], message=_cut(message))
    for detail in details:
        status.details.add().Pack(detail)
    return status


def _wire_size(status: status_pb2.Status) -> int:
    """Bytes in the trailers: binary values are base64-encoded, the message is percent-encoded."""
    return len(status.SerializeToString()) * 4 // 3 + len(quote(status.message))


def _details(error: ParleyError, violations: int | None = None) -> list[Message]:
    details: list[Message] = [_error_info(error)]
    if isinstance(error, InvalidInput):
        details.append(_bad_request(error.violations[:violations]))
    if isinstance(error, NotFound | AlreadyExists):
        resource = error_details_pb2.ResourceInfo(resource_type=error.resource_type, resource_name=_cut(error.name))
        details.append(resource)
    if isinstance(error, Overloaded | Unavailable) and error.retry_after is not None:
        details.append(error_details_pb2.RetryInfo(retry_delay=_duration(error.retry_after)))
    return details


def _error_info(error: ParleyError, with_metadata: bool = True) -> error_details_pb2.ErrorInfo:
    metadata = {key: _cut(value) for key, value in error.metadata.items()} if with_metadata else {}
    return error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata)


def _bad_request(violations: tuple[FieldViolation, ...]) -> error_details_pb2.BadRequest:
    return error_details_pb2.BadRequest(
        field_violations=[
            error_details_pb2.BadRequest.FieldViolation(
                field=_cut(v.field), description=_cut(v.description), reason=v.rule.upper().replace(".", "_")
            )
            for v in violations
        ]
    )


def _duration(seconds: float) -> Duration:
    duration = Duration()
    duration.FromNanoseconds(round(seconds * 1e9))
    return duration


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _read_details(error: grpc.RpcError) -> dict[str, Any]:
    """The known details by message name; empty if there are none or they can't be parsed."""
    trailers: Any = error.trailing_metadata() or ()
    raw = dict(trailers).get(DETAILS_KEY)  # pairs in the synchronous client, a mapping in the asynchronous one
    if not isinstance(raw, bytes):
        return {}
    found: dict[str, Any] = {}
    try:
        for packed in status_pb2.Status.FromString(raw).details:
            name = packed.TypeName().rpartition(".")[2]
            message_type = getattr(error_details_pb2, name, None)
            if message_type is not None:
                found[name] = message_type.FromString(packed.value)
    except DecodeError:
        return {}
    return found


def _invalid(reason: str, message: str, details: Mapping[str, Any]) -> ParleyError:
    found = details["BadRequest"].field_violations if "BadRequest" in details else ()
    violations = tuple(FieldViolation(v.field, v.description, v.reason) for v in found)
    return InvalidInput.of(violations, reason) if violations else InvalidInput("", message, reason)


def _resource(error_type: type[NotFound] | type[AlreadyExists]) -> Callable[..., ParleyError]:
    def rebuild(reason: str, message: str, details: Mapping[str, Any]) -> ParleyError:
        resource = details.get("ResourceInfo", error_details_pb2.ResourceInfo())
        error = error_type(resource.resource_type or "resource", resource.resource_name, reason)
        error.message = message or error.message
        return error

    return rebuild


def _retry_after(details: Mapping[str, Any]) -> float | None:
    return details["RetryInfo"].retry_delay.ToNanoseconds() / 1e9 if "RetryInfo" in details else None


_REBUILD: Final[Mapping[Kind, Callable[[str, str, Mapping[str, Any]], ParleyError]]] = {
    Kind.INVALID: _invalid,
    Kind.NOT_FOUND: _resource(NotFound),
    Kind.ALREADY_EXISTS: _resource(AlreadyExists),
    Kind.PRECONDITION: lambda reason, message, _: FailedPrecondition(reason, message),
    Kind.CONFLICT: lambda reason, message, _: Conflict(reason, message),
    Kind.PERMISSION: lambda reason, message, _: PermissionDenied(reason, message),
    Kind.UNAVAILABLE: lambda reason, message, details: Unavailable(reason, message, _retry_after(details)),
    Kind.OVERLOADED: lambda reason, message, details: Overloaded(_retry_after(details), message, reason),
    Kind.NOT_SUPPORTED: lambda reason, message, _: NotSupported(message, reason),
    Kind.DEADLINE: lambda reason, message, _: DeadlineExceeded(message, reason),
    Kind.CANCELLED: lambda reason, message, _: Cancelled(message, reason),
    Kind.INTERNAL: lambda reason, message, _: InternalError(message, reason),
}
