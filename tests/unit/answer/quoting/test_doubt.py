"""Whether the evidence holds an answer."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.evidence import EngineScores, Reference
from services.answer.quoting.doubt import closeness, doubt_of
from services.answer.quoting.terms import QuotingQuery
from tests.unit.answer.quoting.asking import COMMON, UNSEEN, query, reference_to, terms, units_of

MILL = "The water mill of Harrow grinds barley. It has 2 wheels since 1911."


def doubt(question: QuotingQuery, *references: Reference) -> float:
    units = [unit for passage_units in units_of(*references) for unit in passage_units]
    return doubt_of(question, references[0].evidence.scores, units)


def test_a_close_passage_with_the_questions_words_leaves_little_doubt() -> None:
    assert doubt(query("Does the mill of Harrow grind barley?"), reference_to(MILL)) < 0.1


def test_words_that_no_piece_has_bring_doubt() -> None:
    whole, half = query("Does the mill grind barley?"), query("Does the mill brew cider for sailors?")
    assert doubt(whole, reference_to(MILL)) < 0.5 < doubt(half, reference_to(MILL))


def test_a_rare_word_that_is_missing_brings_more_doubt_than_a_common_one() -> None:
    rare, common = (query("mill barley cider", {"cider": rarity}) for rarity in (0.9, COMMON))
    assert doubt(rare, reference_to(MILL)) > doubt(common, reference_to(MILL))


def test_a_far_passage_brings_doubt_even_where_it_has_the_words() -> None:
    question = query("Does the mill grind barley?")
    assert doubt(question, reference_to(MILL, fused_score=0.95)) < doubt(question, reference_to(MILL, fused_score=0.3))


def test_words_of_several_pieces_do_not_add_up() -> None:
    apart, together = reference_to("The mill is old. Barley is sown."), reference_to("The mill grinds barley.")
    assert doubt(query("mill barley"), apart) > doubt(query("mill barley"), together)


def test_the_measure_that_a_question_names_is_no_word_that_could_be_missing() -> None:
    match = reference_to("The wheel of Harrow has a mass of 400 kilograms.")
    assert doubt(query("How heavy is the wheel of Harrow?"), match) < 0.1


def test_a_name_that_the_whole_collection_lacks_speaks_against_an_answer() -> None:
    known_name, unknown_name = (
        query("Does Verdi grind barley in the mill?", {"verdi": rarity}) for rarity in (0.9, UNSEEN)
    )
    assert doubt(unknown_name, reference_to(MILL)) > doubt(known_name, reference_to(MILL)) + 0.1


def test_what_was_not_looked_for_in_the_whole_collection_counts_as_no_unseen_name() -> None:
    question = query("Does Verdi grind barley in the mill?", {"verdi": UNSEEN})
    assert doubt(replace(question, whole_index=False), reference_to(MILL)) < doubt(question, reference_to(MILL))


def test_a_follow_up_of_few_words_is_doubted_less_than_the_same_words_alone() -> None:
    alone = query("And the cider?")
    following = QuotingQuery("And the cider?", "en", (*alone.terms, *terms("mill barley", weight=0.4)))
    assert doubt(following, reference_to(MILL)) < doubt(alone, reference_to(MILL))


@pytest.mark.parametrize(
    ("scores", "close"),
    [
        (EngineScores(vector=0.6, fused=0.8), 0.8),
        (EngineScores(vector=0.6, fused=0.02), 0.6),
        (EngineScores(vector=0.6, rerank=0.9, fused=0.9), 0.6),
        (EngineScores(lexical=3.0, fused=0.2), 0.8),
    ],
)
def test_closeness_is_the_cosine_and_what_words_add_to_it(scores: EngineScores, close: float) -> None:
    assert closeness(scores) == pytest.approx(close)


@given(st.text(max_size=60), st.text(max_size=120), st.floats(0, 2))
def test_doubt_is_a_share_whatever_comes(question: str, text: str, fused_score: float) -> None:
    assert 0 <= doubt(query(question), reference_to(text, fused_score=fused_score)) <= 1
