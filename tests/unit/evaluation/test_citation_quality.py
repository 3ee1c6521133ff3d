"""Citations: whether sentences are borne out, and whether people judged what they cite relevant."""

from evaluation.citation_quality import judged_rows, support_rows
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
    mars, moon, everywhere = support_rows(TASKS, RUNS)
    assert (moon.domain, moon.cited, moon.borne_out, moon.factual) == ("moon", 2, 1, 3)
    assert (mars.domain, mars.cited, mars.borne_out, mars.factual) == ("mars", 1, 1, 1)
    assert (everywhere.cited, everywhere.borne_out, everywhere.factual) == (3, 2, 4)


def test_a_sentence_that_was_taken_out_is_neither_cited_nor_factual() -> None:
    run = TaskRun("1", sentences=said("Eagle landed.[1]"), citations=(CitedPassage(2, "a", "withdrawn"),))
    (row,) = support_rows(TASKS[:1], {"1": run})[1:]
    assert (row.cited, row.borne_out, row.factual) == (0, 0, 1)


def test_a_cited_passage_counts_once_a_task_beside_the_first_of_the_ranking() -> None:
    mars, moon, everywhere = judged_rows(TASKS, RUNS)
    assert (moon.tasks, moon.cited, moon.cited_relevant, moon.share, moon.ranking, moon.hit) == (1, 2, 1, 0.5, 1.0, 1)
    assert (mars.cited, mars.cited_relevant, mars.share, mars.ranking, mars.hit) == (2, 1, 0.5, 0.0, 1)
    assert (everywhere.tasks, everywhere.cited, everywhere.share, everywhere.ranking) == (2, 4, 0.5, 0.5)


def test_a_judged_task_that_cites_nothing_has_no_share() -> None:
    assert judged_rows(TASKS, {"1": TaskRun("1", docs=(("a", 1.0),))}) == []


def test_a_line_that_names_a_section_claims_nothing() -> None:
    sentences = said("**Moon › Eagle** [1]", "**Eagle landed.**")
    run = TaskRun("1", sentences=sentences, citations=(CitedPassage(2, "a", "verified"),))
    (row,) = support_rows(TASKS[:1], {"1": run})[1:]
    assert (row.cited, row.borne_out, row.factual) == (1, 1, 1)
