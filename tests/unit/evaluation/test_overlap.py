"""How much of a reference answer was said."""

from hypothesis import given
from hypothesis import strategies as st

from evaluation.overlap import Overlap, first_sentences, longest_common, overlap, overlap_report
from evaluation.runs import FoundPassage, TaskRun
from evaluation.tasks import Task

WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


def task(task_id: str, domain: str, reference: str, answerability: str = "ANSWERABLE") -> Task:
    return Task(task_id, domain, "human", "?", (), answerability, reference_answer=reference)


def run(task_id: str, answer: str, passage: str = "") -> TaskRun:
    return TaskRun(task_id, answer=answer, references=(FoundPassage(1, "p", passage),) if passage else ())


def test_case_punctuation_articles_and_markers_do_not_count() -> None:
    assert overlap("The Eagle landed.[12]", "an eagle LANDED") == Overlap(1.0, 1.0)


def test_order_counts_for_rouge_alone() -> None:
    scores = overlap("landed Eagle", "Eagle landed")
    assert (scores.f1, scores.rouge_l) == (1.0, 0.5)


def test_nothing_has_nothing_in_common() -> None:
    assert overlap("", "Eagle landed") == overlap("Eagle", "") == overlap("", "") == Overlap(0.0, 0.0)


@given(WORDS, WORDS)
def test_the_longest_common_subsequence_is_that_of_the_plain_table(one: list[str], other: list[str]) -> None:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one, start=1):
        for j, right in enumerate(other, start=1):
            table[i][j] = table[i - 1][j - 1] + 1 if left == right else max(table[i - 1][j], table[i][j - 1])
    assert longest_common(one, other) == table[-1][-1]


@given(st.text(), st.text())
def test_overlap_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    there, back = overlap(one, other), overlap(other, one)
    assert there.f1 == back.f1
    assert 0 <= there.rouge_l <= there.f1 <= 1


def test_the_baseline_leaves_headings_out() -> None:
    assert first_sentences("# Eagle\n\nIt landed. It flew home. It stayed.") == "It landed. It flew home."


def test_rows_are_means_over_tasks_that_can_be_answered() -> None:
    tasks = [
        task("1", "moon", "Eagle landed"),
        task("2", "moon", "Eagle landed", "PARTIAL"),
        task("3", "mars", "Spirit drove"),
        task("4", "mars", "I do not know", "UNANSWERABLE"),
        task("5", "mars", ""),
        task("6", "mars", "It is not in the run"),
    ]
    answers = [
        run("1", "Eagle landed.", "Luna fell. Eagle landed. Then nothing."),
        run("2", "Luna fell."),
        run("3", "Spirit drove.", "Spirit."),
        run("4", "Spirit drove.", "Spirit."),
        run("5", "Spirit drove.", "Spirit."),
    ]
    assert overlap_report(tasks, {answer.task_id: answer for answer in answers}).rows == (
        ("mars", "1", "1.000", "0.667", "1.000", "0.667"),
        ("moon", "2", "0.500", "0.333", "0.500", "0.333"),
        ("all", "3", "0.667", "0.444", "0.667", "0.444"),
    )


def test_a_run_without_its_passages_has_no_baseline_and_no_rows() -> None:
    assert overlap_report([task("1", "moon", "Eagle landed")], {"1": run("1", "Eagle landed.")}).rows == ()
