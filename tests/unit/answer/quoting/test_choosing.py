"""Which pieces an answer quotes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.evidence import Reference
from services.answer.quoting.choosing import ScoredUnit, choose_units, score_units
from services.answer.quoting.units import count_words
from tests.unit.answer.quoting.asking import COMMON, asked, found, units_of


def chosen(question: str, *references: Reference, words: int = 100) -> list[str]:
    return [s.unit.text for s in choose_units(score_units(asked(question), units_of(*references)), words)]


def scores(question: str, *references: Reference) -> dict[str, float]:
    return {s.unit.text: s.score for s in score_units(asked(question), units_of(*references))}


def test_the_piece_with_the_rare_words_of_the_question_comes_first() -> None:
    text = "The mill is open. The mill grinds barley at night. The mill is old."
    assert chosen("When does the mill grind barley?", found(text))[0] == "The mill grinds barley at night."


def test_a_word_that_is_everywhere_tells_less_than_a_rare_one() -> None:
    rarities = {"mill": COMMON, "barley": 0.9}
    told = score_units(asked("mill barley", rarities), units_of(found("The mill is old. Barley is sown in May.")))
    assert told[0].unit.text == "Barley is sown in May."


def test_of_equal_pieces_that_of_the_better_ranked_passage_comes_first() -> None:
    first, second = found("The mill burned in 1902.", "a"), found("The mill burned in 1911.", "b", rank=2)
    assert chosen("When did the mill burn?", first, second) == ["The mill burned in 1902.", "The mill burned in 1911."]


def test_words_of_the_headings_count_for_every_piece_below_them() -> None:
    told = scores(
        "How long is sick leave?", found("Five days.", "a", headings=("Sick leave",)), found("Five days!", "b")
    )
    assert told["Five days."] > told["Five days!"]


def test_what_is_announced_comes_with_the_line_that_announces_it() -> None:
    text = "To renew the permit you need:\n\n- a photo\n- the old card\n\nThe office is closed on Mondays."
    assert chosen("What do I need to renew the permit?", found(text), words=14)[:3] == [
        "To renew the permit you need:",
        "- a photo",
        "- the old card",
    ]


def test_a_short_list_is_quoted_whole() -> None:
    text = "- a photo for the permit\n- the old card\n- 12 euros\n\nOther words stand here, too."
    assert chosen("Which photo is for the permit?", found(text), words=14)[:3] == [
        "- a photo for the permit",
        "- the old card",
        "- 12 euros",
    ]


def test_of_a_long_list_the_beginning_of_each_item_is_quoted() -> None:
    tail = "It also does a lot of other things that take many more words to tell than there is room for here."
    text = "The parts of the engine are:\n\n" + "\n".join(
        f"- {name} comes first here. {tail}" for name in ("Alpha", "Beta", "Gamma", "Delta")
    )
    quoted = chosen("Which parts does the engine have?", found(text), words=30)
    assert quoted[1:] == [f"- {name} comes first here." for name in ("Alpha", "Beta", "Gamma", "Delta")]


@pytest.mark.parametrize("question", ["How many bells hang in the tower?", "When were the bells of the tower hung?"])
def test_for_a_number_or_a_time_a_piece_that_tells_one_comes_first(question: str) -> None:
    text = "Bells hang in the tower of old. The tower has had 6 bells since 1911."
    assert chosen(question, found(text))[0] == "The tower has had 6 bells since 1911."


def test_what_scores_much_less_than_the_best_piece_is_left_out() -> None:
    good, poor = found("The mill grinds barley.", "a"), found("Ships sail.", "b", rank=6)
    assert chosen("Does the mill grind barley?", good, poor) == ["The mill grinds barley."]


def test_the_same_words_stand_once() -> None:
    same = [found("The mill burned in 1902.", name, rank=rank) for rank, name in enumerate("ab", start=1)]
    assert chosen("When did the mill burn?", *same) == ["The mill burned in 1902."]


def test_the_best_piece_stands_even_where_it_is_longer_than_asked_for() -> None:
    long = "The mill " + "grinds barley and " * 20 + "sleeps."
    assert chosen("Does the mill grind barley?", found(long), words=5) == [long]


@given(st.lists(st.integers(1, 12), min_size=1, max_size=8), st.integers(1, 60))
def test_but_for_the_best_piece_there_are_no_more_words_than_asked_for(lengths: list[int], words: int) -> None:
    text = " ".join(f"Mill{n} {'grain ' * length}stands." for n, length in enumerate(lengths))
    scored: list[ScoredUnit] = score_units(asked("grain"), units_of(found(text)))
    quoted = choose_units(scored, words)
    assert len(quoted) == 1 or sum(count_words(s.unit.text) for s in quoted) <= words
    assert [s.score for s in quoted] == sorted((s.score for s in quoted), reverse=True)
