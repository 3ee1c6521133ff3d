"""Judged turns out of a folder in MTRAG's form."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from cli.connection.gateway_connection import CommandError
from evaluation.tasks import AGENT, USER, Task, TaskMessage, read_tasks

LINE: dict[str, Any] = {
    "task_id": "c1<::>2",
    "conversation_id": "c1",
    "turn": 2,
    "domain": "moon",
    "split": "heldout",
    "answerability": "ANSWERABLE",
    "history": [{"speaker": "user", "text": "Who landed first?"}, {"speaker": "agent", "text": "Apollo 11."}],
    "last_turn": "And when?",
    "rewrite": None,
    "qrels": {"p1": 1, "p2": 0, "p3": 2},
}


def lay(folder: Path, name: str, *lines: dict[str, Any]) -> None:
    content = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)


def test_a_task_is_read_whatever_its_split_says(tmp_path: Path) -> None:
    lay(tmp_path, "moon.human.tasks.jsonl.gz", LINE)
    assert read_tasks(tmp_path) == [
        Task(
            "c1<::>2",
            domain="moon",
            set_name="human",
            last_turn="And when?",
            history=(TaskMessage(USER, "Who landed first?"), TaskMessage(AGENT, "Apollo 11.")),
            answerability="ANSWERABLE",
            relevant=frozenset({"p1", "p3"}),
            conversation_id="c1",
            turn=2,
        )
    ]


def test_every_set_is_read_and_one_where_it_is_named(tmp_path: Path) -> None:
    for domain in ("moon", "mars"):
        for name in ("human", "un"):
            lay(tmp_path, f"{domain}.{name}.tasks.jsonl", {**LINE, "task_id": domain + name, "domain": domain})
    lay(tmp_path, "moon.passages.jsonl", {"id": "p1", "text": "No task."})
    assert {task.set_name for task in read_tasks(tmp_path)} == {"human", "un"}
    assert [task.task_id for task in read_tasks(tmp_path, "un")] == ["marsun", "moonun"]
    assert [task.task_id for task in read_tasks(tmp_path, "un", "mars")] == ["marsun"]


def test_a_line_without_a_domain_is_of_its_files(tmp_path: Path) -> None:
    lay(tmp_path, "moon.human.tasks.jsonl", {"task_id": "1", "last_turn": "Who?"})
    assert read_tasks(tmp_path) == [Task("1", "moon", "human", "Who?")]


@pytest.mark.parametrize("line", [{"task_id": "1"}, {**LINE, "history": [{"speaker": "moderator", "text": ""}]}, {}])
def test_a_line_that_is_no_task_is_named(tmp_path: Path, line: dict[str, Any]) -> None:
    lay(tmp_path, "moon.human.tasks.jsonl", LINE, line)
    with pytest.raises(CommandError, match=r"Line 2 of .*moon\.human\.tasks\.jsonl is not a task"):
        read_tasks(tmp_path)


def test_a_file_that_is_not_packed_as_its_name_says_is_refused(tmp_path: Path) -> None:
    (tmp_path / "moon.human.tasks.jsonl.gz").write_bytes(b"{}")
    with pytest.raises(CommandError, match="cannot be read"):
        read_tasks(tmp_path)


def test_a_folder_without_tasks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"no task in .* \(<domain>\.un\.tasks\.jsonl\.gz\)"):
        read_tasks(tmp_path, "un")


def test_a_task_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, "moon.human.tasks.jsonl", LINE)
    lay(tmp_path, "moon.un.tasks.jsonl", LINE)
    with pytest.raises(CommandError, match="twice"):
        read_tasks(tmp_path)
