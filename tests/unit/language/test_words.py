"""What is known of languages, each from its file: quantities, title pages."""

from dataclasses import fields

import pytest

from libs.language.files import known_languages
from libs.language.known import Language, language_of
from libs.language.quantities import asks_quantity, asks_time, tells_number


@pytest.mark.parametrize("code", known_languages())
def test_what_is_known_of_a_language_is_lower_cased_and_without_gaps(code: str) -> None:
    language = language_of(code)
    entries = (*language.quantity_words, *language.greetings, *language.thanks, *language.approvals)
    for phrase in (*entries, *language.stop_words, *language.number_words):
        assert phrase == phrase.lower()
        assert phrase == " ".join(phrase.split())
    assert language.name
    assert language.stop_words


def test_of_a_language_without_a_file_nothing_is_known() -> None:
    for code in ("xx", "../en", ""):
        assert {getattr(language_of(code), field.name) or None for field in fields(Language)} == {None}


@pytest.mark.parametrize(
    ("question", "language", "asks"),
    [
        ("How many days of leave?", "en", True),
        ("And how  much is it?", "en", True),
        ("Wie viele Tage?", "de", True),
        ("Combien de jours ?", "fr", True),
        ("有多少天？", "zh", True),
        ("何人いますか", "ja", True),
        ("Show many things", "en", False),
        ("What is it?", "en", False),
        ("How many days?", "xx", False),
        ("Wie heißt er?", "de", False),
    ],
)
def test_a_question_for_a_number_is_told_by_its_words(question: str, language: str, asks: bool) -> None:
    assert asks_quantity(question, language) is asks


@pytest.mark.parametrize(
    ("question", "language", "asks"),
    [
        ("When did it land?", "en", True),
        ("And since when?", "en", True),
        ("What does the valve of the tank do when it freezes?", "en", False),
        ("Wann landete sie?", "de", True),
        ("它是哪一年着陆的？", "zh", True),
    ],
)
def test_a_question_for_a_time_begins_with_its_words(question: str, language: str, asks: bool) -> None:
    assert asks_time(question, language) is asks


@pytest.mark.parametrize(
    ("text", "language", "has_number"),
    [
        ("It has three cameras", "en", True),
        ("It has 3 of them", "xx", True),
        ("Drei Kameras", "de", True),
        ("有三个", "zh", True),
        ("Someone came often", "en", False),
        ("Three cameras", "de", False),
    ],
)
def test_a_number_is_told_in_digits_or_in_words(text: str, language: str, has_number: bool) -> None:
    assert tells_number(text, language) is has_number


def test_a_number_that_is_known_tells_nothing() -> None:
    assert not tells_number("Apollo 11 entered orbit round the Moon.", "en", "When did Apollo 11 land?")
    assert tells_number("Apollo 11 landed on 20 July.", "en", "When did Apollo 11 land?")
    assert tells_number("Three days later Apollo 11 landed.", "en", "When did Apollo 11 land?")
