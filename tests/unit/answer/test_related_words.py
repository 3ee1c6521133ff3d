"""Related words: by the list, or by a common root."""

import pytest

from libs.text.tokens import stem
from services.answer.lexicon.related_words import has_related, tells_of


def stems(*words: str) -> frozenset[str]:
    return frozenset(stem(word, "en") for word in words)


def test_a_word_is_related_to_those_of_its_group_and_of_its_root() -> None:
    assert has_related(stem("heavy", "en"), stems("harbour", "mass"), "en")
    assert has_related(stem("explosion", "en"), stems("exploding"), "en")
    assert not has_related(stem("heavy", "en"), stems("harbour", "exploding"), "en")


def test_a_word_may_tell_of_one_that_it_is_not_related_to() -> None:
    assert tells_of(stem("launch", "en"), stems("carry"), "en")
    assert not has_related(stem("launch", "en"), stems("carry"), "en")


@pytest.mark.parametrize("word", ["1902", "pier"])
def test_numbers_and_short_words_have_no_root_in_common_with_others(word: str) -> None:
    assert not has_related(stem(word, "en"), frozenset({"19021", "piers"}), "en")
