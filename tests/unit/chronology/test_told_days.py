"""The days that passages and their lines tell of, and how they fit a range."""

from datetime import UTC, datetime

import pytest

from libs.chronology.days import days_of, meets
from libs.chronology.told_days import WIDER, anchor_of, days_above, days_in, days_of_passage, days_told, time_fit
from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Passage
from tests.unit.timeline.evidence_making import day

MARCH = TimeRange(datetime(2027, 3, 1, tzinfo=UTC), datetime(2027, 4, 1, tzinfo=UTC))
TENTH = TimeRange(datetime(2027, 3, 10, tzinfo=UTC), datetime(2027, 3, 11, tzinfo=UTC))


def passage(text: str, *headings: str, title: str = "") -> Passage:
    return Passage("p", "d", text, title=title, headings=headings, language="en")


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        (passage("The pump failed.", "2027-03-10"), ["2027-03-10"]),
        (passage("The pump failed.", "2027", "10 March"), ["2027-03-10"]),
        (passage("10 March: the pump failed.", "2027"), ["2027-03-10"]),
        (passage("The pump failed as on 9 May 2024.", "10 March 2027"), ["2024-05-09", "2027-03-10"]),
        (passage("Hotels up to EUR 110.", "Travel", title="Travel policy 2026"), ["2026"]),
        (passage("The pump failed."), []),
    ],
)
def test_a_passage_tells_of_the_days_in_it_and_above_it(stored: Passage, told: list[str]) -> None:
    assert days_of_passage(stored) == tuple(days_of(day(date)) for date in told)


def test_a_line_that_says_more_exactly_when_is_not_of_all_that_its_heading_dates() -> None:
    stored = passage("- 10 March: the pump failed\n- painted", "2027")
    own = days_in("10 March: the pump failed", anchor_of(stored), language="en")
    assert days_told(own, days_above(stored)) == (days_of(day("2027-03-10")),)
    assert days_told((), days_above(stored)) == (days_of(day("2027")),)


@pytest.mark.parametrize(
    ("date", "wanted", "fit"),
    [
        ("2027-03-10", MARCH, 1.0),
        ("2027-03", MARCH, 1.0),
        ("2027", MARCH, WIDER),
        ("2027-03", TENTH, WIDER),
        ("2027-04-01", MARCH, 0.0),
        ("2026", TimeRange(end=MARCH.start), 1.0),
        ("2027-03-10", TimeRange(start=MARCH.end), 0.0),
    ],
)
def test_days_in_a_range_fit_it_better_than_longer_times(date: str, wanted: TimeRange, fit: float) -> None:
    assert time_fit([days_of(day(date))], wanted) == fit


def test_the_day_of_asking_belongs_to_a_range_that_ends_at_the_moment() -> None:
    until_now = TimeRange(MARCH.start, datetime(2027, 3, 10, 8, 31, tzinfo=UTC))
    assert meets(days_of(day("2027-03-10")), until_now)
    assert not meets(days_of(day("2027-03-11")), until_now)


def test_no_day_fits_no_range() -> None:
    assert time_fit([], MARCH) == 0.0
