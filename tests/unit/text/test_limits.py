"""The beginning of a text that is too long to be read whole."""

import pytest

from libs.text.limits import beginning


@pytest.mark.parametrize(
    ("text", "expectation"),
    [
        ("one two", "one two"),
        ("one two three", "one two"),
        ("one two  three", "one two "),
        ("onetwothree", "onetwoth"),
        (" " * 8 + "a", " " * 7),
        ("\n" * 12 + "a", "\n" * 8),
        ("", ""),
    ],
)
def test_a_word_is_not_cut_off_unless_there_is_nothing_before_it(text: str, expectation: str) -> None:
    assert beginning(text, 8) == expectation
