import re

import pytest

from libs.runtime.errors import (
    AlreadyExists,
    ErrorKind,
    FieldViolation,
    InternalError,
    InvalidInput,
    NotFound,
    ParleyError,
)

EVERY_CLASS = [c for c in ParleyError.__subclasses__() if c.__module__ == ParleyError.__module__]


def test_a_missing_thing_names_its_kind_in_the_reason() -> None:
    error = NotFound("collection", "papers")
    assert (error.reason, error.message) == ("COLLECTION_NOT_FOUND", "There is no collection 'papers'.")
    assert NotFound("question", "q1", "QUESTION_NOT_FOUND").reason == "QUESTION_NOT_FOUND"


def test_several_fields_may_be_wrong_at_once() -> None:
    violations = FieldViolation("question", "must not be empty"), FieldViolation("session", "is too long")
    error = InvalidInput(violations=violations)
    assert error.violations == violations
    assert error.message == "question: must not be empty; session: is too long"


def test_an_internal_error_says_nothing_of_its_cause() -> None:
    assert InternalError().message == "Something went wrong inside the suite."


def test_each_kind_has_exactly_one_class() -> None:
    assert sorted((c.kind for c in EVERY_CLASS), key=str) == sorted(ErrorKind, key=str)


@pytest.mark.parametrize("resource", ["collection", "a thing", "Near-duplicate"])
def test_a_reason_made_of_a_resource_is_upper_snake(resource: str) -> None:
    for error in (NotFound(resource, "x"), AlreadyExists(resource, "x")):
        assert re.fullmatch(r"[A-Z][A-Z_]+[A-Z]", error.reason)
