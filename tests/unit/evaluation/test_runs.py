"""The file of a run: a line a task, that can be cut anywhere and gone on with."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.connection.gateway_connection import CommandError
from evaluation.files import mend, reader_of, to_line
from evaluation.runs import CitedPassage, FoundPassage, SaidSentence, TaskRun, read_runs

RUN = TaskRun(
    "c1<::>2",
    strategy="WEIGHTED",
    decision="CONDENSE",
    reason="it leans on the conversation",
    standalone="When did Apollo 11 land?",
    docs=(("p1", 0.75), ("p2", 0.5)),
    question="When did Apollo 11 land?",
    references=(FoundPassage(1, "p2", "Eagle landed in 1969.", "Apollo 11", 0.5),),
    answer="In 1969\u2028 [1].",
    sentences=(SaidSentence(1, "In 1969\u2028 [1]."),),
    gaps=("Who paid?",),
    citations=(CitedPassage(1, "p1", "verified"),),
    outcome="ANSWERED",
    abstain_score=0.25,
    ask_score=1.5,
    choices=("Apollo 11", "Luna 9"),
    ms={"retrieve": 12.5, "turn": 20.0},
)
from_fields = reader_of(TaskRun)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def test_a_line_holds_everything() -> None:
    assert from_fields(json.loads(to_line(RUN))) == RUN
    assert "\n" not in to_line(RUN)


@given(st.builds(TaskRun, st.text(), docs=st.lists(st.tuples(st.text(), NUMBERS)).map(tuple), ask_score=NUMBERS))
def test_any_run_comes_back_from_its_line(run: TaskRun) -> None:
    assert from_fields(json.loads(to_line(run))) == run


def test_a_line_of_another_program_needs_only_its_task_and_passages() -> None:
    line = {"task_id": "a", "docs": [["p", 1]], "model": "x"}
    assert from_fields(line) == TaskRun("a", docs=(("p", 1.0),))


def test_the_top_passage_is_the_rankings_first_where_the_answer_was_written_from_it() -> None:
    first, second = FoundPassage(1, "p2", "…"), FoundPassage(2, "p1", "…")
    assert TaskRun("t", docs=RUN.docs, references=(first, second)).top_reference == second
    assert RUN.top_reference == RUN.references[0]
    assert TaskRun("t", docs=RUN.docs).top_reference is None


def test_of_two_lines_of_a_task_the_later_counts(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(f"{to_line(TaskRun('a', answer='one'))}\n\n{to_line(TaskRun('a', answer='two'))}\n")
    assert read_runs(file) == {"a": TaskRun("a", answer="two")}


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"docs": []}', '{"task_id": "a", "docs": [1]}'])
def test_a_line_that_is_none_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(f"{to_line(RUN)}\n{line}\n")
    with pytest.raises(CommandError, match=r"Line 2 of .*run\.jsonl is not a line of a run"):
        read_runs(file)


@given(st.integers(min_value=0))
def test_a_cut_run_goes_on_behind_its_last_whole_line(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    file = tmp_path_factory.mktemp("run") / "run.jsonl"
    whole = f"{to_line(TaskRun('a'))}\n{to_line(TaskRun('b'))}\n".encode()
    file.write_bytes(whole[: cut % (len(whole) + 1)])
    mend(file)
    stored_runs = read_runs(file)
    with file.open("a") as lines:
        lines.write(f"{to_line(TaskRun('c'))}\n")
    assert [*read_runs(file)] == [*stored_runs, "c"]
    assert list(stored_runs) == ["a", "b"][: len(stored_runs)]
