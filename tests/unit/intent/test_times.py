from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.dates import TimeRange
from libs.contracts.understanding import GroundedKind, RangeUse
from services.intent.grounding.groundings import rewrite
from services.intent.grounding.range_wording import in_words, iso
from services.intent.grounding.times import ground_times

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 12, 14, 30, tzinfo=BERLIN)
"""A Thursday."""


def day(year: int, month: int, day_of_month: int) -> datetime:
    return datetime(year, month, day_of_month, tzinfo=BERLIN)


def test_a_relative_time_becomes_an_exact_range_and_is_told_in_words() -> None:
    question = "What happened last week?"
    times = ground_times(question, NOW, language="en")
    assert times.time_range == TimeRange(day(2026, 11, 2), day(2026, 11, 9))
    assert rewrite(question, times.groundings) == "What happened from 2 to 8 November 2026?"
    (grounding,) = times.groundings
    assert grounding.grounded.kind is GroundedKind.TIME
    assert grounding.grounded.span.of(question) == grounding.grounded.phrase == "last week"
    assert grounding.grounded.value == "2026-11-02/2026-11-09"


@pytest.mark.parametrize(
    ("question", "use"),
    [
        ("What landed on Mars in 2012?", RangeUse.BOOST),
        ("missions in the 1970s", RangeUse.BOOST),
        ("What happened last week?", RangeUse.FILTER),
        ("Which missions flew between 2012 and 2014?", RangeUse.BOOST),
        ("What film was released in 1977?", RangeUse.BOOST),
        ("reports about the landings in 2012", RangeUse.BOOST),
        ("documents about what happened last week", RangeUse.FILTER),
        ("What did the report say about 2012?", RangeUse.BOOST),
        ("last week's launch", RangeUse.FILTER),
        ("What is planned for next year?", RangeUse.FILTER),
        ("launches since last Monday", RangeUse.FILTER),
        ("news of last week", RangeUse.FILTER),
        ("news about Mars from last week", RangeUse.FILTER),
        ("last week's news", RangeUse.FILTER),
        ("today's headlines", RangeUse.FILTER),
        ("reports published since May", RangeUse.FILTER),
        ("latest articles in the past month", RangeUse.FILTER),
        ("What articles were published last week?", RangeUse.FILTER),
        ("What was posted yesterday?", RangeUse.FILTER),
        ("which reports from last month mention Artemis?", RangeUse.FILTER),
        ("reports from May 2026", RangeUse.BOOST),
        ("What's new since June?", RangeUse.FILTER),
        ("papers written in 2012", RangeUse.BOOST),
        ("any updates this week?", RangeUse.FILTER),
    ],
)
def test_a_time_counted_from_the_asker_s_date_filters_and_an_absolute_one_boosts(question: str, use: RangeUse) -> None:
    assert ground_times(question, NOW, language="en").use is use


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("news of last week", "news from 2 to 8 November 2026"),
        ("What flew over the past three months?", "What flew from 12 August to 12 November 2026?"),
        ("reports published since May", "reports published since 1 May 2026"),
        ("last week’s launch", "last week’s (from 2 to 8 November 2026) launch"),
        ("What was launched yesterday?", "What was launched on 11 November 2026?"),
        ("What will fly next year?", "What will fly in 2027?"),
        ("What flew last month?", "What flew in October 2026?"),
        ("open until next Friday", "open until 13 November 2026"),
        ("in the last 24 hours", "from 11 November 2026, 14:30 to 12 November 2026, 14:30"),
        ("Did it rain an hour ago?", "Did it rain on 12 November 2026?"),
    ],
)
def test_a_relative_time_makes_way_for_its_range_with_its_preposition(question: str, rewritten: str) -> None:
    assert rewrite(question, ground_times(question, NOW, language="en").groundings) == rewritten


@pytest.mark.parametrize(
    "question",
    ["What landed on Mars in 2012?", "missions in the 1970s", "What flew on 20 July 1969?", "landings before 1970"],
)
def test_an_absolute_time_keeps_its_words_and_gives_a_range(question: str) -> None:
    times = ground_times(question, NOW, language="en")
    assert times.time_range is not None
    assert rewrite(question, times.groundings) == question


@pytest.mark.parametrize(
    ("question", "explanation"),
    [
        ("recently launched probes", "no exact time"),
        ("What flew in the last few months?", "no exact time"),
        ("What happened on 31 February?", "no such time"),
        ("Is the mirror still in use today?", "the present"),
        ("Are there storms in the summer months?", "no year"),
        ("Who sang Yesterday?", "part of a name"),
    ],
)
def test_what_is_vague_impossible_or_no_time_is_left_as_it_stands_and_said_so(question: str, explanation: str) -> None:
    times = ground_times(question, NOW, language="en")
    assert (times.time_range, times.use) == (None, None)
    assert rewrite(question, times.groundings) == question
    (grounding,) = times.groundings
    assert grounding.grounded.value == ""
    assert explanation in grounding.grounded.reason


