"""A tiny run over five tasks, scored by hand."""

from collections.abc import Mapping
from typing import Any

import pytest

from evaluation.report import reports
from evaluation.runs import CitedPassage, TaskRun
from evaluation.scoring import asking_back, decision_rows, retrieval_rows, separations, times, verdicts
from evaluation.tasks import USER, Task, TaskMessage

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


def test_each_domain_has_its_row_and_a_task_that_the_run_lacks_counts_nothing() -> None:
    mars, moon, everywhere = retrieval_rows(TASKS, RUNS)
    assert (mars.domain, mars.tasks, mars.quality.ndcg) == ("mars", 1, (0.0, 0.0, 0.0, 0.0))
    assert (moon.domain, moon.tasks, moon.quality.recall) == ("moon", 2, (0.5, 1.0, 1.0, 1.0))
    assert moon.quality.ndcg == pytest.approx((0.5, 0.75, 0.75, 0.75))
    assert (everywhere.domain, everywhere.tasks) == ("all", 3)
    assert everywhere.quality.ndcg[-1] == pytest.approx(0.5)


def test_first_turns_are_those_without_a_history() -> None:
    assert [(row.domain, row.tasks) for row in retrieval_rows(TASKS, RUNS, "first")] == [("moon", 1), ("all", 1)]
    assert retrieval_rows(TASKS, RUNS, "later")[-1].tasks == 2


def test_decisions_are_counted_by_answerability_over_what_the_run_holds() -> None:
    counts = {
        row.answerability: (row.tasks, row.asked_back, row.rejected, row.abstained)
        for row in decision_rows(TASKS, RUNS)
    }
    assert counts == {"ANSWERABLE": (2, 1, 0, 0), "UNANSWERABLE": (1, 0, 0, 1), "UNDERSPECIFIED": (1, 1, 1, 0)}


def test_scores_are_judged_by_how_they_separate() -> None:
    counts = {
        (task_run.score, task_run.negatives): (task_run.counts, task_run.auroc) for task_run in separations(TASKS, RUNS)
    }
    assert counts == {
        ("ask_score", "all others"): ((1, 3), 1.0),
        ("ask_score", "ANSWERABLE"): ((1, 2), 1.0),
        ("abstain_score", "ANSWERABLE, PARTIAL"): ((1, 2), 0.75),
        ("abstain_score", "ANSWERABLE"): ((1, 2), 0.75),
    }


def test_asking_back_is_judged_against_all_others_and_the_answerable() -> None:
    task_run = asking_back(TASKS, RUNS)
    assert task_run is not None
    assert (task_run.others.recall, task_run.others.false_alarms, task_run.others.negatives) == (1.0, 1, 3)
    assert (task_run.answerable.false_alarms, task_run.answerable.negatives) == (1, 2)
    assert task_run.others.f1 == pytest.approx(2 / 3)


def test_without_underspecified_tasks_asking_back_is_not_judged() -> None:
    assert asking_back(TASKS[:4], RUNS) is None
    assert {task_run.score for task_run in separations(TASKS[:4], RUNS)} == {"abstain_score"}


def test_verdicts_and_times_are_of_the_tasks_asked_for() -> None:
    assert verdicts(TASKS[:3], RUNS) == {"verified": 1}
    assert times(TASKS, RUNS) == {"turn": [10.0, 20.0, 30.0], "retrieve": [5.0]}


def test_the_tables_tell_all_of_it() -> None:
    tables = {report.title: report.rows for report in reports(TASKS, RUNS)}
    assert tables["retrieval, first turns"] == (("moon", "1", *["1.000"] * 8), ("all", "1", *["1.000"] * 8))
    assert tables["decisions"][0] == ("ANSWERABLE", "2", "1 (50.0 %)", "0 (0.0 %)", "0 (0.0 %)")
    assert tables["asking back, UNDERSPECIFIED"][0] == ("all others", "1 (100.0 %)", "1 (33.3 %)", "0.667")
    assert tables["separation"][2] == ("abstain_score", "UNANSWERABLE", "ANSWERABLE, PARTIAL", "1 : 2", "0.750")
    assert tables["citations"] == (("verified", "1 (50.0 %)"), ("weak", "1 (50.0 %)"))
    assert tables["milliseconds"][0] == ("turn", "3", "20.0", "20.0", "30.0")
