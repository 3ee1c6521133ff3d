"""What a printer put on every page is no part of a plain text; what only looks like it is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.documents.furniture import is_contents, without_page_furniture
from tests.unit.documents.printed import BODIES, RFC, printed


def test_heads_feet_and_form_feeds_are_taken_out() -> None:
    text = without_page_furniture(RFC)
    assert "[Page" not in text
    assert "November 2031" not in text
    assert "\f" not in text
    assert "".join(text.split()) == "".join("".join(BODIES).split())


def test_a_paragraph_that_a_page_break_divided_is_whole_again() -> None:
    assert "bought or found in\n   a shop.  It is called GARD." in without_page_furniture(RFC)


def test_a_page_break_between_paragraphs_stays_a_break() -> None:
    assert "Fern        50      300\n\n   An order looks like this:" in without_page_furniture(RFC)


def test_pages_that_bear_a_number_alone_lose_it() -> None:
    bodies = [
        f"Page {word} says this much and no more than that.\n" for word in ("one", "two", "three", "four", "five")
    ]
    text = without_page_furniture(printed(bodies, "A report", "                 - # -"))
    assert re.findall(r"- \d+ -|A report", text) == []
    assert text.count("says this much") == 5


@pytest.mark.parametrize("foot", ["[Page #]", "Bericht 2031, Seite #", "Rapport, page #", "第 # 页", "Отчёт, стр. #"])
def test_a_page_is_named_in_any_known_language(foot: str) -> None:
    bodies = [f"It says {word} and no more.\n" for word in ("one", "two", "three", "four", "five")]
    text = without_page_furniture(printed(bodies, "", foot))
    assert [line for line in text.split("\n") if line.strip()] == [body.strip() for body in bodies]


def test_a_text_without_pages_stays_as_it_is() -> None:
    text = "A line.\n\nAnother line of 12.\n\n\nA third one.\n"
    assert without_page_furniture(text) == text


@pytest.mark.parametrize("heading", ["Article {}", "UID:uid{}@example.com", "[Figure {}]"])
def test_what_is_numbered_within_the_text_is_no_page_number(heading: str) -> None:
    bodies = ["It holds.", "It holds for all.\n" * 9, "Nobody may ask why.\n" * 4, "So be it.\n" * 30, "The end."]
    text = "\n\n".join(f"{heading.format(number)}\n\n{body}\n\n\n" for number, body in enumerate(bodies, start=1))
    assert without_page_furniture(text) == text


def test_contents_are_told_by_pages_that_grow_behind_dots_or_a_gap() -> None:
    assert is_contents(["1. Start ........ 3", "2. Middle ....... 9", "3. End ......... 12"])
    assert is_contents(["  1.  Start . . . . . .  3", "  2.  Middle  . . . . .  9", "  A.  End . . . . . . . 12"])
    assert is_contents(["Preface\tiv", "Start\t3", "The middle\t9", "End\t12"])
    assert is_contents(["1.1  Start   3", "1.2  Middle   9", "2    End   12"])


def test_a_table_of_numbers_is_no_table_of_contents() -> None:
    assert not is_contents(["Plant\tLeast\tMost", "Cactus\t1\t20", "Fern\t50\t300"])
    assert not is_contents(["Plant     Most", "Cactus      20", "Fern       300", "Palm       500"])
    assert not is_contents(["Cactus\t1\t20", "Fern\t50\t300", "Palm\t60\t500"])
    assert not is_contents(["1990   12", "1991   15", "1992   18"])
    assert not is_contents(["Low\t1.5", "Middle\t2.5", "High\t3.5"])
    assert not is_contents(["Soup ........ 9", "Steak ....... 24", "Ice ......... 5"])


@given(st.lists(st.text(alphabet="ab .,[-", max_size=12), max_size=40).map("\n".join))
def test_a_text_without_a_number_stays_as_it_is(text: str) -> None:
    assert without_page_furniture(text) == text


@given(st.lists(st.integers(5, 40), min_size=4, max_size=9))
def test_pages_of_any_length_lose_their_number_and_nothing_else(lengths: list[int]) -> None:
    words = iter("a" * length for length in range(1, sum(lengths) + 1))
    pages = [[next(words) for _ in range(length)] for length in lengths]
    text = "\n".join("\n".join([*page, f"[Page {number}]"]) for number, page in enumerate(pages, start=1))
    assert without_page_furniture(text).split() == [word for page in pages for word in page]
