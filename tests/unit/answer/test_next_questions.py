"""Questions to ask next are taken off a model's text, wherever its pieces are cut."""

import pytest

from services.answer.writing.pieces import Piece, SentenceBegins, Sign
from services.answer.writing.text_reader import LONGEST, TextReader

ANSWER = "Mariner 9 reached Mars in 1971 [1].\n\n- NASA built it. [2]\n- Next came Viking. [2]"
BELOW = "\nNEXT: Who built Mariner 9?\nNEXT: When did Viking 1 land?\n"
QUESTIONS = ("Who built Mariner 9?", "When did Viking 1 land?")


def read(text: str, size: int, count: int = 3) -> tuple[str, tuple[str, ...]]:
    """What is shown of a text in pieces of `size` characters, and the questions."""
    reader = TextReader("en", count)
    signs = [sign for start in range(0, len(text), size) for sign in reader.read(text[start : start + size])]
    shown = [_shown(sign) for sign in (*signs, *reader.finish())]
    return "".join(shown).lstrip("\n"), reader.questions()


def _shown(sign: Sign) -> str:
    if isinstance(sign, SentenceBegins):
        return sign.gap + sign.lead
    return sign.text if isinstance(sign, Piece) else ""


SHOWN = "Mariner 9 reached Mars in 1971.\n\n- NASA built it.\n- Next came Viking."


@pytest.mark.parametrize("size", [*range(1, 12), 40, 1000])
def test_the_answer_ends_where_the_first_one_begins(size: int) -> None:
    answer, questions = read(ANSWER + BELOW, size)
    assert (answer, questions) == (SHOWN, QUESTIONS)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("text", [SHOWN, "NEX", "NEXT", "Is it NEXT: the end?", "a\n\nNEXTEL: b", "", "N"])
def test_a_text_without_any_is_shown_whole(size: int, text: str) -> None:
    assert read(text, size) == (text, ())


@pytest.mark.parametrize("mark", ["NEXT:", "NEXT: ", "- NEXT: ", "**NEXT:** ", "1. NEXT: ", "> NEXT:\n"])
@pytest.mark.parametrize("size", [1, 1000])
def test_models_dress_the_mark(mark: str, size: int) -> None:
    answer, questions = read(f"It did.\n{mark}Who built it?", size)
    assert (answer.strip(), questions) == ("It did.", ("Who built it?",))


def test_one_mark_may_stand_for_several_lines() -> None:
    assert read("It did.\nNEXT: Who built it?\n- Who paid for it?\n", 5)[1] == ("Who built it?", "Who paid for it?")


def test_each_is_told_once_and_no_more_than_are_wanted() -> None:
    text = "It did.\nNEXT: Who?\nNEXT: Who?\nNEXT: Where?\nNEXT: When?"
    assert read(text, 4, count=2)[1] == ("Who?", "Where?")


def test_what_is_no_question_is_none() -> None:
    assert read(f"It did.\nNEXT: I hope this helps!\nNEXT: {'a' * LONGEST}?\nNEXT: Wer hat es gebaut?", 9)[1] == (
        "Wer hat es gebaut?",
    )


def test_nothing_is_taken_off_where_none_is_wanted() -> None:
    answer, questions = read(ANSWER + BELOW, 5, count=0)
    assert ("NEXT: Who built Mariner 9?" in answer, questions) == (True, ())
