"""nDCG and recall: numbers computed by hand, and what holds for any ranking."""

import json
from math import log2
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.ranking import CUTS, RankingQuality, in_order, judge_ranking, mean_quality

RECORDED = Path(__file__).with_name("pytrec_eval.jsonl")
"""Rankings, many with ties, and their values by pytrec_eval-terrier 0.5.11 (ndcg_cut and recall at CUTS)."""
NAMES = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True, max_size=14)


def test_two_relevant_passages_at_the_first_and_third_place() -> None:
    quality = judge_ranking(["a", "b", "c"], {"a", "c"})
    assert quality.recall == (0.5, 1.0, 1.0, 1.0)
    at_three = (1 + 1 / log2(4)) / (1 + 1 / log2(3))
    assert quality.ndcg == pytest.approx((1.0, at_three, at_three, at_three))
    assert at_three == pytest.approx(0.9197, abs=1e-4)


def test_more_relevant_passages_than_places_can_still_be_ranked_perfectly() -> None:
    quality = judge_ranking(["a", "b"], set("abcdef"))
    assert quality.ndcg[0] == 1.0
    assert quality.recall[0] == pytest.approx(1 / 6)


def test_nothing_found_is_worth_nothing() -> None:
    assert judge_ranking([], {"a"}) == RankingQuality((0.0,) * 4, (0.0,) * 4)


def test_the_order_is_by_score_then_by_id_both_descending() -> None:
    assert in_order([("a", 0.5), ("c", 0.5), ("b", 0.9), ("d", 0.1)]) == ["b", "c", "a", "d"]


def test_a_passage_that_comes_twice_counts_by_its_best_score() -> None:
    assert in_order([("a", 0.1), ("b", 0.5), ("a", 0.9)]) == ["a", "b"]


def test_the_mean_weighs_each_task_the_same() -> None:
    perfect, nothing = judge_ranking(["a"], {"a"}), judge_ranking(["b"], {"a"})
    assert mean_quality([perfect, nothing, nothing, nothing]) == RankingQuality((0.25,) * 4, (0.25,) * 4)
    assert mean_quality([]).ndcg == (0.0,) * 4


@pytest.mark.parametrize("row", RECORDED.read_text().splitlines())
def test_the_values_are_those_of_pytrec_eval(row: str) -> None:
    ranking = json.loads(row)
    quality = judge_ranking(in_order(ranking["run"]), set(ranking["relevant"]))
    assert quality.ndcg == pytest.approx(ranking["ndcg"])
    assert quality.recall == pytest.approx(ranking["recall"])


@given(NAMES, st.sets(st.sampled_from("abcdefghijklmnop"), min_size=1))
def test_every_value_lies_in_the_unit_interval_and_recall_grows_with_the_cut(
    ranking: list[str], true: set[str]
) -> None:
    quality = judge_ranking(ranking, true)
    assert all(0 <= value <= 1 + 1e-12 for value in (*quality.ndcg, *quality.recall))
    assert list(quality.recall) == sorted(quality.recall)


@given(NAMES, st.sets(st.sampled_from("abcdefghijklmnop"), min_size=1))
def test_relevant_passages_first_is_the_best_there_is(others: list[str], relevant: set[str]) -> None:
    ranking = [*sorted(relevant), *(name for name in others if name not in relevant)]
    assert judge_ranking(ranking, relevant).ndcg == pytest.approx((1.0,) * len(CUTS))