def test_several_times_span_from_the_first_to_the_last() -> None:
    times = ground_times("Compare the 1970s and the 2000s", NOW, language="en")
    assert times.time_range == TimeRange(day(1970, 1, 1), day(2010, 1, 1))
    assert len(times.groundings) == 2


def test_one_time_of_events_among_several_makes_the_range_a_boost() -> None:
    assert (
        ground_times("Which articles of last week tell of landings in 1969?", NOW, language="en").use is RangeUse.BOOST
    )


def test_a_question_without_a_time_has_no_range() -> None:
    assert ground_times("How far is the Moon?", NOW, language="en").time_range is None


def test_the_day_is_that_of_the_askers_zone() -> None:
    late = datetime(2026, 3, 1, 2, 0, tzinfo=UTC)
    here = ground_times(
        "launches of yesterday", late.astimezone(ZoneInfo("America/New_York")), language="en"
    ).time_range
    assert here is not None
    assert here.start is not None
    assert here.start.date().isoformat() == "2026-02-27"


MOMENTS = st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2100, 1, 1)).map(
    lambda m: m.replace(tzinfo=UTC)
)


@given(MOMENTS, st.timedeltas(min_value=timedelta(minutes=1), max_value=timedelta(days=20_000)))
def test_the_words_of_a_range_name_the_years_that_it_begins_and_ends_in(start: datetime, length: timedelta) -> None:
    end = start + length
    words = in_words(TimeRange(start, end), "", "en")
    last = end - timedelta(minutes=1) if end.time() == datetime.min.time() else end
    assert str(last.year) in words
    assert str(start.year) in words
    assert iso(TimeRange(start, end)).count("/") == 1


@given(MOMENTS, st.integers(1, 40))
def test_a_range_of_whole_days_tells_its_last_day_and_never_the_day_after_it(moment: datetime, days: int) -> None:
    start = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    last = start + timedelta(days=days - 1)
    words = in_words(TimeRange(start, start + timedelta(days=days)), "", "en")
    assert f"{last.year}" in words
    assert f"{last:%B}" in words or words == f"in {last.year}"
    if days < 28:
        assert f"{last.day} " in words


@pytest.mark.parametrize(
    ("stretch", "words"),
    [
        (TimeRange(None, day(1970, 1, 1)), "before 1 January 1970"),
        (TimeRange(day(2004, 6, 1), None), "from 1 June 2004 on"),
        (TimeRange(day(2020, 1, 1), day(2025, 1, 1)), "from 2020 to 2024"),
        (TimeRange(day(2025, 11, 1), day(2026, 2, 1)), "from November 2025 to January 2026"),
        (TimeRange(day(2026, 3, 1), day(2026, 8, 1)), "from March to July 2026"),
        (TimeRange(day(2025, 12, 28), day(2026, 1, 4)), "from 28 December 2025 to 3 January 2026"),
        (TimeRange(day(2026, 10, 30), day(2026, 11, 6)), "from 30 October to 5 November 2026"),
    ],
)
def test_a_range_in_words(stretch: TimeRange, words: str) -> None:
    assert in_words(stretch, "", "en") == words


def test_a_range_without_sides_has_no_words() -> None:
    with pytest.raises(ValueError, match="without sides"):
        in_words(TimeRange(), "", "en")


@pytest.mark.parametrize(
    ("question", "standalone"),
    [
        ("Was geschah seit Montag im Rathaus?", "Was geschah seit dem 23. Februar 2026 im Rathaus?"),
        ("Was wurde letzte Woche beschlossen?", "Was wurde vom 16. bis zum 22. Februar 2026 beschlossen?"),
        ("Was passierte im letzten Jahr in Erlau?", "Was passierte im Jahr 2025 in Erlau?"),
        ("Welche Straßen waren bis gestern gesperrt?", "Welche Straßen waren bis zum 27. Februar 2026 gesperrt?"),
        ("Was steht im Bericht vom letzten Monat?", "Was steht im Bericht im Januar 2026?"),
        ("Was geschah in den letzten zwei Stunden?", "Was geschah am 28. Februar 2026 von 10:00 bis 12:00 Uhr?"),
        ("Die gestrige Sitzung war lang.", "Die gestrige Sitzung war lang."),
    ],
)
def test_a_german_time_is_given_in_german_words(question: str, standalone: str) -> None:
    now = datetime(2026, 2, 28, 12, tzinfo=UTC)
    assert rewrite(question, ground_times(question, now, "de").groundings) == standalone


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What did Ida do today?", "2026-11-12/2026-11-13"),
        ("sales in November a year ago", "2025-11-01/2025-12-01"),
        ("What happened on Monday?", "2026-11-09/2026-11-10"),
    ],
)
def test_what_was_done_is_of_its_day_or_month(question: str, value: str) -> None:
    (grounding,) = ground_times(question, NOW, language="en").groundings
    assert grounding.grounded.value == value


@pytest.mark.parametrize(
    "question", ["Is the museum open on Monday?", "Is the museum open at Christmas?", "What is on in January?"]
)
def test_what_holds_each_week_or_year_is_no_day(question: str) -> None:
    assert ground_times(question, NOW, language="en").time_range is None
