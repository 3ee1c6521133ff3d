"""Failures as responses in OpenAI's error shape."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doors.bodies import BodyTooLarge
from doors.failures import failure_response
from doors.openai_api.chat_request import UnusableRequest
from doors.openai_api.completions import error_body, parley_error_body
from parley.client.errors import ParleyError


async def unusable(request: Request, error: UnusableRequest) -> Response:
    """Answer a request that cannot be served."""
    return JSONResponse(error_body(error.message, "invalid_request_error", error.field, error.code), error.status)


async def too_large(request: Request, error: BodyTooLarge) -> Response:
    """Answer a body that is too large."""
    return JSONResponse(error_body(f"The body is larger than {error.max_bytes} bytes.", "invalid_request_error"), 413)


async def failed(request: Request, error: ParleyError) -> Response:
    """Answer a failed call of the suite."""
    return failure_response(error.code, parley_error_body(error), error.retry_after)


FAILURES: Final[Mapping[Any, Any]] = {UnusableRequest: unusable, BodyTooLarge: too_large, ParleyError: failed}
"""The answer to each failure."""
