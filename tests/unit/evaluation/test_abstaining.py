"""Risk against coverage, and what the decision caught."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.abstaining import abstaining_reports, curves, risk_coverage
from evaluation.runs import TaskRun
from evaluation.tasks import Task

JUDGED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1)
KINDS = ("ANSWERABLE", "ANSWERABLE", "PARTIAL", "UNANSWERABLE", "UNANSWERABLE", "UNDERSPECIFIED")
TASKS = [Task(str(n), "moon", "human", "?", answerability=kind) for n, kind in enumerate(KINDS)]
SCORES = (0.1, 0.4, 0.3, 0.5, 0.9, 1.0)
TOPS = (0.9, 0.8, 0.3, 0.4, 0.85, 0.0)
RUNS = {
    str(n): TaskRun(str(n), docs=(("b", top), ("a", top / 2)), abstain_score=score, abstained=score >= 0.4)
    for n, (score, top) in enumerate(zip(SCORES, TOPS, strict=True))
}


def test_the_risk_is_of_those_answered_so_far_the_surest_first() -> None:
    assert risk_coverage([0.9, 0.1, 0.5], [True, False, True]) == (0.0, 1 / 2, 2 / 3)


def test_tasks_of_one_score_share_their_risk() -> None:
    assert risk_coverage([0.5, 0.5, 0.1], [True, False, False]) == pytest.approx((0.0, 0.25, 1 / 3))


@given(JUDGED)
def test_at_full_coverage_the_risk_is_the_share_of_unanswered_questions(scores: list[tuple[float, bool]]) -> None:
    risks = risk_coverage(*map(list, zip(*scores, strict=True)))
    assert len(risks) == len(scores)
    assert risks[-1] == pytest.approx(sum(none for _, none in scores) / len(scores))


def test_the_abstain_score_is_compared_with_the_score_of_the_top_passage() -> None:
    ours, plain = curves(TASKS, RUNS)
    assert (ours.score, ours.auroc) == ("abstain_score", 1.0)
    assert ours.area == pytest.approx((1 / 4 + 2 / 5) / 5)
    assert (plain.score, plain.auroc) == ("top ranking score", 0.5)
    assert plain.risks == pytest.approx((0, 1 / 2, 1 / 3, 1 / 2, 2 / 5))


def test_a_ranking_without_a_passage_is_the_least_sure() -> None:
    runs = {**RUNS, "3": TaskRun("3")}
    assert curves(TASKS, runs)[1].risks[-1] == 2 / 5
    assert curves(TASKS, runs)[1].auroc == pytest.approx((3 + 1) / 6)


def test_without_tasks_of_both_kinds_there_is_no_curve() -> None:
    assert curves(TASKS[:3], RUNS) == curves([], RUNS) == []


def test_the_decision_is_compared_with_each_kind_that_has_an_answer() -> None:
    scores, decisions = abstaining_reports(TASKS, RUNS)
    assert [row[0] for row in scores.rows] == ["abstain_score", "top ranking score", "not above it at"]
    assert scores.rows[-1][1] == "5 (100.0 %)"
    assert [row[:3] for row in decisions.rows] == [
        ("ANSWERABLE", "2 (100.0 %)", "1 (50.0 %)"),
        ("PARTIAL", "2 (100.0 %)", "0 (0.0 %)"),
        ("ANSWERABLE, PARTIAL", "2 (100.0 %)", "1 (33.3 %)"),
    ]
