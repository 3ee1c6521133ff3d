"""`parley ask --timeline FILE` writes the course of events in the form that the file's name ends in."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Run
from tests.unit.cli.turn_events import turn

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


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("landings.md", "- **January 2004**: Spirit drove.[^2]\n"),
        ("landings.ICS", "\r\nDTSTART;VALUE=DATE:19760720\r\n"),
    ],
)
def test_the_name_says_in_which_format_the_file_is_written(
    gateway: Any, parley: Run, tmp_path: Path, name: str, content: str
) -> None:
    gateway.turns = [turn(told(*LANDINGS), DONE)]
    result = parley("ask", "Which landings?", "--timeline", str(tmp_path / name))
    assert (result.exit_code, gateway.asked[-1].options.pro) == (0, True), result.output
    assert [file.name for file in tmp_path.iterdir()] == [name]
    written = (tmp_path / name).read_bytes().decode()
    assert "Which landings?" in written
    assert content in written


def test_json_is_that_of_the_contract(gateway: Any, parley: Run, tmp_path: Path) -> None:
    gateway.turns = [turn(told(*LANDINGS), DONE)]
    assert parley("ask", "Which landings?", "--timeline", str(tmp_path / "landings.json")).exit_code == 0
    written = json.loads((tmp_path / "landings.json").read_text(encoding="utf-8"))
    assert [event["text"] for event in written["events"]] == [text for text, _, _ in LANDINGS]
    assert written["events"][1]["start"] == {"year": 2004, "month": 1}


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
        (("--conversation", "{folder}/two.jsonl", "--timeline", "timeline.md"), "the timeline of one question"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_asked(
    gateway: Any, parley: Run, tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    (tmp_path / "two.jsonl").write_text('{"question": "Which?"}\n{"question": "When?"}\n')
    result = parley("ask", *(argument.format(folder=tmp_path) for argument in arguments))
    assert result.exit_code == 1
    assert complaint in result.output
    assert gateway.asked == []
