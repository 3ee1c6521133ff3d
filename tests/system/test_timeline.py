"""The timeline beside the answer, over the samples and over articles that a run brings along."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluation.timelines import read_timelines
from libs.contracts.dates import PartialDate
from libs.text.dates.document_dates import find_dates
from parley.context.v1 import basics_pb2, timeline_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import Door, one, parley

pytestmark = pytest.mark.xdist_group("suite")

QUESTIONS = (
    "What is the history of missions to Mars?",
    "How did the Apollo programme unfold?",
    "What happened in the exploration of the Moon?",
)


def timeline(door: Door, question: str) -> timeline_pb2.Timeline:
    """The timeline of a pro question, in a session of its own."""
    content: timeline_pb2.Timeline = one(door.ask(question, pro=True), "timeline").timeline
    return content


def as_told(date: basics_pb2.PartialDate) -> PartialDate:
    return PartialDate(date.year, date.month, date.day)


def wrong_dates(door: Door, events: Sequence[timeline_pb2.TimelineEvent]) -> list[str]:
    """The events whose date neither their own words nor, for `three days later`, a date of their document gives."""
    return [event.text for event in events if as_told(event.start) not in possible_dates(door, event)]


def possible_dates(door: Door, event: timeline_pb2.TimelineEvent) -> set[PartialDate]:
    """What the words of the date tell by themselves, or counted from any date of the document."""
    absolute = {mention.first for mention in find_dates(event.date_text, language="en")}
    if absolute:  # and `June` in `June and July 2014`
        return absolute | counted(event, absolute)
    request = corpus_pb2.GetDocumentRequest(document_id=event.sources[0].document_id)
    return counted(
        event, {mention.first for mention in find_dates(door.corpus.GetDocument(request).document.text, language="en")}
    )


def counted(event: timeline_pb2.TimelineEvent, anchors: set[PartialDate]) -> set[PartialDate]:
    """What the words of the date tell when they are counted from one of these dates."""
    mentions = [mention for anchor in anchors for mention in find_dates(event.sources[0].quote, anchor, language="en")]
    return {mention.first for mention in mentions if event.date_text.startswith(mention.text)}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_pro_question_has_a_timeline_whose_dates_occur_in_its_sources(door: Door, question: str) -> None:
    drawn_timeline = timeline(door, question)
    assert len(drawn_timeline.events) >= 8
    assert not any(event.carried for event in drawn_timeline.events)
    assert wrong_dates(door, drawn_timeline.events) == []
    starts = [(event.start.year, event.start.month, event.start.day) for event in drawn_timeline.events]
    assert starts == sorted(starts)


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
