"""Failures as HTTP: the status of each, and a body that names the reason and the fields at fault."""

import math
from collections.abc import Mapping
from typing import Any, Final

import grpc
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doors.answer_data import Json
from doors.bodies import BodyTooLarge
from libs.runtime.errors import InvalidInput, ParleyError
from libs.runtime.status import code_of

HTTP_STATUSES: Final[Mapping[grpc.StatusCode, int]] = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.OUT_OF_RANGE: 400,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.CANCELLED: 499,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
}
"""As google.rpc.Code maps them; others are 500."""


def failure_response(code: grpc.StatusCode, body: Json, retry_after: float | None) -> Response:
    """The response of a failed call; `retry_after` is in seconds."""
    headers = {} if retry_after is None else {"retry-after": str(math.ceil(retry_after))}
    return JSONResponse(body, HTTP_STATUSES.get(code, 500), headers)


def failure_body(error: ParleyError) -> Json:
    """What is said of a failure."""
    violations = [{"field": each.field, "description": each.description} for each in error.violations]
    details = {"retry_after": error.retry_after, "violations": violations}
    present = {name: value for name, value in details.items() if value}
    return {"error": {"status": error.status, "reason": error.reason, "message": error.message, **present}}


async def failed(request: Request, error: ParleyError) -> Response:
    """Answer a failed request."""
    return failure_response(code_of(error), failure_body(error), error.retry_after)


async def too_large(request: Request, error: BodyTooLarge) -> Response:
    """Answer a body that is too large."""
    refusal = InvalidInput("", f"The body is larger than {error.max_bytes} bytes.", "MESSAGE_TOO_LARGE")
    return JSONResponse(failure_body(refusal), 413)


FAILURES: Final[Mapping[Any, Any]] = {BodyTooLarge: too_large, ParleyError: failed}
"""The answer to each failure."""
