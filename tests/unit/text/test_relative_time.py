"""Times in questions: each phrase has one exact range, or says why it has none."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.text.calendar_readers import feast_day
from libs.text.relative_time import find_time_ranges
from libs.text.time_words import TimeMention

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
    ("question", "start", "end"),
    [
        ("launched in july 1969", "1969-07-01", "1969-08-01"),
        ("launched in late march 2004", "2004-03-21", "2004-04-01"),
        ("launched from May to July 1969", "1969-05-01", "1969-08-01"),
        ("launched between last Monday and yesterday", "2024-05-13", "2024-05-15"),
        ("open from Monday to Friday", "2024-05-06", "2024-05-11"),
        ("launched since last week", "2024-05-06", NOON),
        ("launched since may", "2024-05-01", NOON),
    ],
)
def test_dates_and_the_prepositions_before_them_bound_the_range(question: str, start: str, end: str) -> None:
    time_range = only(question).range
    assert time_range is not None
    assert (wall(time_range.start), wall(time_range.end)) == (start, end)


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
