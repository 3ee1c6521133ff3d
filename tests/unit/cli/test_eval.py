"""`parley eval`: what is ingested, what is asked, what is written, and how a run goes on."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf.json_format import Parse
from typer.testing import CliRunner, Result

from cli.app import command_line
from evaluation.files import to_line
from evaluation.runs import TaskRun, read_runs
from libs.runtime.errors import InvalidInput, NotSupported, ParleyError
from parley.context.v1 import conversation_pb2, query_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.unit.cli.conftest import Run

TASK: dict[str, Any] = {
    "task_id": "t1",
    "domain": "moon",
    "answerability": "ANSWERABLE",
    "history": [{"speaker": "user", "text": "Who landed first?"}, {"speaker": "agent", "text": "Apollo 11."}],
    "last_turn": "And when?",
    "qrels": {"p1": 1},
}
PASSAGES = [{"id": "p1", "text": "In 1969."}, {"id": "p2", "text": ""}, {"id": "p3", "text": "In 1972."}]


def lay(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_bytes(gzip.compress("".join(f"{json.dumps(line)}\n" for line in lines).encode()))


def turn() -> list[Any]:
    contents: list[dict[str, Any]] = [
        {"condensed": {"decision": "DECISION_PASS", "strategy": "STRATEGY_WEIGHTED", "standalone": "When?"}},
        {"references": {"ranking": [{"passage_id": "p1", "score": 0.5}]}},
        {"completed": {"outcome": "OUTCOME_ANSWERED"}},
    ]
    return [Parse(json.dumps(happening), event_pb2.Event()) for happening in contents]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lay(tmp_path / "moon.passages.jsonl.gz", PASSAGES)
    np.save(tmp_path / "moon.minilm.f16.npy", np.eye(3, dtype=np.float16))
    lay(tmp_path / "moon.human.tasks.jsonl.gz", [TASK, {**TASK, "task_id": "t2", "history": []}])
    return tmp_path


@pytest.fixture
def turns(gateway: Any, parley: Run, data: Path) -> Run:
    gateway.turns = [turn(), turn()]
    gateway.collections = there(2)

    def run(*arguments: str) -> Result:
        return parley("eval", "turns", *("--passages", str(data), "--tasks", str(data)), *arguments)

    return run


def score(run: Path, tasks: Path) -> Result:
    return CliRunner().invoke(command_line(), ["eval", "score", str(run), "--tasks", str(tasks)])


def there(documents: int) -> corpus_pb2.ListCollectionsResponse:
    return corpus_pb2.ListCollectionsResponse(collections=[corpus_pb2.Collection(name="moon", documents=documents)])


def test_each_task_is_asked_with_its_history_and_nothing_is_acted_on(gateway: Any, turns: Run, tmp_path: Path) -> None:
    result = turns("--out", str(tmp_path / "run.jsonl"), "--callers", "1", "--strategy", "last-turn")
    assert (result.exit_code, result.stdout) == (0, "asked 2, already present 0, failed 0\n")
    assert not gateway.ingested, "the passages are there"
    request = gateway.asked[0]
    assert (request.question, request.session_id, request.options.collection) == ("And when?", "", "moon")
    assert [(utterance.speaker, utterance.text) for utterance in request.history] == [
        (conversation_pb2.SPEAKER_USER, "Who landed first?"),
        (conversation_pb2.SPEAKER_AGENT, "Apollo 11."),
    ]
    options = request.options
    assert {options.ask_back, options.reject, options.abstain} == {gateway_pb2.ACT_RECORD_ONLY}
    assert (options.ranking, options.strategy) == (100, query_pb2.STRATEGY_LAST_TURN)


def test_a_line_is_written_for_each_task(turns: Run, tmp_path: Path) -> None:
    turns("--out", str(tmp_path / "new" / "run.jsonl"))
    assert read_runs(tmp_path / "new" / "run.jsonl") == {
        name: TaskRun(
            name, strategy="WEIGHTED", decision="PASS", standalone="When?", docs=(("p1", 0.5),), outcome="ANSWERED"
        )
        for name in ("t1", "t2")
    }


def test_what_was_answered_before_is_not_asked_again(gateway: Any, turns: Run, tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    out.write_text(f'{to_line(TaskRun("t1", strategy="WEIGHTED"))}\n{{"task_id": "t2", "do')
    result = turns("--out", str(out))
    assert result.stdout == "asked 1, already present 1, failed 0\n"
    assert list(read_runs(out)) == ["t1", "t2"]
    assert len(gateway.asked) == 1


def test_a_run_with_another_strategy_is_not_gone_on_with(gateway: Any, turns: Run, tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    out.write_text(f"{to_line(TaskRun('t1', strategy='WEIGHTED'))}\n")
    result = turns("--out", str(out), "--strategy", "ladder")
    assert result.exit_code == 1
    assert result.stderr == f"The file {out} holds a run with the strategy WEIGHTED.\n"
    assert not gateway.asked


@pytest.mark.parametrize("documents", [0, 1])
def test_passages_are_ingested_whole_with_their_vectors_where_they_are_missing(
    gateway: Any, turns: Run, tmp_path: Path, documents: int
) -> None:
    gateway.collections = there(documents) if documents else corpus_pb2.ListCollectionsResponse()
    result = turns("--out", str(tmp_path / "run.jsonl"))
    assert result.stdout.splitlines()[0] == "moon: added 3, replaced 0, unchanged 0, empty 0, failed 0 (3 passages)"
    assert gateway.header.collection == "moon"
    assert all(document.whole for document in gateway.ingested)
    vectors_by_id = {
        document.document_id: (list(document.vector), document.vector_model) for document in gateway.ingested
    }
    assert vectors_by_id == {
        "p1": ([1, 0, 0], "all-MiniLM-L6-v2"),
        "p2": ([], ""),
        "p3": ([0, 0, 1], "all-MiniLM-L6-v2"),
    }


def test_a_domain_without_passages_is_refused(gateway: Any, turns: Run, data: Path, tmp_path: Path) -> None:
    (data / "moon.passages.jsonl.gz").unlink()
    gateway.collections = corpus_pb2.ListCollectionsResponse()
    result = turns("--out", str(tmp_path / "run.jsonl"))
    assert result.exit_code == 1
    assert f"There is neither moon.passages.jsonl.gz in {tmp_path} nor a collection moon." in result.stderr
    assert not gateway.asked


def test_a_task_that_fails_does_not_stop_the_others(gateway: Any, turns: Run, tmp_path: Path) -> None:
    gateway.turns = [[InvalidInput("question", "is too long")], turn()]
    result = turns("--out", str(tmp_path / "run.jsonl"), "--callers", "1")
    assert (result.exit_code, result.stdout) == (1, "asked 1, already present 0, failed 1\n")
    assert result.stderr.startswith("t1: INVALID_ARGUMENT")
    assert list(read_runs(tmp_path / "run.jsonl")) == ["t2"]


def test_a_strategy_that_the_suite_lacks_is_reported_once(gateway: Any, turns: Run, tmp_path: Path) -> None:
    refusal: list[ParleyError] = [NotSupported("the strategy MMR is not there yet")]
    gateway.turns = [refusal, refusal]
    result = turns("--out", str(tmp_path / "run.jsonl"), "--strategy", "mmr")
    assert result.exit_code == 1
    assert "The strategy MMR is not there yet" in result.stderr
    assert result.stdout == "asked 0, already present 0, failed 0\n"


def test_a_run_is_scored_set_by_set_without_a_suite(data: Path, tmp_path: Path) -> None:
    lay(data / "moon.un.tasks.jsonl.gz", [{**TASK, "task_id": "u1"}])
    run = tmp_path / "run.jsonl"
    run.write_text(f"{to_line(TaskRun('t1', docs=(('p1', 0.5),)))}\n")
    result = score(run, data)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "human: 2 tasks, 1 of them not in the run"
    assert "\t".join(("all", "2", *["0.500"] * 8)) in lines
    assert "un: 1 tasks, 1 of them not in the run" in lines


def test_the_answers_of_all_sets_are_scored_together(data: Path, tmp_path: Path) -> None:
    lay(data / "moon.un.tasks.jsonl.gz", [{**TASK, "task_id": "u1", "answerability": "UNANSWERABLE"}])
    run = tmp_path / "run.jsonl"
    runs = [TaskRun("t1", abstain_score=0.25), TaskRun("t2", abstain_score=0.5), TaskRun("u1", abstain_score=0.75)]
    run.write_text("".join(f"{to_line(task_run)}\n" for task_run in runs))
    result = score(run, data)
    assert result.exit_code == 0
    together = result.stdout.split("human, un together\n")[1].splitlines()
    assert "\t".join(("abstain_score", "3", "1.000", "0.111")) in together


def test_a_run_that_cannot_be_read_is_an_error(data: Path, tmp_path: Path) -> None:
    result = score(tmp_path / "none.jsonl", data)
    assert result.exit_code == 1
    assert result.stderr == f"The file {tmp_path}/none.jsonl cannot be read: No such file or directory.\n"
