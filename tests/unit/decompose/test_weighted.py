"""The weighted query: the last turn, and beside it the history by age."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.query import WeightedQuery
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.query.formulation import TERM_WEIGHT, weighted_query
from tests.unit.decompose.conversations import conversation


def terms(query: WeightedQuery) -> dict[str, float]:
    return {term.term: term.weight for term in query.terms}


def test_earlier_user_turns_weigh_less_with_each_turn_that_they_are_older() -> None:
    window = conversation("wide river", "deep lake", "tall tree")
    query = weighted_query("old house", window)
    assert terms(query) == {"tall tree": 0.4, "deep lake": 0.2, "wide river": 0.1}
    assert query.text == "old house"


def test_a_question_that_was_asked_back_counts_in_full_beside_the_turn_that_answers() -> None:
    window = HistoryWindow((Exchange("What does it weigh?", "What is “it”?", asked_back=True),))
    query = weighted_query("Curiosity", window)
    assert terms(query) == {"What does it weigh?": 1.0}
    assert [(text.text, text.weight) for text in query.texts] == [("What does it weigh?", 1.0)]


def test_an_answer_whose_passages_are_known_is_searched_beside_them_and_not_beside_its_text() -> None:
    window = HistoryWindow((Exchange("one?", "First."), Exchange("two?", "Second.", found_passages=True)))
    query = weighted_query("why?", window)
    assert query.recalls_passages
    assert [text.text for text in query.texts] == ["First."]
    assert not weighted_query("why?", conversation(("one?", "First."))).recalls_passages


def test_answers_add_their_embedding_and_a_little_of_their_question_is_taken_out() -> None:
    query = weighted_query("why?", conversation(("one?", "First."), ("two?", "Second.")))
    assert [text.text for text in query.texts] == ["Second.", "two?", "First."]
    assert [text.weight for text in query.texts] == pytest.approx([0.5, -0.1, 0.2])


def test_older_answers_are_not_embedded() -> None:
    talk = conversation(("one?", "First."), ("two?", "Second."), ("three?", "Third."))
    assert [text.text for text in weighted_query("why?", talk).texts] == ["Third.", "three?", "Second."]


def test_without_a_history_the_query_is_plain() -> None:
    assert weighted_query("Who built it?", HistoryWindow()) == WeightedQuery("Who built it?")


def test_an_unanswered_turn_adds_no_empty_text() -> None:
    assert [text.text for text in weighted_query("why?", conversation("one?")).texts] == ["one?"]


TEXTS = st.text(st.sampled_from("abc d"), max_size=12)


@given(TEXTS, st.lists(st.builds(Exchange, TEXTS.filter(str.strip), TEXTS), max_size=8))
def test_every_question_of_the_history_is_searched_with_a_positive_weight(turn: str, exchanges: list[Exchange]) -> None:
    query = weighted_query(turn, HistoryWindow(tuple(exchanges)))
    questions = [exchange.question for exchange in reversed(exchanges)]
    assert [term.term for term in query.terms] == questions
    assert all(0 < term.weight <= TERM_WEIGHT for term in query.terms)
    assert query.text == turn
