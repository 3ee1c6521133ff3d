"""The mark by which a writer says that there is no answer is never shown."""

import pytest

from services.answer.writing.sending import MARK, NoAnswerDetector


def read(*pieces: str) -> tuple[str, bool]:
    opening = NoAnswerDetector()
    text = "".join([opening.read(piece) for piece in pieces]) + opening.finish()
    return text, opening.is_mark


@pytest.mark.parametrize("offset", range(len(MARK) + 1))
def test_the_mark_is_known_wherever_it_is_cut(offset: int) -> None:
    assert read(MARK[:offset], MARK[offset:]) == ("", True)


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
    opening = NoAnswerDetector()
    assert opening.read("NO") == ""
    assert opening.read("RTH of here") == "NORTH of here"
    assert opening.read(" NO ANSWER") == " NO ANSWER"
