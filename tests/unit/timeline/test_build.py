"""From evidence to a timeline."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Evidence, ImageReference
from libs.contracts.stages.timeline import Built
from libs.contracts.timeline import Timeline
from libs.contracts.usage import Progress, Stage
from services.timeline.build import TimelineBounds, TimelineBuilder
from services.timeline.extraction.events import find_events
from tests.unit.timeline.evidence_making import corpus_in_passages, documents, draw_timeline, evidence, passage, when

PLACES = "Gale Jezero Gusev Utopia Chryse Elysium Isidis Hellas Argyre Arabia".split()  # noqa: SIM905


async def build_timeline(
    question: str,
    sources: Sequence[Evidence],
    time_range: TimeRange | None = None,
    max_events: int = 0,
    bounds: TimelineBounds | None = None,
) -> Timeline:
    steps = [
        step
        async for step in TimelineBuilder(bounds or TimelineBounds()).build(question, sources, time_range, max_events)
    ]
    assert isinstance(steps[-1], Built)
    return steps[-1].timeline


def year(number: int) -> TimeRange:
    return TimeRange(datetime(number, 1, 1, tzinfo=UTC), datetime(number + 1, 1, 1, tzinfo=UTC))


async def test_events_come_in_the_order_of_time_vague_ones_first_numbered() -> None:
    timeline = await build_timeline(
        "What happened?",
        documents("Spirit landed in January 2004. Opportunity landed on 25 January 2004.", "Rovers drove in 2004."),
    )
    assert [(event.event_id, when(event)) for event in timeline.events] == [
        ("e1", "2004"),
        ("e2", "2004-01"),
        ("e3", "2004-01-25"),
    ]


async def test_progress_comes_first_the_timeline_last_with_its_usage() -> None:
    steps = [step async for step in TimelineBuilder().build("What?", documents("Luna 9 landed in 1966."))]
    assert [type(step) for step in steps] == [Progress, Progress, Built]
    assert isinstance(steps[-1], Built)
    (usage,) = steps[-1].usage
    assert (usage.stage, usage.task, usage.milliseconds > 0) == (Stage.TIMELINE, "build", True)


@pytest.mark.parametrize(("max_events", "count"), [(0, 7), (3, 3), (500, 10)])
async def test_the_request_s_greatest_number_of_events_goes_before_the_setting(max_events: int, count: int) -> None:
    texts = [f"The probe reached {place} in {1990 + number}." for number, place in enumerate(PLACES)]
    bounds = TimelineBounds(max_events=7)
    timeline = await build_timeline("What?", documents(*texts), max_events=max_events, bounds=bounds)
    assert len(timeline.events) == count


async def test_the_best_are_told_where_not_all_can_be() -> None:
    texts = (
        "Viking landed on Mars on 20 July 1976.",
        "Mars was cold in 1980.",
        "Phoenix landed on Mars on 25 May 2008.",
    )
    timeline = await build_timeline("Mars landings", documents(*texts), max_events=2)
    assert [when(event) for event in timeline.events] == ["1976-07-20", "2008-05-25"]


async def test_events_in_conflict_are_told_together_or_not_at_all() -> None:
    texts = ("Luna 9 landed on 3 February 1966.", "Luna 9 landed on 4 February 1966.", "Luna 2 hit the Moon in 1959.")
    both = await build_timeline("Luna 9", documents(*texts), max_events=2)
    assert [when(event) for event in both.events] == ["1966-02-03", "1966-02-04"]
    (conflict,) = both.conflicts
    assert conflict.event_ids == ("e1", "e2")
    assert conflict.reason == "Sources differ on the date: '3 February 1966' (d1), '4 February 1966' (d2)."
    assert (await build_timeline("Luna 9", documents(*texts), max_events=1)).conflicts == ()


async def test_a_sentence_cut_in_two_is_told_whole_and_cited_where_its_date_stands() -> None:
    text = "On 4 July 1997 Mars Pathfinder flew straight into the atmosphere and bounced at least fifteen times."
    first, second = passage(text[:60]), passage(text[50:], start=50)
    (event,) = (await build_timeline("Pathfinder", evidence(second, first))).events
    assert event.text == text
    assert [source.quote for source in event.sources] == [text[:60]]


QUESTIONS = (
    "What is the history of Mars landings?",
    "How did the exploration of Venus develop?",
    "What happened during Apollo 11?",
    "What did China do on the Moon?",
)


@pytest.mark.parametrize("question", QUESTIONS)
async def test_every_event_of_the_samples_is_cited_by_words_that_hold_its_date(question: str) -> None:
    sources = corpus_in_passages()
    texts = {item.passage.passage_id: item.passage.text for item in sources}
    timeline = await build_timeline(question, sources)
    assert len(timeline.events) >= 6
    for event in timeline.events:
        assert event.sources
        assert any(event.date_text in source.quote for source in event.sources)
        assert all(source.span.of(texts[source.passage_id]) == source.quote for source in event.sources)
    assert all(a.start.first_day <= b.start.first_day for a, b in pairwise(timeline.events))


async def test_of_a_numbered_mission_no_event_of_its_sisters_is_told() -> None:
    timeline = await build_timeline("What happened during Apollo 11?", corpus_in_passages())
    assert all("Apollo 11" in event.text or event.sources[0].document_id == "apollo-11" for event in timeline.events)


LANDINGS = {
    "1971-11-27": "Mars 2",
    "2004-01-04": "Spirit",
    "2008-05-25": "Phoenix",
    "2012-08-06": "Curiosity",
    "2018-11-26": "InSight",
    "2021-02-18": "Perseverance",
}


async def test_the_landings_on_mars_are_on_their_days() -> None:
    timeline = await build_timeline("What is the history of Mars landings?", corpus_in_passages())
    dated_texts = [(when(event), event.text) for event in timeline.events]
    missing = {
        day: who for day, who in LANDINGS.items() if not any(d == day and who in text for d, text in dated_texts)
    }
    assert missing == {}


FORMATS = ("%d %B %Y", "%B %Y", "%Y")
COUNTED = {
    "Three days later Apollo 11 entered orbit": "1969-07-19",
    "the rover Yutu-2 rolled down": "2019-01-03",
    "the launch came only fifteen months later": "2013-11",
    "A sister craft, launched five days later": "1970-08-22",
    "One day later Orion passed": "2022-11-26",
}


def plainly_read(date_text: str) -> str | None:
    """`20 July 1969`, `July 1969`, `1969` by other means than ours, None for anything else."""
    for form in FORMATS:
        try:
            parsed_date = datetime.strptime(date_text, form)
        except ValueError:
            continue
        return parsed_date.strftime({"%d": "%Y-%m-%d", "%B": "%Y-%m", "%Y": "%Y"}[form[:2]])
    return None


async def test_all_dates_of_the_samples_are_those_of_their_words() -> None:
    timeline = await build_timeline("What happened when?", corpus_in_passages(), max_events=500)
    plain = [(when(event), parsed_date) for event in timeline.events if (parsed_date := plainly_read(event.date_text))]
    assert len(plain) > 300
    assert [pair for pair in plain if pair[0] != pair[1]] == []
    relative = [event for event in timeline.events if plainly_read(event.date_text) is None]
    resolved_dates = {words: when(event) for event in relative for words in COUNTED if words in event.text}
    assert resolved_dates.items() <= COUNTED.items()
    assert len(resolved_dates) >= 3


async def test_asked_for_a_year_the_samples_keep_to_it() -> None:
    timeline = await build_timeline("What happened on the Moon?", corpus_in_passages(), year(1969))
    assert len(timeline.events) >= 4
    assert {event.start.year for event in timeline.events} == {1969}


TEXT = "Viking 1 landed on Mars on 20 July 1976. The rover Sojourner left its ramp on 6 July 1997."
LANDER = ImageReference("lander", "The lander Viking 1 on Mars", width=640, height=480)
ROVER = ImageReference("rover", "The rover Sojourner beside its ramp", width=640, height=480)


def pictures(*images: ImageReference, text: str = TEXT) -> dict[str, str]:
    """The picture of each event that has one, by the event's year."""
    statements = find_events("What happened when?", evidence(replace(passage(text), images=images)))
    events = draw_timeline(statements, 10).events
    return {str(event.start.year): event.image.image_id for event in events if event.image}


def test_each_event_has_the_picture_whose_caption_tells_it() -> None:
    assert pictures(ROVER, LANDER) == {"1976": "lander", "1997": "rover"}


def test_a_picture_stands_beside_one_event_only_the_one_it_fits_best() -> None:
    text = f"{TEXT} Viking 1 sent its last words from Mars in 1982."
    assert pictures(LANDER, text=text) == {"1976": "lander"}


@pytest.mark.parametrize(
    "image",
    [
        *(replace(LANDER, caption=caption) for caption in ("", "A nebula in Orion", "Mars")),
        replace(LANDER, entropy=0.9),
    ],
)
def test_a_picture_of_something_else_or_of_nothing_is_left_out(image: ImageReference) -> None:
    assert pictures(image) == {}
