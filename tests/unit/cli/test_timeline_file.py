"""`parley ask --timeline FILE` writes the course of events in the form that the file's name ends in."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tests.unit.cli.turn_events import turn

Run = Callable[..., Result]
DONE = {"text_end": {"text": "Done."}}
LANDINGS = [
    ("Viking 1 landed; “it works” <b>& more</b>, they said.", {"year": 1976, "month": 7, "day": 20}, "PRECISION_DAY"),
    ("Spirit drove.", {"year": 2004, "month": 1}, "PRECISION_MONTH"),
]


def told(*events: tuple[str, dict[str, int], str]) -> dict[str, Any]:
    """A timeline event of a turn."""
    return {
        "timeline": {
            "granularity": "GRANULARITY_YEAR",
            "engine": "rules",
            "events": [
                {
                    "event_id": f"e{number}",
                    "text": text,
                    "start": start,
                    "precision": precision,
                    "date_text": "then",
                    "sources": [{"passage_id": "mars#0", "document_id": "mars", "quote": text}],
                }
                for number, (text, start, precision) in enumerate(events, start=1)
            ],
        }
    }


@pytest.fixture
def write(gateway: Any, parley: Run, tmp_path: Path) -> Callable[[str], str]:
    """Asks for the landings and gives what was written into a file of that name."""

    def run(name: str) -> str:
        gateway.turns = [turn(told(*LANDINGS), DONE)]
        result = parley("ask", "Which landings?", "--timeline", str(tmp_path / name))
        assert (result.exit_code, gateway.asked[-1].options.pro) == (0, True), result.output
        assert [file.name for file in tmp_path.iterdir()] == [name]
        return (tmp_path / name).read_bytes().decode()

    return run


def test_json_tells_events_with_their_sources(write: Callable[[str], str]) -> None:
    content = json.loads(write("landings.json"))
    assert content["title"] == "Which landings?"
    assert [(event["start"], event["text"]) for event in content["events"]] == [
        ("1976-07-20", LANDINGS[0][0]),
        ("2004-01", "Spirit drove."),
    ]


def test_markdown_tells_events_with_footnotes(write: Callable[[str], str]) -> None:
    lines = write("landings.md").splitlines()
    assert lines[0] == "# Which landings?"
    assert lines[3] == "- **January 2004**: Spirit drove.[^2]"


def test_a_calendar_has_an_entry_an_event_and_short_lines(write: Callable[[str], str]) -> None:
    calendar = write("landings.ICS")
    assert calendar.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert calendar.count("\n") == calendar.count("\r\n")
    assert all(len(line.encode()) <= 75 for line in calendar.split("\r\n"))
    assert re.findall(r"DT(?:START|END);VALUE=DATE:(\d+)", calendar) == ["19760720", "19760721", "20040101", "20040201"]


def test_of_several_timelines_of_a_turn_the_last_one_is_written(gateway: Any, parley: Run, tmp_path: Path) -> None:
    gateway.turns = [turn(told(LANDINGS[0]), told(*LANDINGS), DONE)]
    assert parley("ask", "Which?", "--timeline", str(tmp_path / "a.json")).exit_code == 0
    assert len(json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["events"]) == 2


def test_without_events_nothing_is_written_and_the_end_is_1(gateway: Any, parley: Run, tmp_path: Path) -> None:
    existing_file = tmp_path / "kept.json"
    existing_file.write_text("of yesterday")
    gateway.turns = [turn(DONE)]
    result = parley("ask", "Which?", "--timeline", str(existing_file))
    assert (result.exit_code, existing_file.read_text()) == (1, "of yesterday")
    assert "The answer has no dated events" in result.output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("Which?", "--timeline", "timeline.pdf"), "must end with .json, .md, .ics: timeline.pdf."),
        (("Which?", "--timeline", "nowhere/timeline.md"), "There is no folder nowhere to write the timeline to."),
        (("Which?", "--contrast", "--timeline", "timeline.md"), "cannot be combined with --timeline"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_asked(
    gateway: Any, parley: Run, arguments: tuple[str, ...], complaint: str
) -> None:
    result = parley("ask", *arguments)
    assert result.exit_code == 1
    assert complaint in result.output
    assert gateway.asked == []


def test_a_conversation_of_several_questions_has_no_one_timeline(gateway: Any, parley: Run, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"question": "Which?"}\n{"question": "When?"}\n', encoding="utf-8")
    result = parley("ask", "--conversation", str(questions), "--timeline", str(tmp_path / "a.md"))
    assert (result.exit_code, gateway.asked) == (1, [])
