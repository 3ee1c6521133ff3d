"""Phrases in a text: the quick search finds what the pattern finds, where it finds it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.answer.lexicon.words import has_phrase, phrase_pattern, positions_of

PHRASES = ["Yutu", "Yutu-2", "Venera 7", "Bo", "Chang'e 5", "İzmir"]
TEXTS = st.lists(
    st.sampled_from(
        [*PHRASES, "yutu", "YUTU‑2", "Venera-7", "venera", "Chang’e", "bot", "_", "İİ", "-2", "5", ".", " "]
    )
).map("".join)


@pytest.mark.parametrize(
    ("phrase", "text", "places"),
    [("Bo", "Bo and bo, no Bob.", [0, 7]), ("Yutu", "Yutu-2 came after Yutu.", [18]), ("Bo", "İzmir: Bo", [7])],
)
def test_a_phrase_is_found_as_whole_words_in_any_case(phrase: str, text: str, places: list[int]) -> None:
    assert list(positions_of(phrase, text)) == places


@given(st.sampled_from(PHRASES), TEXTS)
def test_the_quick_search_finds_what_the_pattern_finds(phrase: str, text: str) -> None:
    places = [match.start() for match in phrase_pattern(phrase).finditer(text)]
    assert list(positions_of(phrase, text)) == places
    assert has_phrase(phrase, text) is bool(places)
