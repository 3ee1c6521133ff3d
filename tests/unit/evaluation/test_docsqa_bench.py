"""The bench of answers over documents: a row a corpus, a column a run."""

from bench.docsqa import ALL, SuiteRuns, columns_of, rows
from evaluation.documents.runs import QuestionRun
from tests.unit.evaluation.document_questions import question

QUESTIONS = [
    question("1", ("8 am",)),
    question("2", ("6 pm",)),
    question("3", kind="unanswerable"),
    question("4", ("blue",), corpus="b"),
]


def runs(**answers: str) -> dict[str, QuestionRun]:
    """An answer by question, which is also the only passage behind it."""
    return {f"{name[1:]}": QuestionRun(name[1:], text, passages=(text,)) for name, text in answers.items()}


NOW = SuiteRuns(runs(q1="At 8 am", q2="At 6 pm"), runs(q1="8 am"), 2.0, 10)


def test_each_row_counts_the_answerable_questions_that_each_run_answers() -> None:
    assert list(rows(QUESTIONS, columns_of(NOW, None, None))) == [
        ("a", "2", "2 1.000", "2 1.000", "1 0.500", "3"),
        ("b", "1", "0 0.000", "0 0.000", "0 0.000", "-"),
        (ALL, "3", "2 0.667", "2 0.667", "1 0.333", "3"),
    ]
