"""The phrases, names and domain words of German texts."""

import pytest

from libs.language.files import known_languages
from services.decompose.plan.sentences import body_of
from services.decompose.words.domain import domain_in, load_domain
from services.decompose.words.phrases import PhraseKind, find_phrases

_GERMAN = "de"


@pytest.mark.parametrize(
    ("text", "phrase", "kind"),
    [
        ("Wann wurde das Rathaus gebaut?", "Rathaus", PhraseKind.THING),
        ("Wer ist Anna Berger?", "Anna Berger", PhraseKind.NAME),
        ("Wie weit ist es nach Köln?", "Köln", PhraseKind.PLACE),
        ("Wo hält Linie 12?", "Linie 12", PhraseKind.NUMBERED),
        ("Was geschah im März 1948?", "März 1948", PhraseKind.DATE),
        ("Was macht die NASA heute?", "NASA", PhraseKind.NAME),
        ("Können Sie mir die Adresse nennen?", "Adresse", PhraseKind.THING),
        ("Was kostet das neue Hallenbad?", "neue Hallenbad", PhraseKind.THING),
    ],
)
def test_a_capital_alone_makes_no_name_of_a_noun(text: str, phrase: str, kind: PhraseKind) -> None:
    phrases = {item.text: item.kind for item in find_phrases(text, language=_GERMAN)}
    assert phrases.get(phrase) is kind


def test_a_phrase_has_its_determiner() -> None:
    phrase = find_phrases("Was steht in dem Vertrag?", language=_GERMAN)[-1]
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
    assert all(phrase.language == language for phrase in find_phrases("Parley 2 in Berlin, 1999", language=language))
