"""Converts our errors to gRPC statuses (AIP-193) and back; no other module knows both.

Every status carries a `google.rpc.Status` with exactly one ErrorInfo (domain "parley"), and BadRequest, RetryInfo or
ResourceInfo where they apply. It is sent in the trailers, which are limited to 8 KiB in all: what doesn't fit is left
out.
"""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from libs.runtime import errors
from libs.runtime.errors import (
    Cancelled,
    DeadlineExceeded,
    FieldViolation,
    InternalError,
    InvalidInput,
    Overloaded,
    ParleyError,
    Unavailable,
)

DOMAIN: Final = "parley"
DETAILS_KEY: Final = "grpc-status-details-bin"
PUSHBACK_KEY: Final = "grpc-retry-pushback-ms"

MAX_TRAILER_BYTES: Final = 6 * 1024
"""Most bytes of message and details together on the wire; the rest up to 8 KiB is for other trailers (8 KiB is gRPC's
limit)."""
MAX_TEXT: Final = 300
"""Longest message, description or metadata value, in characters; longer ones are cut (taste)."""

CODE_OF_NUMBER: Final = {code.value[0]: code for code in grpc.StatusCode}
CLASS_OF_CODE: Final[Mapping[grpc.StatusCode, type[ParleyError]]] = {
    grpc.StatusCode[each.status]: each
    for each in vars(errors).values()
    if isinstance(each, type) and issubclass(each, ParleyError) and "status" in vars(each) and each is not ParleyError
}
"""The class of each code that our servers use."""
LOST_STATUS: Final = "Internal error from Core"
"""What grpc.aio tells in place of the status if the other side ends a call while a message is sent to it."""


def code_of(error: ParleyError) -> grpc.StatusCode:
    """The status code of an error."""
    return grpc.StatusCode[error.status]


def status_of(error: ParleyError) -> status_pb2.Status:
    """The error as a google.rpc.Status, shortened to fit into the trailers."""
    status = _status(error, _details(error))
    keep = len(error.violations)
    while keep > 1 and _wire_size(status) > MAX_TRAILER_BYTES:
        keep //= 2
        status = _status(error, _details(error, keep))
    if _wire_size(status) > MAX_TRAILER_BYTES:
        status = _status(error, [_error_info(error, with_metadata=False)])
    return status


def trailers_of(error: ParleyError, status: status_pb2.Status) -> tuple[tuple[str, str | bytes], ...]:
    """Trailing metadata: the details, and a pushback for callers that retry automatically (-1: don't)."""
    trailers: list[tuple[str, str | bytes]] = [(DETAILS_KEY, status.SerializeToString())]
    if error.retry_after is not None:
        trailers.append((PUSHBACK_KEY, str(max(0, round(error.retry_after * 1000)))))
    elif isinstance(error, Overloaded):
        trailers.append((PUSHBACK_KEY, "-1"))
    return tuple(trailers)


def error_from_rpc(error: grpc.RpcError) -> ParleyError:
    """The error that the other side raised, rebuilt from a failed call's trailers.

    A code that our own servers don't use, such as UNKNOWN, becomes an InternalError. A status without details gets the
    default reason of its code; for UNAVAILABLE and INTERNAL, whose text is gRPC's own (addresses, exceptions), it
    also gets a plain message.
    """
    details, is_lost = _read_details(error), error.details() == LOST_STATUS
    code = grpc.StatusCode.UNAVAILABLE if is_lost else error.code()
    rebuilt = _rebuild(code, error.details() or "", details)
    rebuilt.from_peer = True
    is_own = not details and not is_lost
    rebuilt.is_unanswered = is_own and isinstance(rebuilt, Unavailable | Cancelled | DeadlineExceeded)
    return rebuilt


def error_from_status(content: bytes) -> ParleyError:
    """The error of a serialized google.rpc.Status that `status_of` made."""
    status = status_pb2.Status.FromString(content)
    return _rebuild(CODE_OF_NUMBER[status.code], status.message, _unpack_details(status))


def _rebuild(code: grpc.StatusCode, message: str, details: Mapping[str, Any]) -> ParleyError:
    info = details.get("ErrorInfo", error_details_pb2.ErrorInfo())
    error_class = CLASS_OF_CODE.get(code, InternalError)
    error = error_class.__new__(error_class)
    if not details and isinstance(error, Unavailable | InternalError):
        message = error.usual_message
    ParleyError.__init__(error, info.reason or error.usual_reason, message, info.metadata)
    if isinstance(error, InvalidInput):
        error.violations = (FieldViolation("", message),)
    if "BadRequest" in details:
        fields = details["BadRequest"].field_violations
        error.violations = tuple(FieldViolation(v.field, v.description, v.reason) for v in fields)
    if "ResourceInfo" in details:
        error.resource_type = details["ResourceInfo"].resource_type
        error.name = details["ResourceInfo"].resource_name
    if "RetryInfo" in details:
        error.retry_after = details["RetryInfo"].retry_delay.ToNanoseconds() / 1e9
    return error


def _status(error: ParleyError, details: list[Message]) -> status_pb2.Status:
    status = status_pb2.Status(code=code_of(error).value[0], message=_truncate(error.message))
    for detail in details:
        status.details.add().Pack(detail)
    return status


def _wire_size(status: status_pb2.Status) -> int:
    """Bytes in the trailers: binary values are base64-encoded, the message is percent-encoded."""
    return len(status.SerializeToString()) * 4 // 3 + len(quote(status.message))


def _details(error: ParleyError, violations: int | None = None) -> list[Message]:
    details: list[Message] = [_error_info(error)]
    if error.violations:
        told = error.violations[:violations]
        details.append(error_details_pb2.BadRequest(field_violations=map(_field_violation, told)))
    if error.resource_type:
        resource_name = _truncate(error.name)
        details.append(error_details_pb2.ResourceInfo(resource_type=error.resource_type, resource_name=resource_name))
    if error.quota:
        violation = error_details_pb2.QuotaFailure.Violation(subject=error.quota, description=error.message)
        details.append(error_details_pb2.QuotaFailure(violations=[violation]))
    if error.retry_after is not None:
        retry_delay = Duration()
        retry_delay.FromNanoseconds(round(error.retry_after * 1e9))
        details.append(error_details_pb2.RetryInfo(retry_delay=retry_delay))
    return details


def _error_info(error: ParleyError, with_metadata: bool = True) -> error_details_pb2.ErrorInfo:
    metadata = {key: _truncate(value) for key, value in error.metadata.items()} if with_metadata else {}
    return error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata)


def _field_violation(violation: FieldViolation) -> error_details_pb2.BadRequest.FieldViolation:
    field, description = _truncate(violation.field), _truncate(violation.description)
    reason = violation.rule.upper().replace(".", "_")
    return error_details_pb2.BadRequest.FieldViolation(field=field, description=description, reason=reason)


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _read_details(error: grpc.RpcError) -> dict[str, Any]:
    """The known details by message name; empty if there are none or they can't be parsed."""
    trailers: Any = error.trailing_metadata() or ()
    raw = dict(trailers).get(DETAILS_KEY)  # pairs in the synchronous client, a mapping in the asynchronous one
    if not isinstance(raw, bytes):
        return {}
    try:
        return _unpack_details(status_pb2.Status.FromString(raw))
    except DecodeError:
        return {}


def _unpack_details(status: status_pb2.Status) -> dict[str, Any]:
    details: dict[str, Any] = {}
    for detail in status.details:
        name = detail.TypeName().rpartition(".")[2]
        message_type = getattr(error_details_pb2, name, None)
        if message_type is not None:
            details[name] = message_type.FromString(detail.value)
    return details
