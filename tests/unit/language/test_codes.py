"""What callers and documents give as a language is no path, however long."""

import pytest

from libs.language.files import names_files
from libs.language.known import language_of
from libs.language.topics.grammar import Abbreviations
from libs.text.sentences import split_sentences


@pytest.mark.parametrize("code", ["en", "de", "haw", "xx"])
def test_a_code_may_name_files(code: str) -> None:
    assert names_files(code)


@pytest.mark.parametrize("code", ["", "../en", "en/de", "x" * 300, "x" * 100_000, "\u4e2d", "e\0n"])
def test_other_texts_are_languages_of_which_nothing_is_known(code: str) -> None:
    assert not names_files(code)
    assert language_of(code).stop_words == frozenset()
    assert Abbreviations.of(code) == Abbreviations.of("xx")
    assert len(split_sentences("It landed. It left.", code)) == 2
