"""Timelines of articles that a run brings along."""

import json
from pathlib import Path

import pytest

from evaluation.timelines import read_timelines
from tests.system.door import Door, parley

pytestmark = pytest.mark.xdist_group("suite")


def test_articles_are_taken_in_and_their_timelines_written_and_scored(door: Door, tmp_path: Path) -> None:
    text = "Ferry sinks\nTuesday, April 11, 2023\n\nA ferry sank on Thursday.\n\nDivers were hired in March.\n"
    marks = [("sank", "Thursday", "2023-04-06"), ("hired", "March", "2023-03-xx")]
    events = [
        {"id": word, "start": text.index(word), "end": text.index(word) + len(word), "timex": timex, "timex_note": note}
        for word, timex, note in marks
    ]
    article = {"id": "ferry", "title": "Ferry sinks", "dateline": "Tuesday, April 11, 2023", "text": text}
    articles, out = tmp_path / "articles.jsonl", tmp_path / "run.jsonl"
    articles.write_text(json.dumps(article | {"events": events, "after": [["hired", "sank"]]}), encoding="utf-8")
    process = parley(door.port, "eval", "timeline", "--articles", str(articles), "--out", str(out))
    assert (process.returncode, process.stdout) == (0, "wrote 1 timelines\n"), process.stderr
    run = read_timelines(out)["ferry"]
    for event in run.events:
        assert text[slice(*event.source_span)] == event.text
    assert {event.date for event in run.events} == {"2023-04-06", "2023-03-xx"}
