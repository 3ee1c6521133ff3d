"""The benches of labelled sets: how their figures are shown."""

import gzip
import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from bench import verification
from bench.labelled import Figure, report


def test_figures_of_one_set_stand_in_one_row() -> None:
    out = io.StringIO()
    figures = [Figure("moons", 4, "right", 3), Figure("moons", 4, "held back", 0), Figure("none", 0, "right", 0)]
    report(Console(file=out, width=80), "Sets", figures)
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.getvalue().splitlines() if "│" in line]
    assert rows == [["moons", "4", "75.0% right"], ["", "", "0.0% held back"], ["none", "0", "0.0% right"]]


def test_verification_says_so_where_no_task_has_a_sentence_to_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = {"task_id": "t", "split": "dev", "answerability": "UNANSWERABLE", "qrels": {}, "reference_answer": ""}
    passage = {"id": "p", "title": "", "text": "The mill of Harrow grinds barley."}
    for name, row in (("moon.human.tasks", task), ("moon.passages", passage)):
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    assert verification.main([str(tmp_path)]) == 0
    assert "Reference answers: there is no sentence to check." in capsys.readouterr().out
