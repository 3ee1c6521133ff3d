"""`parley eval docs` over a small folder: corpora are taken in, sessions held, answers scored, a run file written."""

import json
from pathlib import Path

import pytest

from bench.suite import RunningSuite
from tests.system.door import parley
from tests.unit.evaluation.document_questions import question, write_folder

pytestmark = pytest.mark.xdist_group("suite")

HARBOUR = """# The harbour

## Opening hours

The office opens at 7:30 on weekdays.
It closes at 16:45.

## Mooring fees

| Length | Fee |
|---|---|
| up to 10 m | 18 euros |
| up to 20 m | 31 euros |
"""
BAKERY = """# The bakery

## Rye bread

The dough rests for 14 hours. Rye bread is baked at 250 degrees.
"""
MOVES = """# Moves {#moves}

## Walk {#walk}

It takes one turn a field.

## Teleport {#teleport}

It costs 12 points and takes no time at all.
"""
QUESTIONS = [
    question("h1", (r"\b7:30\b",), question="When does the harbour office open?", corpus="harbour"),
    question("h2", (r"\b31 euros",), question="What is the mooring fee up to 20 m?", corpus="harbour", turn=2),
    question("b1", (r"\b14 hours",), question="How long does the dough rest?", corpus="bakery"),
    question("m1", (r"\b12 points",), question="How much does Teleport cost?", corpus="moves"),
    question("b2", question="Thank you!", corpus="bakery", turn=2, kind="chit-chat"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {"harbour/harbour.md": HARBOUR, "bakery/bread.md": BAKERY, "moves/README.md": MOVES}
    return write_folder(tmp_path_factory.mktemp("questions"), QUESTIONS, files)


def table(output: str, title: str) -> dict[str, dict[str, str]]:
    """The rows of a table by their first cell."""
    lines = output.split(f"\n{title}\n", 1)[1].split("\n\n", 1)[0].splitlines()
    headings, *rows = [line.split("\t") for line in lines]
    return {row[0]: dict(zip(headings, row, strict=True)) for row in rows}


def test_corpora_are_taken_in_and_asked_in_sessions(suite: RunningSuite, folder: Path) -> None:
    out = folder / "run.jsonl"
    process = parley(suite.port, "eval", "docs", str(folder), "--out", str(out), "--prefix", "tried-")
    assert process.returncode == 0, process.stderr
    assert process.stdout.startswith("harbour: added 1")
    assert table(process.stdout, "by corpus")["harbour"]["full"] == "1.000"
    everything = table(process.stdout, "all")["together"]
    assert (everything["questions"], everything["full"], everything["hits"]) == ("5", "1.000", "1.000")
    assert everything["chat"] == "1.000"
    assert set(table(process.stdout, "by turn")) == {"first", "later"}
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert {line["id"] for line in lines} == {"h1", "h2", "b1", "b2", "m1"}
    assert all(line["outcome"] == "answered" for line in lines)


def test_a_search_is_scored_by_its_hits_of_one_corpus(suite: RunningSuite, folder: Path) -> None:
    arguments = ("--search", "--standalone", "--corpus", "bakery", "--prefix", "tried-")
    process = parley(suite.port, "eval", "docs", str(folder), *arguments)
    assert process.returncode == 0, process.stderr
    assert set(table(process.stdout, "by corpus")) == {"bakery"}
    assert "harbour" not in process.stdout


def test_a_corpus_that_is_not_there_is_named(suite: RunningSuite, folder: Path, tmp_path: Path) -> None:
    process = parley(suite.port, "eval", "docs", str(folder), "--corpus", "nowhere")
    assert process.returncode != 0
    assert "has no corpus nowhere; it has bakery, harbour, moves" in process.stderr
    empty = write_folder(tmp_path / "empty", QUESTIONS, {})
    process = parley(suite.port, "eval", "docs", str(empty))
    assert process.returncode != 0
    assert "There is no folder" in process.stderr
