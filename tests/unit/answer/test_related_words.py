"""Related words: what of many texts tells of a word is found once, the same as text by text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.text.tokens import stem
from services.answer.lexicon.related_words import has_related, matching_stems, related_in, tells_of

WORDS = "heavy weigh mass explosion explode explored launch carry take begin start opening opened harbour 1902".split()  # noqa: SIM905
STEMS = st.frozensets(st.sampled_from([stem(word, language="en") for word in WORDS]))


def test_a_word_is_told_by_those_of_its_group_and_of_its_root() -> None:
    stems = frozenset(stem(word, "en") for word in ("mass", "harbour", "exploding"))
    assert related_in(stem("heavy", language="en"), stems, language="en") == {stem("mass", language="en")}
    assert related_in(stem("explosion", language="en"), stems, language="en") == {stem("exploding", language="en")}


@given(st.sampled_from([stem(word, language="en") for word in WORDS]), STEMS)
def test_some_word_is_related_where_one_of_them_is(word_stem: str, stems: frozenset[str]) -> None:
    assert bool(related_in(word_stem, stems, language="en")) == has_related(word_stem, stems, language="en")
    assert bool(matching_stems(word_stem, stems, language="en")) == tells_of(word_stem, stems, language="en")


@pytest.mark.parametrize("word", ["1902", "pier"])
def test_numbers_and_short_words_have_no_root_in_common_with_others(word: str) -> None:
    assert related_in(stem(word, language="en"), frozenset({"19021", "piers"}), language="en") == frozenset()
