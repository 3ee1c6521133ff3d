"""The phrases, names and domain words of German texts."""

import pytest

from libs.language.files import known_languages
from services.decompose.condense.tidy import body_of
from services.decompose.words.domain import domain_in, load_domain
from services.decompose.words.phrases import find_named, find_phrases

_GERMAN = "de"


@pytest.mark.parametrize(
    ("text", "phrase", "is_name"),
    [
        ("Wann wurde das Rathaus gebaut?", "Rathaus", False),
        ("Wer ist Anna Berger?", "Anna Berger", True),
        ("Wie weit ist es nach Köln?", "Köln", True),
        ("Wo hält Linie 12?", "Linie 12", True),
        ("Was macht die NASA heute?", "NASA", True),
        ("Können Sie mir die Adresse nennen?", "Adresse", False),
        ("Was kostet das neue Hallenbad?", "neue Hallenbad", False),
    ],
)
def test_a_capital_alone_makes_no_name_of_a_noun(text: str, phrase: str, is_name: bool) -> None:
    assert {item.text: item.is_name for item in find_phrases(text, _GERMAN)}.get(phrase) is is_name


def test_a_date_is_no_phrase() -> None:
    assert find_phrases("Was geschah im März 1948?", _GERMAN) == ()
    assert find_named("Was geschah im März 1948?", _GERMAN) == ("März 1948",)


def test_a_phrase_has_its_determiner() -> None:
    phrase = find_phrases("Was steht in dem Vertrag?", _GERMAN)[-1]
    assert (phrase.text, phrase.determiner) == ("Vertrag", "dem")


@pytest.mark.parametrize("language", ["de", "fr", "xx"])
def test_a_question_is_itself_without_its_final_mark(language: str) -> None:
    assert body_of("Parkplatz Rathaus?", language) == "Parkplatz Rathaus"


def test_the_words_of_a_domain_belong_to_its_language() -> None:
    english = load_domain(language="en")
    assert domain_in(english, "en") is english
    assert "verein" in domain_in(english, _GERMAN).classes
    assert domain_in(english, "xx").classes == frozenset()


@pytest.mark.parametrize("language", known_languages())
def test_phrases_are_read_in_any_language(language: str) -> None:
    assert find_phrases("Parley 2 in Berlin, 1999", language)
