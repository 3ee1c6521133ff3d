from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.dates import TimeRange
from services.retrieve.corpus.filtering import seconds_of_date, seconds_of_range

MAY_2024 = TimeRange(datetime(2024, 5, 1, tzinfo=UTC), datetime(2024, 6, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "belongs"),
    [
        ("2024", True),
        ("2024-05", True),
        ("2024-05-31", True),
        ("2024-05-31T23:59:59Z", True),
        ("2024-05-31T23:30:00-02:00", False),
        ("2024-06-01", False),
        ("2023", False),
    ],
)
def test_a_date_belongs_to_a_range_that_it_may_lie_in(text: str, belongs: bool) -> None:
    assert seconds_of_date(text).overlaps(seconds_of_range(MAY_2024)) is belongs


def test_an_open_range_reaches_to_the_end_of_time() -> None:
    since = seconds_of_range(TimeRange(start=datetime(2024, 1, 1, tzinfo=UTC)))
    assert seconds_of_date("9999-12-31").overlaps(since)
    assert not seconds_of_date("0001").overlaps(since)


@given(st.dates())
def test_a_day_lies_within_its_month_and_its_year(given_day: date) -> None:
    day, month, year = (seconds_of_date(given_day.isoformat()[:length]) for length in (10, 7, 4))
    assert year.first <= month.first <= day.first <= day.last <= month.last <= year.last
    assert day.last - day.first in (86_399, 86_398)  # the calendar's very last day lacks a second


@pytest.mark.parametrize("text", ["May 2024", "24", "2024-13", "2024-02-30", "2024-05-01T99:00", ""])
def test_what_is_no_iso_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        seconds_of_date(text)
