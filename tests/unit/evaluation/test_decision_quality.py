"""AUROC and what a decision caught: numbers computed by hand, and the law of the exchanged sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.decision_quality import auroc, hits_row

SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), min_size=1, max_size=20)


def test_three_of_four_pairs_won_and_one_tied() -> None:
    assert auroc([3, 2], [1, 2]) == 0.875


def test_a_score_that_separates_is_worth_one_and_a_constant_one_half() -> None:
    assert auroc([5, 6], [1, 2, 3]) == 1.0
    assert auroc([1, 1], [1, 1, 1]) == 0.5


@pytest.mark.parametrize(("positives", "negatives"), [([], [1.0]), ([1.0], [])])
def test_without_both_kinds_there_is_no_area(positives: list[float], negatives: list[float]) -> None:
    assert auroc(positives, negatives) is None


@given(SCORES, SCORES)
def test_the_sides_exchanged_give_the_rest_to_one(left: list[float], right: list[float]) -> None:
    here, there = auroc(left, right), auroc(right, left)
    assert here is not None
    assert there is not None
    assert here + there == pytest.approx(1)


@given(SCORES, SCORES)
def test_it_is_the_share_of_pairs_won(left: list[float], right: list[float]) -> None:
    pairs = [(a > b) + 0.5 * (a == b) for a in left for b in right]
    assert auroc(left, right) == pytest.approx(sum(pairs) / len(pairs))


@pytest.mark.parametrize(
    ("positives", "negatives", "figures"),
    [
        # precision 2/3, recall 1/2
        ([True, True, False, False], [True] + [False] * 9, ("2 (50.0 %)", "1 (10.0 %)", "0.571")),
        ([False], [True], ("0 (0.0 %)", "1 (100.0 %)", "0.000")),
        ([], [], ("0", "0", "0.000")),
    ],
)
def test_a_decision_is_judged_by_what_it_caught_and_its_false_alarms(
    positives: list[bool], negatives: list[bool], figures: tuple[str, ...]
) -> None:
    assert hits_row("all", positives, negatives) == ("all", *figures)
