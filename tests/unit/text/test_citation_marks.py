"""Citation marks of an answer, and what only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.text.citation_marks import citation_marks, escape_lookalikes


def numbers(text: str) -> list[int]:
    return [mark.number for mark in citation_marks(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It landed.[2] It left.[1][3]", [2, 1, 3]),
        ("**Phoenix › Landing** [1]", [1]),
        ("Read `values[2]`.[1]", [1]),
        ("Read ``a ` values[2]``.[1]", [1]),
        ("A lone ` is no code.[1]", [1]),
        ("```py\nrows[1]\n```\n\nIt reads a row.[2]", [2]),
        ("~~~\n```\nrows[1]\n~~~\nIt reads.[2]", [2]),
        ("```\nrows[1]", []),
        ("Note \\[1] of the archive.[2]", [2]),
        ("See [1](https://example.org) or [sic].", []),
    ],
)
def test_code_escapes_and_links_have_no_marks(text: str, expected: list[int]) -> None:
    assert numbers(text) == expected


def test_a_mark_has_its_place() -> None:
    (mark,) = citation_marks("Read `a[2]`.[1]")
    assert (mark.start, mark.end) == (12, 15)


@given(st.text(alphabet="a[]12\\( \n"))
def test_an_escaped_text_has_no_marks(text: str) -> None:
    assert numbers(escape_lookalikes(text)) == []


def test_escaping_twice_changes_nothing_more() -> None:
    once = escape_lookalikes("Note [1] of [sic] and [2](x).")
    assert once == "Note \\[1] of [sic] and [2](x)."
    assert escape_lookalikes(once) == once
