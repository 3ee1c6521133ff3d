"""nDCG and recall, as pytrec_eval computes them."""

import json
from pathlib import Path

import pytest

from evaluation.ranking import RankingQuality, in_order, judge_ranking, mean_quality

RECORDED = Path(__file__).with_name("pytrec_eval.jsonl")
"""Rankings, many with ties, and their values by pytrec_eval-terrier 0.5.11 (ndcg_cut and recall at CUTS)."""


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


def test_the_values_are_those_of_pytrec_eval() -> None:
    for ranking in map(json.loads, RECORDED.read_text().splitlines()):
        quality = judge_ranking(in_order(ranking["run"]), set(ranking["relevant"]))
        assert quality.ndcg == pytest.approx(ranking["ndcg"]), ranking
        assert quality.recall == pytest.approx(ranking["recall"]), ranking
