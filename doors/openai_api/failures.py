"""Failures as responses in OpenAI's error shape."""

import math
from collections.abc import Mapping
from typing import Any, Final

import grpc
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doors.bodies import BodyTooLarge
from doors.openai_api.chat_request import UnusableRequest
from doors.openai_api.completions import error_body, parley_error_body
from parley.client.errors import ParleyError

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


async def unusable(request: Request, error: UnusableRequest) -> Response:
    """Answer a request that cannot be served."""
    return JSONResponse(error_body(error.message, "invalid_request_error", error.field, error.code), error.status)


async def too_large(request: Request, error: BodyTooLarge) -> Response:
    """Answer a body that is too large."""
    return JSONResponse(error_body(f"The body is larger than {error.max_bytes} bytes.", "invalid_request_error"), 413)


async def failed(request: Request, error: ParleyError) -> Response:
    """Answer a failed call of the suite."""
    headers = {} if error.retry_after is None else {"retry-after": str(math.ceil(error.retry_after))}
    return JSONResponse(parley_error_body(error), HTTP_STATUSES.get(error.code, 500), headers)


FAILURES: Final[Mapping[Any, Any]] = {UnusableRequest: unusable, BodyTooLarge: too_large, ParleyError: failed}
"""The answer to each failure."""
