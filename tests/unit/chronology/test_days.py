"""Partial dates as stretches of days."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.chronology.days import days_of, lies_within, parse_partial_date
from libs.chronology.roles import Role, role_of
from libs.contracts.dates import PartialDate, TimeRange
from libs.text.dates.document_dates import find_dates
from tests.unit.timeline.evidence_making import day


def test_a_year_is_all_its_days_and_holds_its_months_and_days() -> None:
    year, month, one_day = days_of(day("1968")), days_of(day("1968-02")), days_of(day("1968-02-29"))
    assert (year.first, year.last, year.length) == (date(1968, 1, 1), date(1968, 12, 31), 366)
    assert one_day in month
    assert month in year
    assert year not in month


def test_a_range_reaches_to_the_end_of_its_last_part() -> None:
    assert days_of(day("1961"), day("1964-02")).last == date(1964, 2, 29)


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("1969-07-20", day("1969-07-20")),
        ("1969-07", day("1969-07")),
        ("1969", day("1969")),
        ("2023-07-04T12:30:00Z", day("2023-07-04")),
        ("", None),
        ("yesterday", None),
        ("1969-13", None),
        ("69", None),
    ],
)
def test_dates_of_documents_are_read_as_far_as_they_go(text: str, dates: PartialDate | None) -> None:
    assert parse_partial_date(text) == dates


@given(st.dates(min_value=date(1, 1, 1)))
def test_what_a_date_says_of_itself_is_read_back(of: date) -> None:
    dates = PartialDate(of.year, of.month, of.day)
    assert parse_partial_date(str(dates)) == dates


def test_an_event_is_in_range_when_it_surely_begins_there() -> None:
    year = TimeRange(datetime(1971, 1, 1, tzinfo=UTC), datetime(1972, 1, 1, tzinfo=UTC))
    dates = ["1970", "1970-12-31", "1971", "1971-01-01", "1971-12", "1971-12-31", "1972-01-01"]
    assert [text for text in dates if lies_within(days_of(day(text)), year)] == [
        "1971",
        "1971-01-01",
        "1971-12",
        "1971-12-31",
    ]


def test_a_year_is_not_surely_in_one_of_its_months() -> None:
    july = TimeRange(datetime(1969, 7, 1, tzinfo=UTC), datetime(1969, 8, 1, tzinfo=UTC))
    assert not lies_within(days_of(day("1969")), july)


@pytest.mark.parametrize("hours", [-8, 0, 5.5, 9])
def test_a_range_from_midnight_to_midnight_of_any_zone_takes_its_days(hours: float) -> None:
    zone = timezone(timedelta(hours=hours))
    june = TimeRange(datetime(2023, 6, 1, tzinfo=zone), datetime(2023, 7, 1, tzinfo=zone))
    dates = ["2023-05-31", "2023-06-01", "2023-06-30", "2023-07-01"]
    assert [text for text in dates if lies_within(days_of(day(text)), june)] == ["2023-06-01", "2023-06-30"]


@pytest.mark.parametrize("bound", [datetime.min, datetime.max])
def test_a_moment_at_the_edge_of_the_calendar_bounds_a_range(bound: datetime) -> None:
    moment = bound.replace(second=30, tzinfo=UTC)
    assert lies_within(days_of(day("1969")), TimeRange(end=moment)) is (bound is datetime.max)
    assert lies_within(days_of(day("1969")), TimeRange(start=moment)) is (bound is datetime.min)


def test_an_open_side_takes_everything_there() -> None:
    assert lies_within(days_of(day("1655")), TimeRange(end=datetime(1900, 1, 1, tzinfo=UTC)))
    assert not lies_within(days_of(day("1655")), TimeRange(start=datetime(1900, 1, 1, tzinfo=UTC)))


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Apollo 11 landed on 20 July 1969.", [Role.EVENT]),
        ("en", "In July 1969 three men flew to the Moon.", [Role.EVENT]),
        ("en", "It landed in 2004 as planned.", [Role.EVENT]),
        ("en", "The rover worked until 2010.", [Role.BOUND]),
        ("en", "Pictures of 2015 showed the lander, missing since December 2003.", [Role.ASIDE, Role.BOUND]),
        ("en", "The landing had been planned for 4 July 1976.", [Role.PLANNED]),
        ("en", "The probe is to reach Jupiter in 2023.", [Role.PLANNED]),
        ("en", "The probe reaches Jupiter in July 2031.", [Role.PLANNED]),
        ("en", "The crater is named after Johannes Kepler, born in 1571.", [Role.ASIDE]),
        ("en", "Kepler (1571-1630) computed the orbit.", [Role.ASIDE]),
        ("en", "The 1971 mission failed.", [Role.ASIDE]),
        ("en", "It flew farther than in 1971.", [Role.ASIDE]),
        ("en", "Hope was launched on 19 July 2020.", [Role.EVENT]),
        ("en", "The launch was planned for 2016 but took place in 2018.", [Role.PLANNED, Role.EVENT]),
        ("en", "The summer of 1962 began badly.", [Role.EVENT]),
        ("de", "1971 landete die Sonde.", [Role.EVENT]),
        ("de", "Die Sonde, die 1971 landete, sendet noch.", [Role.EVENT]),
        ("de", "Die 1971 gestartete Sonde sendet noch.", [Role.ASIDE]),
        ("de", "Das Hochwasser von 1971 war schlimmer.", [Role.ASIDE]),
        ("de", "Im Sommer des Jahres 1971 sank das Boot.", [Role.EVENT]),
        ("de", "Die Linie fuhr bis 1971.", [Role.BOUND]),
        ("de", "Es regnete mehr als im Jahr 1971.", [Role.ASIDE]),
        ("de", "Die Bahn soll 1971 eröffnet werden.", [Role.PLANNED]),
        ("de", "Wie geplant wurde die Bahn 1971 eröffnet.", [Role.EVENT]),
        ("de", "Johannes Kepler (1971) schrieb es.", [Role.ASIDE]),
    ],
)
def test_the_words_around_a_date_tell_its_role(language: str, text: str, expected: list[Role]) -> None:
    mentions, written = find_dates(text, language=language), day("2024-06-01")
    assert [role_of(text, mention, written, language=language) for mention in mentions] == expected
