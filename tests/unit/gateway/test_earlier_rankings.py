"""Which of the earlier turns a search recalls."""

import pytest

from gateway.session.conversation import earlier_rankings, view_of
from libs.contracts.answers import Answer
from libs.contracts.conversation import TurnKind, TurnReading
from libs.contracts.evidence import RankedPassage
from libs.contracts.session import Outcome, SessionContext, Turn

QUESTION, CORRECTION = (
    TurnReading("en", TurnKind.QUESTION, "And then?"),
    TurnReading("en", TurnKind.CORRECTION, "Then?"),
)
FORM = TurnReading("en", TurnKind.FORM)


def turn(passage: str, reading: TurnReading = QUESTION, outcome: Outcome = Outcome.ANSWERED) -> Turn:
    """A turn that found one passage."""
    answer = Answer("It landed.")
    return Turn("q", "Then?", answer=answer, outcome=outcome, reading=reading, ranking=(RankedPassage(passage, 1.0),))


def recalled(*turns: Turn, reading: TurnReading = QUESTION) -> list[str]:
    """The passages that a turn of a reading recalls after these."""
    rankings = earlier_rankings(view_of(SessionContext(turns=turns)), reading)
    return [passage.passage_id for ranking in rankings for passage in ranking.passages]


@pytest.mark.parametrize(
    "latest", [turn("c", outcome=Outcome.ABSTAINED), turn("c", FORM)], ids=["nothing answered it", "of another form"]
)
def test_a_turn_without_an_answer_of_its_own_leaves_nothing_and_counts_as_none(latest: Turn) -> None:
    assert recalled(turn("a"), turn("b"), latest) == ["b", "a"]


def test_a_question_in_place_of_the_latest_recalls_the_ones_before_that() -> None:
    assert recalled(turn("a"), turn("b"), reading=CORRECTION) == ["a"]
    assert recalled(turn("a"), turn("b"), turn("c", FORM), reading=CORRECTION) == ["a"]
    assert recalled(turn("a"), turn("b", outcome=Outcome.ABSTAINED), reading=CORRECTION) == ["a"]
