"""Where a passage stands is searched and embedded with it."""

import pytest

from libs.documents.markdown import parse_markdown
from libs.language.files import known_languages
from libs.language.known import language_of
from services.retrieve.corpus.feed import TextPassage
from services.retrieve.indexing.passage import place_of, searched_place
from services.retrieve.indexing.passages import cut_passages
from services.retrieve.search.engine_queries import indexed_terms


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


def test_a_heading_is_found_with_the_words_below_it_whatever_anchor_it_carries() -> None:
    text = "# Moves {#moves}\n\n## Teleport {#teleport}\n\nIt takes no time at all."
    structure = parse_markdown(text)
    (passage,) = cut_passages(text, structure, 800, language="en")
    headings = structure.headings(passage.section)
    assert headings == ("Moves", "Teleport")
    place = searched_place("Moves", headings, "en", front=False)
    terms = indexed_terms(TextPassage(1, 1, place, passage.of(text), "en", (), None, None))
    assert terms[:2] == ["move", "teleport"]
    assert "time" in terms


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
