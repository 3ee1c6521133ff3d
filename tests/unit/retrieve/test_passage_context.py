"""Where a passage stands is searched and embedded with it."""

import pytest

from libs.language.files import known_languages
from libs.language.known import language_of
from services.retrieve.indexing.passage import place_of, searched_place


@pytest.mark.parametrize(
    ("title", "headings", "place"),
    [
        ("Handbook", ("Leave", "Sick leave"), "Handbook > Leave > Sick leave"),
        ("Handbook", ("Handbook", "Leave"), "Handbook > Leave"),
        ("", ("Leave",), "Leave"),
        ("Handbook", (), "Handbook"),
        ("", (), ""),
    ],
)
def test_a_place_is_the_title_and_the_headings_each_once(title: str, headings: tuple[str, ...], place: str) -> None:
    assert place_of(title, headings) == place
    assert searched_place(title, headings, "en", front=False) == place


def test_a_title_page_is_searched_by_what_people_ask_for_it_by() -> None:
    place = searched_place("Handbook", (), "en", front=True)
    assert place.startswith("Handbook > ")
    assert searched_place("Handbook", (), "xx", front=True) == "Handbook"
    assert {"author", "editor", "date", "version"} <= set(place.replace(",", "").split())


@pytest.mark.parametrize("language", known_languages())
def test_every_known_language_has_words_for_a_title_page(language: str) -> None:
    words = language_of(language).title_page
    assert words
    assert searched_place("", ("A",), language, front=True) == f"A > {words}"
    assert searched_place("", (), language, front=True) == words
