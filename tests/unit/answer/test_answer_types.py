"""What a sentence holds of the wanted kind."""

import pytest

from services.answer.answer_types import REGULAR, holds_answer_type, holds_date
from services.answer.question import read_question

WHEN = read_question("When are expense reports paid?", language="en")


@pytest.mark.parametrize("sentence", ["They were paid on 3 May 2026.", "It opened in March.", "NEWS OF MAY 2024"])
def test_a_month_tells_when(sentence: str) -> None:
    assert holds_answer_type(WHEN, sentence, language="en") == 1.0


@pytest.mark.parametrize(
    "sentence",
    [
        "Approved reports are paid on the 15th.",
        "Reports are paid on the last day of each month.",
        "Come every Tuesday.",
        "The help desk is open from 8 am to 6 pm.",
        "Submit them within 30 days.",
        "Ask two weeks in advance.",
        "It is cleaned daily.",
    ],
)
def test_what_comes_again_or_lies_so_far_from_something_tells_when_too(sentence: str) -> None:
    assert holds_answer_type(WHEN, sentence, language="en") == REGULAR


def test_a_time_of_day_does_not_tell_when_something_happened() -> None:
    question = read_question("When did the Eagle land?", language="en")
    assert holds_answer_type(question, "It landed at 20:17 universal time.", language="en") == 0.0
    assert holds_answer_type(question, "It landed on 20 July 1969.", language="en") == 1.0


@pytest.mark.parametrize(
    "sentence",
    [
        "Hotels may cost at most 140 euros a night.",
        "They march 20 miles.",
        "Meals are reimbursed with a daily allowance of 28 euros.",
        "A carton mars 12 pages.",
    ],
)
def test_words_that_only_look_like_a_time_do_not(sentence: str) -> None:
    assert holds_answer_type(WHEN, sentence, language="en") == 0.0
    assert not holds_date(sentence, language="en")
