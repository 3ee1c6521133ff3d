"""Times in questions: each phrase has one exact range, or says why it has none."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.text.calendar_readers import feast_day
from libs.text.relative_time import TimeMention, find_time_ranges

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2024, 5, 15, 14, 30, tzinfo=BERLIN)
"""A Wednesday."""
NOON = "2024-05-15 14:30"


def only(question: str, now: datetime = NOW) -> TimeMention:
    (mention,) = find_time_ranges(question, now, language="en")
    return mention


def wall(moment: datetime | None) -> str:
    if moment is None:
        return ""
    return moment.strftime("%Y-%m-%d" if (moment.hour, moment.minute) == (0, 0) else "%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("today", "2024-05-15", "2024-05-16"),
        ("yesterday", "2024-05-14", "2024-05-15"),
        ("the day after tomorrow", "2024-05-17", "2024-05-18"),
        ("yesterday morning", "2024-05-14 06:00", "2024-05-14 12:00"),
        ("last night", "2024-05-14 18:00", "2024-05-15 06:00"),
        ("this week", "2024-05-13", "2024-05-20"),
        ("last week", "2024-05-06", "2024-05-13"),
        ("last weekend", "2024-05-11", "2024-05-13"),
        ("next month", "2024-06-01", "2024-07-01"),
        ("the previous month", "2024-04-01", "2024-05-01"),
        ("last quarter", "2024-01-01", "2024-04-01"),
        ("last year", "2023-01-01", "2024-01-01"),
        ("last century", "1901-01-01", "2001-01-01"),
        ("so far this year", "2024-01-01", NOON),
        ("last Tuesday", "2024-05-14", "2024-05-15"),
        ("last wednesday", "2024-05-08", "2024-05-09"),
        ("next Wednesday", "2024-05-22", "2024-05-23"),
        ("this Monday", "2024-05-13", "2024-05-14"),
        ("monday last week", "2024-05-06", "2024-05-07"),
        ("last July", "2023-07-01", "2023-08-01"),
        ("july last year", "2023-07-01", "2023-08-01"),
        ("next march", "2025-03-01", "2025-04-01"),
        ("last summer", "2023-06-01", "2023-09-01"),
        ("this spring", "2024-03-01", "2024-06-01"),
        ("the first quarter of last year", "2023-01-01", "2023-04-01"),
        ("the second half of 2020", "2020-07-01", "2021-01-01"),
        ("week 12 of 2024", "2024-03-18", "2024-03-25"),
        ("last Christmas", "2023-12-25", "2023-12-26"),
        ("Easter 2019", "2019-04-21", "2019-04-22"),
        ("the nineties", "1990-01-01", "2000-01-01"),
    ],
)
def test_units_of_the_calendar_are_whole(phrase: str, start: str, end: str) -> None:
    mention = only(f"what changed {phrase}?")
    assert mention.text == phrase
    assert mention.range is not None
    assert (wall(mention.range.start), wall(mention.range.end)) == (start, end)


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("the past three months", "2024-02-15 14:30", NOON),
        ("last 10 days", "2024-05-05 14:30", NOON),
        ("the last two years", "2022-05-15 14:30", NOON),
        ("the past decade", "2014-05-15 14:30", NOON),
        ("the last 24 hours", "2024-05-14 14:30", NOON),
        ("the past week", "2024-05-08 14:30", NOON),
        ("the next two weeks", NOON, "2024-05-29 14:30"),
        ("two weeks ago", "2024-04-29", "2024-05-06"),
        ("five years ago", "2019-01-01", "2020-01-01"),
        ("a couple of days ago", "2024-05-13", "2024-05-14"),
        ("an hour ago", "2024-05-15 13:00", "2024-05-15 14:00"),
        ("more than 5 years ago", "", "2019-05-15 14:30"),
    ],
)
def test_spans_are_counted_from_now(phrase: str, start: str, end: str) -> None:
    mention = only(f"what changed in {phrase}?")
    assert mention.text == phrase
    assert mention.range is not None
    assert (wall(mention.range.start), wall(mention.range.end)) == (start, end)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("launched in 1969", "1969-01-01", "1970-01-01"),
        ("launched in july 1969", "1969-07-01", "1969-08-01"),
        ("launched on 20 July 1969", "1969-07-20", "1969-07-21"),
        ("launched on 20 july", "2023-07-20", "2023-07-21"),
        ("launched in the 1970s", "1970-01-01", "1980-01-01"),
        ("launched in early 2004", "2004-01-01", "2004-05-01"),
        ("launched in late march 2004", "2004-03-21", "2004-04-01"),
        ("launched in the late 1970s", "1977-01-01", "1980-01-01"),
        ("launched between 1970 and 1980", "1970-01-01", "1981-01-01"),
        ("launched from May to July 1969", "1969-05-01", "1969-08-01"),
        ("launched between last Monday and yesterday", "2024-05-13", "2024-05-15"),
        ("open from Monday to Friday", "2024-05-06", "2024-05-11"),
        ("launched before 1970", "", "1970-01-01"),
        ("launched after May 2004", "2004-06-01", ""),
        ("launched until yesterday", "", "2024-05-15"),
        ("launched by 2010", "", "2011-01-01"),
        ("launched since 2019", "2019-01-01", NOON),
        ("launched since Easter", "2024-03-31", NOON),
        ("launched since last week", "2024-05-06", NOON),
        ("launched since may", "2024-05-01", NOON),
        ("launched from 2019 onwards", "2019-01-01", ""),
    ],
)
def test_dates_and_the_prepositions_before_them_bound_the_range(question: str, start: str, end: str) -> None:
    time_range = only(question).range
    assert time_range is not None
    assert (wall(time_range.start), wall(time_range.end)) == (start, end)


@pytest.mark.parametrize("phrase", ["recently", "the past few months", "several years ago", "in recent years"])
def test_a_vague_phrase_is_found_and_said_to_be_vague(phrase: str) -> None:
    mention = only(f"what changed {phrase}?")
    assert (mention.text, mention.range, mention.why) == (phrase, None, "vague")


@pytest.mark.parametrize(
    "phrase", ["31 February", "February 30, 2004", "week 60 of 2020", "between 1980 and 1970", "since 2030"]
)
def test_an_impossible_phrase_is_found_and_said_to_be_impossible(phrase: str) -> None:
    mention = only(f"what changed {phrase}?")
    assert (mention.text, mention.range, mention.why) == (phrase, None, "impossible")


@pytest.mark.parametrize(
    "question", ["what may happen?", "the top 20 may win", "who marched on?", "Apollo 11", "in a second"]
)
def test_other_words_are_no_times(question: str) -> None:
    assert find_time_ranges(question, NOW, language="en") == ()


def test_a_day_lasts_as_long_as_the_zone_makes_it() -> None:
    clocks_forward = only("today", datetime(2024, 3, 31, 12, tzinfo=BERLIN)).range
    assert clocks_forward is not None
    assert clocks_forward.start is not None
    assert clocks_forward.end is not None
    assert clocks_forward.end.astimezone(UTC) - clocks_forward.start.astimezone(UTC) == timedelta(hours=23)


def test_the_same_moment_is_another_day_elsewhere() -> None:
    late = datetime(2024, 5, 15, 23, 30, tzinfo=UTC)
    in_berlin, in_utc = only("today", late.astimezone(BERLIN)).range, only("today", late).range
    assert in_berlin is not None
    assert in_utc is not None
    assert (wall(in_berlin.start), wall(in_utc.start)) == ("2024-05-16", "2024-05-15")


@pytest.mark.parametrize(
    ("feast", "day"),
    [("easter", date(2024, 3, 31)), ("thanksgiving", date(2024, 11, 28)), ("memorial day", date(2024, 5, 27))],
)
def test_a_feast_moves_with_the_year(feast: str, day: date) -> None:
    assert feast_day(feast, 2024, language="en") == day


def test_now_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="zone"):
        find_time_ranges("today", NOW.replace(tzinfo=None), language="en")


PIECES = [
    *("last ", "next ", "the ", "past ", "three ", "9999 ", "years ", "ago ", "week ", "since ", "before ", "between "),
    *("and ", "May ", "31 ", "1969 ", "february ", "Easter ", "monday ", "of ", "this ", "99 ", "from ", "to ", "Q3 "),
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=9).map("".join) | st.text(max_size=60),
    st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=st.sampled_from([UTC, BERLIN])),
)
def test_any_question_at_any_time_can_be_read(question: str, now: datetime) -> None:
    position = 0
    for mention in find_time_ranges(question, now, language="en"):
        assert mention.text == question[mention.start : mention.end] != ""
        assert mention.start >= position
        assert (mention.range is None) == (mention.why != "")
        if mention.range and mention.range.start and mention.range.end:
            assert mention.range.start < mention.range.end
        position = mention.end
