"""Words of a document are found again on the page of its file."""

import time

from libs.contracts.spans import Span
from services.retrieve.pages.finding import find_words


def found(page: str, text: str, words: str) -> str:
    start = text.index(words)
    return "".join(page[place] for place in find_words(page, text, Span(start, start + len(words))))


def test_letters_count_and_not_what_is_between_them() -> None:
    page, text = "It closes infor-\r\nmally, at one.", "It closes informally, at one."
    assert found(page, text, "informally, at") == "informallyat"
    assert found("The \ufb01nal CAF\u00c9", "the final cafe\u0301", "final cafe\u0301") == "\ufb01\ufb01nalCAF\u00c9"


def test_of_equal_words_those_with_the_same_neighbours_are_meant() -> None:
    page = "Oak 20 metres\r\nAsh 20 metres\r\n"
    places = find_words(page, "| Ash | 20 |", Span(8, 10))
    assert [place - page.index("Ash") for place in places] == [4, 5]


def test_a_part_of_the_words_is_found_where_a_page_ends_and_nothing_on_another() -> None:
    text = "Long ago the valve was made of wood, then of lead, and later of steel."
    assert found("Long ago the valve was made of wood,\r\n12", text, text) == "Longagothevalvewasmadeofwood"
    assert found("Another page.", text, text) == ""


def test_words_that_nearly_repeat_take_no_longer() -> None:
    start, text = time.process_time(), 2000 * f"{15 * 'a'}b"
    assert find_words(50_000 * "a", text, Span(0, len(text))) == []
    assert time.process_time() - start < 0.5
