"""A tiny run over five tasks, scored by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.runs import CitedPassage, TaskRun
from evaluation.scoring import decision_counts, reports
from evaluation.tables import auroc, hits_report
from evaluation.tasks import USER, Task, TaskMessage

SCORES = st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0]), min_size=1, max_size=20)
HISTORY = (TaskMessage(USER, "Who landed first?"),)


def task(task_id: str, domain: str, answerability: str, *relevant: str, later: bool = False) -> Task:
    return Task(task_id, domain, "human", "?", HISTORY if later else (), answerability, frozenset(relevant))


TASKS = [
    task("1", "moon", "ANSWERABLE", "a"),
    task("2", "moon", "ANSWERABLE", "b", later=True),
    task("3", "mars", "ANSWERABLE", "c", later=True),
    task("4", "mars", "UNANSWERABLE"),
    task("5", "mars", "UNDERSPECIFIED", later=True),
]


def run(task_id: str, *docs: str, **fields: Any) -> TaskRun:
    return TaskRun(task_id, docs=tuple((doc, 1.0 - place / 10) for place, doc in enumerate(docs)), **fields)


RUNS: Mapping[str, TaskRun] = {
    task_run.task_id: task_run
    for task_run in (
        run("1", "a", "x", abstain_score=0.2, citations=(CitedPassage(1, "a", "verified"),), ms={"turn": 10.0}),
        run("2", "x", "y", "b", abstain_score=0.6, ask_score=1.0, asked_back=True, ms={"turn": 30.0, "retrieve": 5.0}),
        run("4", abstain_score=0.6, abstained=True, citations=(CitedPassage(1, "a", "weak"),), ms={"turn": 20.0}),
        run("5", ask_score=2.0, asked_back=True, rejected=True),
    )
}


def table(title: str, tasks: Sequence[Task] = TASKS) -> tuple[tuple[str, ...], ...]:
    return {report.title: report.rows for report in reports(tasks, RUNS)}[title]


def test_each_domain_has_its_row_and_a_task_missing_from_the_run_counts_as_zero() -> None:
    assert table("retrieval, all turns") == (
        ("mars", "1", *["0.000"] * 8),
        ("moon", "2", "0.500", "0.750", "0.750", "0.750", "0.500", "1.000", "1.000", "1.000"),
        ("all", "3", "0.333", "0.500", "0.500", "0.500", "0.333", "0.667", "0.667", "0.667"),
    )


def test_first_turns_are_those_without_a_history() -> None:
    assert [row[:2] for row in table("retrieval, first turns")] == [("moon", "1"), ("all", "1")]
    assert table("retrieval, later turns")[-1][:2] == ("all", "2")


def test_decisions_are_counted_by_answerability_over_the_tasks_of_the_run() -> None:
    assert decision_counts(TASKS, RUNS) == {
        "ANSWERABLE": {"tasks": 2, "asked_back": 1, "rejected": 0, "abstained": 0},
        "UNANSWERABLE": {"tasks": 1, "asked_back": 0, "rejected": 0, "abstained": 1},
        "UNDERSPECIFIED": {"tasks": 1, "asked_back": 1, "rejected": 1, "abstained": 0},
    }
    assert table("decisions")[0] == ("ANSWERABLE", "2", "1 (50.0 %)", "0 (0.0 %)", "0 (0.0 %)")


def test_scores_are_judged_by_how_they_separate() -> None:
    assert table("separation") == (
        ("ask_score", "UNDERSPECIFIED", "all others", "1 : 3", "1.000"),
        ("ask_score", "UNDERSPECIFIED", "ANSWERABLE", "1 : 2", "1.000"),
        ("abstain_score", "UNANSWERABLE", "ANSWERABLE, PARTIAL", "1 : 2", "0.750"),
        ("abstain_score", "UNANSWERABLE", "ANSWERABLE", "1 : 2", "0.750"),
    )


def test_asking_back_is_judged_against_all_others_and_the_answerable() -> None:
    assert table("asking back, UNDERSPECIFIED") == (
        ("all others", "1 (100.0 %)", "1 (33.3 %)", "0.667"),
        ("ANSWERABLE", "1 (100.0 %)", "1 (50.0 %)", "0.667"),
    )


def test_without_underspecified_tasks_asking_back_is_not_judged() -> None:
    assert table("asking back, UNDERSPECIFIED", TASKS[:4]) == ()
    assert {row[0] for row in table("separation", TASKS[:4])} == {"abstain_score"}


@given(SCORES, SCORES)
def test_the_area_is_the_share_of_pairs_that_a_positive_wins(positives: list[float], negatives: list[float]) -> None:
    pairs = [(a > b) + 0.5 * (a == b) for a in positives for b in negatives]
    assert auroc(positives, negatives) == pytest.approx(sum(pairs) / len(pairs))
    assert auroc(positives, []) is auroc([], negatives) is None


def test_a_decision_that_catches_nothing_has_an_f1_of_zero() -> None:
    report = hits_report("judging", [("A", False), ("B", True), ("C", True)], "A", {"B": "B", "nothing": "D"})
    assert report.rows == (("B", "0 (0.0 %)", "1 (100.0 %)", "0.000"),)


def test_verdicts_and_times_are_those_of_the_given_tasks() -> None:
    assert table("citations", TASKS[:3]) == (("verified", "1 (100.0 %)"),)
    assert table("citations") == (("verified", "1 (50.0 %)"), ("weak", "1 (50.0 %)"))
    assert table("milliseconds") == (("turn", "3", "20.0", "20.0", "30.0"), ("retrieve", "1", "5.0", "5.0", "5.0"))
