import re

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.runtime.errors import (
    AlreadyExists,
    FieldViolation,
    InternalError,
    InvalidInput,
    NotFound,
    Overloaded,
    ParleyError,
    Unavailable,
)
from libs.runtime.status import CLASS_OF_CODE, code_of, error_from_rpc, status_of, trailers_of


def test_a_missing_thing_names_its_kind_in_the_reason() -> None:
    error = NotFound("collection", "papers")
    assert (error.reason, error.message) == ("COLLECTION_NOT_FOUND", "There is no collection 'papers'.")
    assert NotFound("question", "q1", "QUESTION_NOT_FOUND").reason == "QUESTION_NOT_FOUND"


def test_several_fields_may_be_wrong_at_once() -> None:
    violations = FieldViolation("question", "must not be empty"), FieldViolation("session", "is too long")
    error = InvalidInput(violations=violations)
    assert error.violations == violations
    assert error.message == "question: must not be empty; session: is too long"


def test_each_code_that_servers_use_has_one_class() -> None:
    foreign = {"OK", "UNKNOWN", "OUT_OF_RANGE"}
    assert {code.name: each.status for code, each in CLASS_OF_CODE.items()} == {
        code.name: code.name for code in grpc.StatusCode if code.name not in foreign
    }


@pytest.mark.parametrize("resource", ["collection", "a thing", "Near-duplicate"])
def test_a_reason_made_of_a_resource_is_upper_snake(resource: str) -> None:
    for error in (NotFound(resource, "x"), AlreadyExists(resource, "x")):
        assert re.fullmatch(r"[A-Z][A-Z_]+[A-Z]", error.reason)


def over_the_wire(error: ParleyError) -> ParleyError:
    """The error as a client gets it."""
    status = status_of(error)
    trailers = grpc.aio.Metadata(*trailers_of(error, status))
    return error_from_rpc(grpc.aio.AioRpcError(code_of(error), grpc.aio.Metadata(), trailers, status.message))


def test_a_caller_that_should_not_retry_is_told_so() -> None:
    error = Overloaded(None)
    assert ("grpc-retry-pushback-ms", "-1") in trailers_of(error, status_of(error))


def test_a_status_that_the_client_lost_says_that_one_may_try_again() -> None:
    back = error_from_rpc(grpc.aio.AioRpcError(grpc.StatusCode.INTERNAL, details="Internal error from Core"))
    assert (type(back), back.is_unanswered) == (Unavailable, False)


@pytest.mark.parametrize("code", [grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL])
def test_a_foreign_failure_is_internal_and_its_text_stays_out(code: grpc.StatusCode) -> None:
    back = error_from_rpc(grpc.aio.AioRpcError(code, details="Unexpected <class 'KeyError'>: secret"))
    assert isinstance(back, InternalError)
    assert "secret" not in back.message


def test_details_that_cannot_be_read_are_left_aside() -> None:
    trailers = grpc.aio.Metadata(("grpc-status-details-bin", b"\xff\xff\xff"))
    back = error_from_rpc(
        grpc.aio.AioRpcError(grpc.StatusCode.INVALID_ARGUMENT, trailing_metadata=trailers, details="no")
    )
    assert isinstance(back, InvalidInput)
    assert back.message == "no"


texts = st.text(max_size=2000)


@given(
    st.lists(st.builds(FieldViolation, texts, texts, st.just("string.max_len")), min_size=1, max_size=60),
    st.dictionaries(st.text("abc", min_size=1, max_size=5), texts, max_size=5),
)
def test_a_status_always_fits_into_the_trailers_and_keeps_its_reason(
    violations: list[FieldViolation], metadata: dict[str, str]
) -> None:
    error = InvalidInput(violations=tuple(violations))
    error.metadata = metadata
    status = status_of(error)
    sizes = [len(k) + len(v) * 4 / 3 for k, v in trailers_of(error, status)]
    assert sum(sizes) + 9 * len(status.message.encode()) / 3 < 8 * 1024
    assert over_the_wire(error).reason == "FIELD_INVALID"
