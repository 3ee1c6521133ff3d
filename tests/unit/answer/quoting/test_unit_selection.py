"""Which pieces an answer quotes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.evidence import Reference
from libs.contracts.spans import Span
from services.answer.quoting.unit_selection import OPENED, ScoredUnit, choose_units, score_units
from services.answer.quoting.whole_units import WholeUnits
from tests.unit.answer.quoting.asking import COMMON, query, reference_to, units_of


def selection(question: str, *references: Reference, words: int = 100) -> list[str]:
    return [unit.text for unit in choose_units(score_units(query(question), units_of(*references)), words)]


def scores(question: str, *references: Reference) -> dict[str, float]:
    return {s.unit.text: s.score for s in score_units(query(question), units_of(*references))}


def test_the_piece_with_the_rare_words_of_the_question_comes_first() -> None:
    text = "The mill is open. The mill grinds barley at night. The mill is old."
    assert selection("When does the mill grind barley?", reference_to(text))[0] == "The mill grinds barley at night."


def test_a_word_that_is_everywhere_tells_less_than_a_rare_one() -> None:
    rarities = {"mill": COMMON, "barley": 0.9}
    ranking = score_units(
        query("mill barley", rarities), units_of(reference_to("The mill is old. Barley is sown in May."))
    )
    assert ranking[0].unit.text == "Barley is sown in May."


def test_of_equal_pieces_that_of_the_better_ranked_passage_comes_first() -> None:
    first, second = reference_to("The mill burned in 1902.", "a"), reference_to("The mill burned in 1911.", "b", rank=2)
    assert selection("When did the mill burn?", first, second) == [
        "The mill burned in 1902.",
        "The mill burned in 1911.",
    ]


def test_words_of_the_headings_count_for_every_piece_below_them() -> None:
    ranking = scores(
        "How long is sick leave?",
        reference_to("Five days.", "a", headings=("Sick leave",)),
        reference_to("Five days!", "b"),
    )
    assert ranking["Five days."] > ranking["Five days!"]


@pytest.mark.parametrize("question", ["How many bells hang in the tower?", "When were the bells of the tower hung?"])
def test_for_a_number_or_a_time_a_piece_that_tells_one_comes_first(question: str) -> None:
    text = "Bells hang in the tower of old. The tower has had 6 bells since 1911."
    assert selection(question, reference_to(text))[0] == "The tower has had 6 bells since 1911."


def test_what_scores_much_less_than_the_best_piece_is_left_out() -> None:
    good, poor = reference_to("The mill grinds barley.", "a"), reference_to("Ships sail.", "b", rank=6)
    assert selection("Does the mill grind barley?", good, poor) == ["The mill grinds barley."]


@pytest.mark.parametrize(("rank", "is_quoted"), [(1, True), (2, False)])
def test_a_sentence_whose_other_half_no_passage_has_is_quoted_only_near_the_best(rank: int, is_quoted: bool) -> None:
    half = reference_to("Otherwise the mill grinds barley.", "a", rank=rank)
    half = replace(half, evidence=replace(half.evidence, passage=replace(half.evidence.passage, span=Span(50, 83))))
    whole = reference_to("The mill grinds barley.", "b", rank=3 - rank, fused_score=0.7)
    assert ("Otherwise the mill grinds barley." in selection("mill barley", whole, half)) is is_quoted


def test_the_same_words_stand_once() -> None:
    first, second = (reference_to("The mill burned in 1902.", name, rank=rank) for rank, name in enumerate("ab", 1))
    assert selection("When did the mill burn?", first, second) == ["The mill burned in 1902."]


def test_the_best_piece_stands_even_where_it_is_longer_than_asked_for() -> None:
    long = "The mill " + "grinds barley and " * 20 + "sleeps."
    assert selection("Does the mill grind barley?", reference_to(long), words=5) == [long]


def test_a_later_sentence_comes_with_its_paragraph_from_the_beginning() -> None:
    text = "A walk is held in May.\n\nThe mill is old. Its owner lives in Riga. It grinds barley."
    assert selection("barley", reference_to(text))[:3] == [
        "It grinds barley.",
        "The mill is old.",
        "Its owner lives in Riga.",
    ]


def test_a_later_sentence_whose_paragraph_is_too_long_is_left_out_beside_a_better_one() -> None:
    mill, rye = (
        "The mill grinds barley.",
        f"{'The rye is sown in autumn by all of us. ' * 20}Rye makes good barley bread.",
    )
    assert selection("mill barley", reference_to(mill, "a"), reference_to(rye, "b", rank=2), words=40) == [mill]


def test_a_passage_within_a_section_comes_with_the_end_of_the_one_before_if_it_leans_on_it() -> None:
    before, after = "The mill is old.", "This is why it is shut for barley."
    first = reference_to(before, "d", headings=("Mills",), rank=2)
    second = reference_to(after, "d", headings=("Mills",))
    places = Span(0, len(before)), Span(len(before) + 2, len(before) + 2 + len(after))
    references = [
        replace(each, evidence=replace(each.evidence, passage=replace(each.evidence.passage, span=place)))
        for each, place in zip((first, second), places, strict=True)
    ]
    assert selection("Is it shut for barley?", *references)[:2] == [after, before]


@given(st.lists(st.integers(1, 12), min_size=1, max_size=8), st.integers(1, 60))
def test_but_for_the_best_piece_there_are_few_more_words_than_asked_for(lengths: list[int], words: int) -> None:
    text = " ".join(f"Mill{n} {'grain ' * length}stands." for n, length in enumerate(lengths))
    scored_units: list[ScoredUnit] = score_units(query("grain"), units_of(reference_to(text)))
    selection_of_units = choose_units(scored_units, words)
    best = WholeUnits(units_of(reference_to(text))[0]).least(scored_units[0].unit)
    is_short = sum(unit.words for unit in selection_of_units) <= words * OPENED
    assert is_short or {unit.place for unit in selection_of_units} == {unit.place for unit in best}
