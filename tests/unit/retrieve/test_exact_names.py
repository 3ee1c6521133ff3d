"""The exact name asked for comes before a longer one that contains it."""

import pytest

from libs.contracts.evidence import Passage
from services.retrieve.search.exact_names import exact_first


def passage(text: str, title: str = "") -> Passage:
    return Passage(f"{text}#0", text, text, title=title, language="en")


PRO = passage("The AX-200 Pro takes 5.2 bar.")
OTHER = passage("Pumps are heavy.")
PLAIN = passage("The AX-200 takes 3.2 bar.")


@pytest.mark.parametrize("question", ["Maximum pressure of the AX-200?", "What does the AX200 take?"])
def test_a_passage_with_the_exact_name_goes_before_those_with_a_longer_one_only(question: str) -> None:
    assert exact_first([PRO, OTHER, PLAIN, None], question) == [2, 1, 0, 3]


def test_a_title_may_have_the_name_and_both_names_may_stand_in_a_text() -> None:
    titled = passage("It takes 3.2 bar.", title="AX-200")
    both = passage("The AX-200 is quieter than the AX-200 Pro.")
    assert exact_first([PRO, titled, both], "Maximum pressure of the AX-200?") == [1, 2, 0]


@pytest.mark.parametrize("question", ["Maximum pressure of the AX-200 Pro?", "maximum pressure of the ax-200 pro"])
def test_a_longer_name_that_is_asked_for_goes_before_the_shorter_one(question: str) -> None:
    assert exact_first([PLAIN, OTHER, PRO], question) == [2, 1, 0]


def test_a_number_belongs_to_the_word_before_it() -> None:
    fits = [passage("The TermoLine 40 Pro is loud."), passage("The TermoLine 40 is quiet.")]
    assert exact_first(fits, "How loud is the TermoLine 40?") == [1, 0]
    assert exact_first(fits, "How loud was it in 40?") == [0, 1]


@pytest.mark.parametrize("question", ["Which pump is heavy?", "Maximum pressure of the BX-200?", ""])
def test_other_questions_leave_the_order_as_it_is(question: str) -> None:
    assert exact_first([PRO, OTHER, PLAIN], question) == [0, 1, 2]
