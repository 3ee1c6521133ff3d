"""What a run of timelines is worth beside events that people have marked."""

import json
from pathlib import Path

import pytest

from cli.connection.gateway_connection import CommandError
from evaluation.articles import read_articles
from evaluation.files import write_each
from evaluation.timeline_scoring import TimelineScore, baseline
from evaluation.timelines import TimelineEntry, TimelineRun, read_timelines

TEXT = "Ferry sinks\nTuesday, April 11, 2023\nA ferry sank on Thursday. Divers had been hired in March. Nobody died."
SANK, HIRED, DIED = (TEXT.index(word) for word in ("sank", "hired", "died"))
ARTICLE = {
    "id": "ferry",
    "title": "Ferry sinks",
    "dateline": "Tuesday, April 11, 2023",
    "text": TEXT,
    "events": [
        {"id": "E1", "start": SANK, "end": SANK + 4, "timex": "Thursday", "timex_note": "2023-04-06"},
        {"id": "E2", "start": HIRED, "end": HIRED + 5, "timex": "March", "timex_note": "2023-03-xx"},
        {"id": "E3", "start": DIED, "end": DIED + 4, "timex": None, "timex_note": None},
    ],
    "after": [["E2", "E1"]],
}


def told(sentence: str, date: str) -> TimelineEntry:
    start = TEXT.index(sentence)
    return TimelineEntry(sentence, (start, start + len(sentence)), date, "day")


SINKING = told("A ferry sank on Thursday.", "2023-04-06")
HIRING = told("Divers had been hired in March.", "2023-03-xx")


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    path = tmp_path / "articles.jsonl"
    path.write_text(json.dumps(ARTICLE) + "\n", encoding="utf-8")
    return path


def scored(articles: Path, *events: TimelineEntry, order: tuple[tuple[int, int], ...] = ()) -> TimelineScore:
    return TimelineScore.of(read_articles(articles), {"ferry": TimelineRun("ferry", events, order)})


def test_dates_order_and_found_events_are_counted(articles: Path) -> None:
    score = scored(articles, SINKING, HIRING, order=((0, 1),))
    assert (str(score.dated), str(score.ordered), str(score.recall)) == ("2/2 = 1.000", "1/1 = 1.000", "2/3 = 0.667")
    assert (score.slips, score.in_one, score.not_found) == ([], 0, 0)


def test_a_wrong_date_is_listed_by_name(articles: Path) -> None:
    score = scored(articles, told("A ferry sank on Thursday.", "2023-04-13"), HIRING)
    assert score.slips == ["ferry: 'Thursday' is 2023-04-06"]


def test_the_order_may_lead_over_events_in_between(articles: Path) -> None:
    between = told("Nobody died.", "2023-04-01")
    assert scored(articles, SINKING, HIRING, between, order=((0, 2), (2, 1))).ordered.good == 1
    assert scored(articles, SINKING, HIRING, between, order=((1, 2), (2, 0))).ordered.good == 0


def test_a_pair_in_one_event_and_a_pair_not_found_are_counted_apart(articles: Path) -> None:
    both = told("A ferry sank on Thursday. Divers had been hired in March.", "2023-04-06")
    assert (scored(articles, both).in_one, scored(articles, both).ordered.of) == (1, 0)
    assert scored(articles, SINKING).not_found == 1


def test_only_as_many_events_as_are_marked_count_for_recall(articles: Path) -> None:
    others = [told("Tuesday", "2023-04-11")] * 3
    assert scored(articles, *others, SINKING).recall.good == 0


def test_the_baseline_is_the_sentences_after_the_dateline_in_text_order(articles: Path) -> None:
    (run,) = baseline(read_articles(articles)).values()
    assert [event.text.split()[0] for event in run.events] == ["A", "Divers", "Nobody"]
    assert run.order == ((1, 0), (2, 1))


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = TimelineRun("ferry", (SINKING, HIRING), ((0, 1),))
    assert list(write_each(tmp_path / "runs" / "run.jsonl", [run])) == [run]
    assert read_timelines(tmp_path / "runs" / "run.jsonl") == {"ferry": run}


@pytest.mark.parametrize("line", ["{}", "[1]", "no json", json.dumps(ARTICLE | {"dateline": "yesterday"})])
def test_what_is_no_article_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "articles.jsonl"
    path.write_text(f"{json.dumps(ARTICLE)}\n{line}\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"Line 2 of .* is not an article"):
        read_articles(path)
