"""Words are counted as a regular expression counts them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from libs.text.sentences import count_of_word, is_word_character

LETTERS = st.text("aAé_1 .-,\n月", max_size=14)


@given(LETTERS.filter(bool), LETTERS)
def test_a_word_is_counted_as_between_boundaries(word: str, text: str) -> None:
    assert count_of_word(word, text) == len(re.findall(rf"\b{re.escape(word)}\b", text))


@given(st.characters())
def test_a_character_is_one_of_a_word_or_not(character: str) -> None:
    assert is_word_character(character) == bool(re.match(r"\w", character))


def test_no_character_is_none_of_a_word() -> None:
    assert not is_word_character("")
