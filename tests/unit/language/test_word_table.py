"""Tables of words are read from the language's folder; what callers give as a language is no path."""

import pytest

from libs.language.files import word_table
from libs.language.known import language_of
from libs.language.topics.grammar import Abbreviations
from libs.text.sentences import split_sentences


def test_a_row_has_cells_and_a_cell_has_words() -> None:
    assert (("begin",), ("began",), ("begun",)) in word_table("verbs", "en")


def test_a_cell_with_commas_has_phrases() -> None:
    assert (("british", "britain", "united kingdom", "uk"),) in word_table("peoples", "en")


@pytest.mark.parametrize(("name", "language"), [("verbs", "xx"), ("verbs", "../en"), ("verbs", ""), ("nothing", "en")])
def test_a_table_that_does_not_exist_has_no_rows(name: str, language: str) -> None:
    assert word_table(name, language) == ()


@pytest.mark.parametrize("name", ["opposite_particles", "opposites", "opposites_in_position"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_opposites_have_two_sides_without_a_word_in_common(name: str, language: str) -> None:
    for first, second in word_table(name, language):
        assert first
        assert second
        assert set(first).isdisjoint(second)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_verb_has_one_base_form_and_one_row(language: str) -> None:
    bases = [base for (base,), *_ in word_table("verbs", language)]
    assert len(bases) == len(set(bases))


@pytest.mark.parametrize("code", ["", "../en", "en/de", "x" * 300, "x" * 100_000, "\u4e2d", "e\0n"])
def test_other_texts_are_languages_of_which_nothing_is_known(code: str) -> None:
    assert language_of(code).stop_words == frozenset()
    assert Abbreviations.of(code) == Abbreviations.of("xx")
    assert len(split_sentences("It landed. It left.", code)) == 2
