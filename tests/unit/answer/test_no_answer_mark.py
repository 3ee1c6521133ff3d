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


@pytest.mark.parametrize("text", ["**NO ANSWER**", "NO ANSWER. The items tell of dogs.", ' "NO ANSWER"'])
def test_what_stands_around_the_mark_goes_with_it(text: str) -> None:
    assert read(*text) == ("", True)


@pytest.mark.parametrize("text", ["NO", "No answer came.", "NO ANS", "NOBODY knows.", "", "Yes."])
def test_anything_else_is_text(text: str) -> None:
    assert read(*text) == (text, False)


def test_text_goes_on_as_soon_as_it_cannot_be_the_mark() -> None:
    opening = NoAnswerDetector()
    assert opening.read("NO") == ""
    assert opening.read("RTH of here") == "NORTH of here"
    assert opening.read(" NO ANSWER") == " NO ANSWER"
