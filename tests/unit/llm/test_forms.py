"""Forms: a dataclass as JSON schema, and JSON as that dataclass."""

import json
from dataclasses import dataclass
from typing import Literal

import pytest

from libs.llm.forms import FormError, read_form, schema_of


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    count: int
    sure: bool
    verdict: Literal["yes", "no"]
    parts: tuple[Part, ...] = ()


FILLED = {
    "text": "t",
    "count": 2,
    "sure": True,
    "verdict": "no",
    "parts": [{"name": "a", "weight": 2}],
}


def test_a_form_has_a_strict_schema() -> None:
    schema = schema_of(Answer)
    assert schema["required"] == ["text", "count", "sure", "verdict", "parts"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["verdict"] == {"type": "string", "enum": ["yes", "no"]}
    assert schema["properties"]["parts"]["items"]["properties"]["weight"] == {"type": "integer"}


def test_json_becomes_the_dataclass_with_defaults_and_without_what_is_beyond_it() -> None:
    answer = read_form(Answer, json.dumps(FILLED | {"beyond": 1}))
    assert answer == Answer("t", 2, True, "no", (Part("a", 2),))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"count": "2"}, "count: must be a valid integer"),
        ({"count": True}, "count: must be a valid integer"),
        ({"sure": 1}, "sure: must be a valid boolean"),
        ({"verdict": "perhaps"}, "verdict: must be 'yes' or 'no'"),
        ({"verdict": ["yes"]}, "verdict: must be 'yes' or 'no'"),
        ({"parts": {}}, "parts: must be a valid array"),
        ({"parts": [{"name": "a"}, {}]}, r"parts\.1\.name: Field required"),
        ({"parts": ["a"]}, r"parts\.0: must be an object"),
        ({"text": 3}, "text: must be a valid string"),
    ],
)
def test_what_breaks_the_form_is_named_by_its_path(change: dict[str, object], message: str) -> None:
    with pytest.raises(FormError, match=message):
        read_form(Answer, json.dumps(FILLED | change))


def test_a_type_that_json_has_not_is_refused_at_once() -> None:
    @dataclass(frozen=True)
    class Odd:
        when: complex

    with pytest.raises(TypeError, match="complex"):
        schema_of(Odd)
