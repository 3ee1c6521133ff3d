"""Questions on time over dated logs, tables and rules: what lies in the range is shown, and nothing else unmarked."""

from pathlib import Path

import pytest

from bench.labelled import DATA, read_lines
from bench.time_ranges import answer_line
from tests.system.door import Door, ingest

pytestmark = pytest.mark.xdist_group("suite")

QUESTIONS = list(read_lines(DATA / "time" / "questions.jsonl"))
COLLECTION = "time"


@pytest.fixture(scope="module")
def dated(door: Door) -> Door:
    """The suite, with the dated documents in a collection of their own."""
    ingest(door.port, str(Path(DATA) / "time" / "documents"), "--collection", COLLECTION)
    return door


@pytest.mark.parametrize("line", QUESTIONS, ids=[" / ".join((*q.get("history", ()), q["question"])) for q in QUESTIONS])
def test_an_answer_shows_what_lies_in_the_range_that_is_asked_for(dated: Door, line: dict[str, object]) -> None:
    answer = answer_line(dated.gateway, line, COLLECTION)
    assert (answer.missing, answer.unmarked) == ([], []), answer.text


def test_that_nothing_lies_in_the_range_is_said(dated: Door) -> None:
    (line,) = [line for line in QUESTIONS if not line["facts_in"]]
    answer = answer_line(dated.gateway, line, COLLECTION)
    assert answer.is_hedged
