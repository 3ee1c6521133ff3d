"""Citations: whether sentences are borne out, and whether people judged what they cite relevant."""

from evaluation.citation_quality import judged_report, support_report
from evaluation.runs import CitedPassage, SaidSentence, TaskRun
from evaluation.tasks import Task

TASKS = [
    Task("1", "moon", "human", "?", relevant=frozenset({"a", "b"})),
    Task("2", "mars", "human", "?", relevant=frozenset({"c"})),
    Task("3", "mars", "human", "?"),
]


def said(*texts: str) -> tuple[SaidSentence, ...]:
    return tuple(SaidSentence(number, text) for number, text in enumerate(texts, start=1))


RUNS = {
    "1": TaskRun(
        "1",
        docs=(("a", 0.9), ("x", 0.8)),
        sentences=said("Eagle landed.[1]", "It was hot.[2][3]", "It flew.", "Nothing was found about: why it flew."),
        gaps=("why it flew?",),
        citations=(
            CitedPassage(1, "a", "verified"),
            CitedPassage(2, "a", "weak"),
            CitedPassage(2, "x", "weak"),
            CitedPassage(5, "b", "withdrawn"),
        ),
    ),
    "2": TaskRun(
        "2",
        docs=(("x", 0.4),),
        sentences=said("Spirit drove.[1]"),
        citations=(CitedPassage(1, "c", "verified"), CitedPassage(1, "y", "verified")),
    ),
    "3": TaskRun("3", docs=(("x", 0.1),), outcome="ABSTAINED", sentences=said("Nothing was found.")),
}


def test_precision_is_over_what_cites_and_recall_over_what_is_factual() -> None:
    assert support_report(TASKS, RUNS).rows == (
        ("mars", "1", "1.000", "1", "1.000"),
        ("moon", "2", "0.500", "3", "0.333"),
        ("all", "3", "0.667", "4", "0.500"),
    )


def test_a_sentence_that_was_withdrawn_is_neither_cited_nor_factual() -> None:
    run = TaskRun("1", sentences=said("Eagle landed.[1]"), citations=(CitedPassage(2, "a", "withdrawn"),))
    assert support_report(TASKS[:1], {"1": run}).rows[-1] == ("all", "0", "-", "1", "0.000")


def test_a_cited_passage_counts_once_per_task_beside_the_first_of_the_ranking() -> None:
    assert judged_report(TASKS, RUNS).rows == (
        ("mars", "1", "1 (50.0 %)", "0.500", "0.000", "1 (100.0 %)"),
        ("moon", "1", "1 (50.0 %)", "0.500", "1.000", "1 (100.0 %)"),
        ("all", "2", "2 (50.0 %)", "0.500", "0.500", "2 (100.0 %)"),
    )


def test_a_judged_task_that_cites_nothing_has_no_share() -> None:
    assert judged_report(TASKS, {"1": TaskRun("1", docs=(("a", 1.0),))}).rows == ()


def test_a_line_that_names_a_section_claims_nothing() -> None:
    sentences = said("**Moon › Eagle** [1]", "**Eagle landed.**")
    run = TaskRun("1", sentences=sentences, citations=(CitedPassage(2, "a", "verified"),))
    assert support_report(TASKS[:1], {"1": run}).rows[-1] == ("all", "1", "1.000", "1", "1.000")
