"""What is known of a language's words: joints of clauses, notes of pages, names of versions."""

import pytest

from libs.language.files import known_languages
from libs.language.topics.numbers import PageNotes
from services.timeline.timeline_words import clause_patterns_of

LANGUAGES = [language for language in known_languages() if PageNotes.of(language).notes]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_with_a_file_has_words_for_everything(language: str) -> None:
    speech = clause_patterns_of(language)
    assert speech.notes
    assert speech.rights
    assert speech.releases


@pytest.mark.parametrize(
    ("language", "sentence", "joint"),
    [
        ("en", "It rose, and then it fell.", ", and then "),
        ("de", "Sie stieg und dann fiel sie.", " und dann "),
        ("fr", "Elle monta, puis elle tomba.", ", puis "),
        ("xx", "It rose and then it fell; it broke.", "; "),
    ],
)
def test_clauses_are_joined_by_a_conjunction_of_the_language_or_a_mark(
    language: str, sentence: str, joint: str
) -> None:
    match = clause_patterns_of(language).joint.search(sentence)
    assert match is not None
    assert match[0] == joint


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "a port, which closed"), ("de", "ein Tag, dass sie"), ("fr", "un port, qui ferma")],
)
def test_a_clause_of_another_kind_is_not_joined(language: str, sentence: str) -> None:
    assert clause_patterns_of(language).joint.search(sentence) is None
    assert clause_patterns_of(language).opens.search(sentence) is not None


@pytest.mark.parametrize(("language", "month"), [("en", "september"), ("de", "märz"), ("fr", "août"), ("de", "sept")])
def test_the_months_stand_in_notes_of_pages(language: str, month: str) -> None:
    assert month in clause_patterns_of(language).notes


def test_an_unknown_language_has_marks_only_and_no_name_leads_out_of_the_folder() -> None:
    assert clause_patterns_of("xx").notes == clause_patterns_of("../data/en").notes == frozenset()


def test_no_language_told_counts_as_english() -> None:
    assert clause_patterns_of("") == clause_patterns_of("en")
