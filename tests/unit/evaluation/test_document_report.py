"""The tables of a run over documents."""

from pathlib import Path

from typer.testing import CliRunner

from cli.app import command_line
from evaluation.documents.report import question_reports
from evaluation.documents.runs import QuestionRun
from tests.unit.evaluation.document_questions import question, write_folder

QUESTIONS = [
    question("1", ("8 am",)),
    question("2", ("6 pm",), turn=2, kind="number"),
    question("3", turn=3, kind="unanswerable"),
    question("4", ("blue",), corpus="b"),
]
RUNS = {
    "1": QuestionRun("1", "It opens at 8 am", passages=("Hours\n8 am",)),
    "2": QuestionRun("2", "It closes", passages=("Hours\n6 pm",)),
    "3": QuestionRun("3", outcome="abstained", abstain_score=0.9),
}


def test_a_run_is_reported_by_corpus_kind_and_turn_and_as_a_whole() -> None:
    corpus, kind, turn, together, _ = question_reports(QUESTIONS, RUNS)
    assert [report.title for report in (corpus, kind, turn, together)] == ["by corpus", "by kind", "by turn", "all"]
    assert corpus.headings[:4] == ("corpus", "questions", "full", "facts")
    assert [row[:4] for row in corpus.rows] == [("a", "3", "0.500", "0.500"), ("b", "1", "0.000", "0.000")]
    assert [row[:2] for row in kind.rows] == [("fact", "2"), ("number", "1"), ("unanswerable", "1")]
    assert [row[:3] for row in turn.rows] == [("first", "2", "0.500"), ("later", "2", "0.000")]
    assert dict(zip(together.headings, together.rows[0], strict=True)) == {
        "all": "together",
        "questions": "4",
        "full": "0.333",
        "facts": "0.333",
        "hits": "0.667",
        "context": "0.667",
        "answered": "0.667",
        "held": "1.000",
        "chat": "-",
        "words": "3.5",
        "p95": "5.0",
        "hit words": "2.0",
    }


def test_the_last_table_shows_the_cost_of_holding_back() -> None:
    curve = question_reports(QUESTIONS, RUNS)[-1]
    assert curve.rows[0] == ("0.02", "0.000", "1.000", "0.000", "0.000")


def test_a_search_is_reported_by_its_hits_only() -> None:
    tables = question_reports(QUESTIONS, {"1": QuestionRun("1", passages=("Hours\n8 am",))})
    assert [table.title for table in tables] == ["by corpus", "by kind", "by turn", "all"]
    assert tables[-1].headings == ("all", "questions", "hits", "context", "hit words")
    assert tables[-1].rows == (("together", "4", "0.333", "0.333", "1.0"),)


def test_the_file_of_a_run_is_scored_without_a_suite(tmp_path: Path) -> None:
    run = tmp_path / "run.jsonl"
    run.write_text('{"id": "1", "answer": "It opens at 8 am", "passages": ["8 am"]}\n')
    folder = write_folder(tmp_path / "questions", QUESTIONS, {})
    result = CliRunner().invoke(command_line(), ["eval", "score", str(run), "--docs", str(folder)])
    assert result.exit_code == 0, result.output
    assert "\ntogether\t4\t0.333\t" in result.output


def test_a_run_is_scored_by_what_it_was_asked_and_by_nothing_else(tmp_path: Path) -> None:
    for arguments in ([], ["--docs", "a", "--articles", "b"]):
        result = CliRunner().invoke(command_line(), ["eval", "score", str(tmp_path), *arguments])
        assert result.exit_code != 0
        assert "Give the --tasks, the --articles or the --docs that the run was asked" in result.output
