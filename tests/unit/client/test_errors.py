"""A failed call becomes a typed error, with what the suite said and nothing else."""

from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from libs.runtime.errors import InvalidInput, NotFound, Overloaded, ParleyError
from libs.runtime.status import code_of, status_of, trailers_of
from parley.client.errors import (
    CLASSES,
    InvalidArgumentError,
    NotFoundError,
    ResourceExhaustedError,
    UnavailableError,
    error_of,
)


def failed(error: ParleyError) -> Any:
    """The call as grpc raises it."""
    status = status_of(error)
    return rpc_error(code_of(error), status.message, trailers_of(error, status))


def rpc_error(code: grpc.StatusCode, message: str, trailers: Any = ()) -> Any:
    return SimpleNamespace(code=lambda: code, details=lambda: message, trailing_metadata=lambda: trailers)


def test_a_violation_has_the_path_of_its_field() -> None:
    error = error_of(failed(InvalidInput("options.collection", "is too long")))
    assert isinstance(error, InvalidArgumentError)
    assert [(each.field, each.description) for each in error.violations] == [("options.collection", "is too long")]
    assert str(error) == "options.collection: is too long (FIELD_INVALID)"


def test_a_missing_thing_has_its_reason() -> None:
    error = error_of(failed(NotFound("document", "a", "DOCUMENT_NOT_FOUND")))
    assert isinstance(error, NotFoundError)
    assert error.reason == "DOCUMENT_NOT_FOUND"
    assert "'a'" in error.message


def test_a_busy_suite_says_when_to_come_back() -> None:
    error = error_of(failed(Overloaded(1.5)))
    assert isinstance(error, ResourceExhaustedError)
    assert error.retry_after == pytest.approx(1.5)


def test_a_connection_that_failed_has_no_reason() -> None:
    error = error_of(rpc_error(grpc.StatusCode.UNAVAILABLE, "failed to connect"))
    assert isinstance(error, UnavailableError)
    assert (error.reason, error.retry_after, str(error)) == ("", None, "failed to connect")


@pytest.mark.parametrize("content", [b"\xff\xff", b"\x1a\x02\x0a\xff"])
def test_details_that_cannot_be_read_are_ignored(content: bytes) -> None:
    error = error_of(rpc_error(grpc.StatusCode.INTERNAL, "oh", (("grpc-status-details-bin", content),)))
    assert (error.reason, error.message) == ("", "oh")


@pytest.mark.parametrize("code", list(grpc.StatusCode))
def test_every_code_has_an_error(code: grpc.StatusCode) -> None:
    error = error_of(rpc_error(code, "x"))
    assert error.code is code
    assert type(error) is CLASSES.get(code, type(error))
