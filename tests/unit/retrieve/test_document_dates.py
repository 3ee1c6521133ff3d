from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.retrieve.corpus.filtering import seconds_of_date


@given(st.dates())
def test_a_day_lies_within_its_month_and_its_year(given_day: date) -> None:
    day, month, year = (seconds_of_date(given_day.isoformat()[:length]) for length in (10, 7, 4))
    assert year.first <= month.first <= day.first <= day.last <= month.last <= year.last
    assert day.last - day.first in (86_399, 86_398)  # the calendar's very last day lacks a second


@pytest.mark.parametrize("text", ["May 2024", "24", "2024-13", "2024-02-30", "2024-05-01T99:00", ""])
def test_what_is_no_iso_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        seconds_of_date(text)
