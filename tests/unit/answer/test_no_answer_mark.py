"""The mark by which a writer says that there is no answer is never shown."""

from collections.abc import Iterable

import pytest

from services.answer.writing.pieces import Piece, Sign
from services.answer.writing.text_reader import NO_ANSWER, TextReader


def words(signs: Iterable[Sign]) -> str:
    return "".join(sign.text for sign in signs if isinstance(sign, Piece))


def read(*pieces: str) -> tuple[str, bool]:
    reader = TextReader("en")
    text = "".join([words(reader.read(piece)) for piece in pieces]) + words(reader.finish())
    return text, reader.finds_no_answer


@pytest.mark.parametrize("offset", range(len(NO_ANSWER) + 1))
def test_the_mark_is_known_wherever_it_is_cut(offset: int) -> None:
    assert read(NO_ANSWER[:offset], NO_ANSWER[offset:]) == ("", True)


@pytest.mark.parametrize(
    ("text", "is_mark"),
    [
        ("**NO ANSWER**", True),
        ("NO ANSWER. The items tell of dogs.", True),
        (' "NO ANSWER"', True),
        ("NO", False),
        ("No answer came.", False),
        ("NO ANS", False),
        ("NOBODY knows.", False),
        ("", False),
        ("Yes.", False),
    ],
)
def test_the_mark_and_what_stands_around_it_is_no_text(text: str, is_mark: bool) -> None:
    assert read(*text) == ("" if is_mark else text, is_mark)


def test_text_goes_on_as_soon_as_it_cannot_be_the_mark() -> None:
    reader = TextReader("en")
    assert words(reader.read("NO")) == ""
    assert words(reader.read("RTH of here ")) == "NORTH of here"
    assert words(reader.read("NO ANSWER ")) == " NO ANSWER"
    assert not reader.finds_no_answer


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("NO ANSWER\nSEARCH: tower height", "tower height"),
        ("**NO ANSWER**\n**SEARCH:** tower height\nand more", "tower height"),
        ("NO ANSWER. SEARCH: “tower height”.", "tower height"),
        ("NO ANSWER", ""),
        ("NO ANSWER\nSEARCH:", ""),
        ("The tower is high.\nSEARCH: tower height", ""),
    ],
)
def test_what_to_search_for_instead_is_told_below_the_mark(text: str, query: str) -> None:
    reader = TextReader("en")
    assert words(reader.read(text)).count("SEARCH") == text.count("SEARCH") * (not query and "The" in text)
    assert reader.wanted_search == query
