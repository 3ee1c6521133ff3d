"""The weighted query: the last turn, and beside it the history by age."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.decompose.history import Exchange, Window
from services.decompose.weighted import HistoryWeights, weighted_query
from services.text.tokens import content_stems, stem
from services.vocabulary.query import WeightedQuery
from tests.unit.decompose.conversations import conversation

WEIGHTS = HistoryWeights()


def terms(query: WeightedQuery) -> dict[str, float]:
    return {term.term: term.weight for term in query.terms}


def test_words_of_earlier_user_turns_weigh_less_with_each_turn_that_they_are_older() -> None:
    window = conversation("wide river", "deep lake", "tall tree")
    query = weighted_query("old house", window, WEIGHTS)
    assert terms(query) == {"tall": 0.4, "tree": 0.4, "deep": 0.2, "lake": 0.2, "wide": 0.1, "river": 0.1}
    assert query.text == "old house"


def test_a_word_of_several_turns_has_its_greatest_weight_and_one_of_the_last_turn_none() -> None:
    query = weighted_query("How do refunds work?", conversation("refund window", "window seats", "seats"), WEIGHTS)
    assert terms(query) == {"seats": 0.4, "window": 0.2}


def test_answers_add_their_embedding_and_a_little_of_their_question_is_taken_out() -> None:
    query = weighted_query("why?", conversation(("one?", "First."), ("two?", "Second.")), WEIGHTS)
    assert [text.text for text in query.texts] == ["Second.", "two?", "First.", "one?"]
    assert [text.weight for text in query.texts] == pytest.approx([0.5, -0.1, 0.2, -0.04])


def test_without_a_history_the_query_is_plain() -> None:
    assert weighted_query("Who built it?", Window(), WEIGHTS) == WeightedQuery("Who built it?")


def test_an_unanswered_turn_adds_no_empty_text() -> None:
    assert [text.text for text in weighted_query("why?", conversation("one?"), WEIGHTS).texts] == ["one?"]


TEXTS = st.text(st.sampled_from("abc d"), max_size=12)


@given(TEXTS, st.lists(st.builds(Exchange, TEXTS, TEXTS), max_size=8))
def test_every_word_of_the_history_that_the_turn_lacks_occurs_once_with_a_positive_weight(
    turn: str, exchanges: list[Exchange]
) -> None:
    query = weighted_query(turn, Window(tuple(exchanges)), WEIGHTS)
    stems = [stem(term.term) for term in query.terms]
    said = {word for exchange in exchanges for word in content_stems(exchange.question)}
    assert sorted(stems) == sorted(said - set(content_stems(turn)))
    assert all(0 < term.weight <= WEIGHTS.term for term in query.terms)
    assert query.text == turn
