"""The folder of questions over documents, and the file of a run."""

from pathlib import Path

import pytest

from cli.connection.gateway_connection import CommandError
from evaluation.documents.questions import conversations, read_questions
from evaluation.documents.runs import QuestionRun, read_question_runs
from evaluation.files import write_each
from tests.unit.evaluation.document_questions import question, write_folder

HOURS = question("h", ("8 am", "eight"), ("6 pm",))
THANKS = question("t", corpus="b", kind="chit-chat")
LINE = (
    '{"id": "q", "corpus": "a", "conversation": "c", "turn": 1, "question": "?", "standalone": "?", '
    '"kind": "fact", "answerable": true, "facts": %s}'
)


def test_a_line_is_a_question_with_its_facts(tmp_path: Path) -> None:
    assert read_questions(write_folder(tmp_path, [HOURS, THANKS], {})) == [HOURS, THANKS]


def test_only_the_corpora_that_are_named_are_read(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, [HOURS, THANKS], {})
    assert read_questions(folder, ["b"]) == [THANKS]
    with pytest.raises(CommandError, match=r"has no corpus c; it has a, b"):
        read_questions(folder, ["b", "c"])


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", LINE % "3", LINE % '[["("]]'])
def test_a_line_that_is_no_question_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "questions.jsonl").write_text(f"{LINE % '[]'}\n{line}\n")
    with pytest.raises(CommandError, match=r"Line 2 of .*questions\.jsonl is not a question"):
        read_questions(tmp_path)


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"questions\.jsonl cannot be read"):
        read_questions(tmp_path)


def test_a_conversation_is_asked_in_the_order_of_its_turns_whatever_the_file_has() -> None:
    later, first = question("2", turn=2), question("1")
    other = question("3", corpus="b")  # a conversation of the same name in another corpus is another one
    assert conversations([later, other, first]) == [[first, later], [other]]


RUN = QuestionRun("q", "From 8 am.\u2028", "answered", ("Hours\n8 am",), 0.25, "When?", 12.5)


def test_a_run_is_in_its_file_before_the_next_question_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "run.jsonl"
    runs = write_each(path, [RUN, QuestionRun("r")])
    assert next(runs) == RUN
    assert read_question_runs(path) == {"q": RUN}
    assert [run.id for run in runs] == ["r"]
    assert set(read_question_runs(path)) == {"q", "r"}


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"cannot be written: Is a directory\.\Z"):
        list(write_each(tmp_path, [RUN]))
