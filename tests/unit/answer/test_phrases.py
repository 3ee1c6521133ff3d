"""Phrases in a text: the quick search finds what the pattern finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.answer.lexicon.words import has_phrase, phrase_pattern

PHRASES = ["Yutu", "Yutu-2", "Venera 7", "Bo", "Chang'e 5", "İzmir"]
TEXTS = st.lists(
    st.sampled_from(
        [*PHRASES, "yutu", "YUTU‑2", "Venera-7", "venera", "Chang’e", "bot", "_", "İİ", "-2", "5", ".", " "]
    )
).map("".join)


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("Bo", "No Bob, but bo.", True),
        ("Bo", "No Bob.", False),
        ("Yutu", "Yutu-2 came later.", False),
        ("Chang'e 5", "After CHANG’E‑5", True),
    ],
)
def test_a_phrase_is_found_as_whole_words_in_any_case(phrase: str, text: str, found: bool) -> None:
    assert has_phrase(phrase, text) is found


@given(st.sampled_from(PHRASES), TEXTS)
def test_the_quick_search_finds_what_the_pattern_finds(phrase: str, text: str) -> None:
    assert has_phrase(phrase, text) is (phrase_pattern(phrase).search(text) is not None)
