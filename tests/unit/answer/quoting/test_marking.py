"""Which quoted sentence is marked as the answer, if any."""

import pytest

from services.answer.quoting.marking import features, marked
from services.answer.quoting.unit_selection import ScoredUnit, choose_units, score_units
from tests.unit.answer.quoting.asking import query, reference_to, units_of

MILL = "The old mill stands beside the river. The mill burned down in May 1902. Its miller moved to town."
DOUBT = 0.1
"""That the evidence has no answer."""


def mark(question: str, text: str) -> str | None:
    scored_units = score_units(query(question), units_of(reference_to(text)))
    unit = marked(query(question), scored_units, choose_units(scored_units, 100), DOUBT)
    return None if unit is None else unit.text


def test_a_sentence_of_the_type_that_is_asked_for_and_with_the_words_of_the_question_is_marked() -> None:
    assert mark("When did the mill burn down?", MILL) == "The mill burned down in May 1902."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When did the mill burn down?", "The mill burned down. The old mill stands beside the river."),
        ("What does the duke think of horses?", MILL),
        ("When did the mill burn down?", "The mill burned down in May 1902. The mill burned down in June 1911."),
    ],
    ids=["the type is missing", "the words are missing", "two answer alike"],
)
def test_without_a_likely_answer_nothing_is_marked(question: str, text: str) -> None:
    assert mark(question, text) is None


@pytest.mark.parametrize("best", [1e6, -1e6])
def test_scores_that_are_far_apart_are_compared_all_the_same(best: float) -> None:
    """A question of one word a thousand times gives such scores."""
    units = [unit for passage in units_of(reference_to(MILL)) for unit in passage]
    scored_units = [ScoredUnit(unit, best if number == 1 else 0.0) for number, unit in enumerate(units)]
    unit = marked(query("When did the mill burn down?"), scored_units, units, DOUBT)
    assert (unit is units[1]) == (best > 0)


def test_a_line_that_only_introduces_is_no_answer() -> None:
    scored_units = score_units(query("mill"), units_of(reference_to("Of the mill:\n\n- wheels of the mill\n- stones")))
    candidates = features(query("mill"), scored_units, choose_units(scored_units, 100), DOUBT)
    assert [unit.text for unit, _ in candidates] == ["- wheels of the mill", "- stones"]


def test_code_is_no_answer() -> None:
    scored_units = score_units(query("mill"), units_of(reference_to("Start the mill.\n\n```\nmill\n```\n")))
    candidates = features(query("mill"), scored_units, choose_units(scored_units, 100), DOUBT)
    assert [unit.text for unit, _ in candidates] == ["Start the mill."]


def test_the_margin_is_that_over_the_other_units_quoted() -> None:
    question = query("mill", {"mill": 0.9})
    scored_units = score_units(question, units_of(reference_to("A mill. A river.")))
    units = sorted((scored_unit.unit for scored_unit in scored_units), key=lambda unit: unit.span)
    (_, mill), (_, river) = features(question, scored_units, units, DOUBT)
    assert mill["margin"] == -river["margin"] > 0
