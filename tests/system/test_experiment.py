"""`parley experiment mmr` over a small set of conversations, killed in its middle and started again."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.suite import running_suite
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.system.door import parley
from tests.system.waiting import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("suite")]  # it starts a suite of its own

DOMAIN = "lights"
PASSAGES = {
    "harrow": "The lighthouse of Harrow Point was lit on 3 May 1871. Its tower of granite stands 42 metres high.",
    "keeper": "The last keeper of the lighthouse of Harrow Point, Ada Finch, left on 30 June 1964.",
    "cold": "The observatory of Cold Ridge opened on 12 September 1931. Its mirror measures 2.5 metres across.",
    "slate": "The harbour of Slate Bay opened on 4 April 1902 with one pier. Its ferry runs twice a day.",
}
ABOUT_LIGHT = ("When was the lighthouse of Harrow Point lit?", "How high is its tower?", "Who was its last keeper?")
ABOUT_RIDGE = (
    "When did the observatory of Cold Ridge open?",
    "How large is its mirror?",
    "And the harbour of Slate Bay?",
)
REWRITTEN = {
    "How high is its tower?": "How high is the tower of the lighthouse of Harrow Point?",
    "Who was its last keeper?": "Who was the last keeper of the lighthouse of Harrow Point?",
    "When did she leave?": "When did the last keeper of the lighthouse of Harrow Point leave?",
    "How large is its mirror?": "How large is the mirror of the observatory of Cold Ridge?",
    "And the harbour of Slate Bay?": "When did the harbour of Slate Bay open?",
}
CONVERSATIONS = {"a": (*ABOUT_LIGHT, "When did she leave?"), "b": ABOUT_RIDGE, "c": ABOUT_LIGHT[:2]}


def rewrite(request: LlmRequest) -> str:
    """As a language model makes a turn stand alone that it is shown last."""
    turn = request.prompt.rpartition("The last turn:")[2]
    return json.dumps(
        {"standalone": next(rewrite_text for question, rewrite_text in REWRITTEN.items() if question in turn)}
    )


@pytest.fixture(scope="module")
def port(server: ScriptedLlm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Of a suite that rewrites by a language model, and does the rest by rules."""
    settings = {
        "PARLEY_LLM_BASE_URL": server.base_url,
        "PARLEY_LLM_RETRIES": "0",
        "PARLEY_INTENT_ENGINE": "rules",
        "PARLEY_ANSWER_ENGINE": "rules",
    }
    with running_suite(tmp_path_factory.mktemp("rewriting") / "data", settings, processes=2) as running:
        yield running.port


@pytest.fixture(autouse=True)
def rewriter(llm: ScriptedLlm) -> ScriptedLlm:
    llm.answer_with(rewrite)
    return llm


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("experiment")
    passages = [{"id": name, "title": name.title(), "text": text, "url": f"https://example.org/{name}"}
                for name, text in PASSAGES.items()]  # fmt: skip
    tasks = [
        {"task_id": f"{name}<::>{turn}", "conversation_id": name, "turn": turn, "last_turn": question, "history": []}
        for name, questions in CONVERSATIONS.items()
        for turn, question in enumerate(questions, start=1)
    ]
    lay(folder / f"{DOMAIN}.passages.jsonl", passages)
    lay(folder / f"{DOMAIN}.mtrag_human.tasks.jsonl", tasks)
    return folder


def lay(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def arguments(data: Path, out: Path) -> list[str]:
    return ["experiment", "mmr", "--data", str(data), "--domain", DOMAIN, "--out", str(out), "--num-sentences", "5"]


def lines(out: Path, kind: str) -> list[dict[str, Any]]:
    path = out / kind / f"{DOMAIN}.mmr-5.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def killed_after(port: int, data: Path, out: Path, count: int) -> None:
    """Run it, and kill -9 it once so many lines are there."""
    command = [sys.executable, "-m", "cli.app", *arguments(data, out), "--port", str(port)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    dataset = out / "datasets" / f"{DOMAIN}.mmr-5.jsonl"
    try:
        wait_for(lambda: dataset.exists() and dataset.read_bytes().count(b"\n") >= count)
    finally:
        child.kill()
    assert child.wait() == -signal.SIGKILL, "it was over before it could be killed"


def test_a_killed_run_goes_on_and_ends_as_one_that_was_left_alone(port: int, data: Path, tmp_path: Path) -> None:
    whole = parley(port, *arguments(data, tmp_path / "whole"))
    assert whole.returncode == 0, whole.stdout + whole.stderr
    killed_after(port, data, tmp_path / "killed", 3)
    there = len(lines(tmp_path / "killed", "datasets"))
    again = parley(port, *arguments(data, tmp_path / "killed"))
    assert again.returncode == 0, again.stdout + again.stderr
    assert again.stdout.splitlines()[-1] == f"asked {9 - there}, already present {there}, left 0"
    for kind in ("datasets", "intermediate"):
        assert lines(tmp_path / "killed", kind) == lines(tmp_path / "whole", kind)
    ids = [f"{name}<::>{turn}" for name, turns in CONVERSATIONS.items() for turn in range(1, len(turns) + 1)]
    assert [line["_id"] for line in lines(tmp_path / "killed", "datasets")] == ids
