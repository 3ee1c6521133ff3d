"""The kinds of time phrases in questions: each has a name, a pattern, and a function that reads it.

The patterns are in `RelativeTime.forms`, by the keys of `KINDS`; the readers say which groups they have. To add a
kind, add a row here, its reader to `libs.text.dates.relative_readers`, and its pattern to the languages.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

from libs.contracts.dates import TimeRange
from libs.language.topics.relative_time import RelativeTime
from libs.text.dates import calendar_readers as named
from libs.text.dates import relative_readers as read
from libs.text.dates.date_readings import YEAR
from libs.text.dates.time_words import TimePhrase

Reader = Callable[[TimePhrase, datetime], TimeRange | None]


@dataclass(frozen=True, slots=True)
class TimePattern:
    """A kind of time phrase and its reader."""

    name: str
    regex: re.Pattern[str]
    read: Reader


@lru_cache(maxsize=64)  # taste
def time_patterns(language: str) -> tuple[TimePattern, ...]:
    """The patterns of a language; only those in digits for a language without rules."""
    return (*_worded(language), *(_kind(name, reader, regex) for name, reader, regex in _IN_DIGITS))


def _worded(language: str) -> Iterator[TimePattern]:
    forms = RelativeTime.of(language).forms
    for key, name, reader in KINDS:
        if key in forms:
            yield _kind(name, reader, forms[key].pattern)


def _kind(name: str, reader: Reader, regex: str) -> TimePattern:
    return TimePattern(name, re.compile(rf"(?<!\w)(?:{regex})(?!\w)", re.IGNORECASE), reader)


_IN_DIGITS: Final[tuple[tuple[str, Reader, str], ...]] = (
    ("month in digits", named.read_numeric_month, rf"(?<![\d/])(?P<digits>0[1-9]|1[0-2])/(?P<year>{YEAR})(?!/)"),
    ("day in digits", named.read_numeric_day, rf"(?P<year>{YEAR})-(?P<digits>\d\d)-(?P<day>\d\d)(?![-\d])"),
    ("day in digits", named.read_numeric_day, rf"(?P<day>\d\d?)[./](?P<digits>\d\d?)[./](?P<year>{YEAR})"),
)
KINDS: Final[tuple[tuple[str, str, Reader], ...]] = (
    ("near_day", "day near today", read.read_near_day),
    ("day_part", "part of a day", read.read_part_of_day),
    ("unit", "unit", read.read_unit),
    ("unit_but_one", "unit but one", read.read_unit_but_one),
    ("unit_of_now", "unit of now", read.read_unit_of_now),
    ("weekend", "weekend", read.read_latest_weekend),
    ("to_date", "to date", read.read_to_date),
    ("past_units", "past so many", read.read_rolling_past),
    ("since_units", "past so many", read.read_rolling_past),
    ("past_half", "past half", read.read_half_units_past),
    ("half_ago", "half ago", read.read_half_units_ago),
    ("units_and_half_ago", "half ago", read.read_half_units_ago),
    ("unit_and_half_ago", "half ago", read.read_half_units_ago),
    ("past_unit", "past one", read.read_rolling_past),
    ("next_units", "next so many", read.read_rolling_future),
    ("ago", "ago", read.read_distance),
    ("day_ago", "day ago", read.read_days_ago),
    ("weekdays_ago", "weekdays ago", read.read_weekdays_ago),
    ("weekday_but_one", "weekday but one", read.read_weekday_but_one),
    ("time_to_come", "time to come", read.read_distance),
    ("less_long_ago", "less long ago", read.read_rolling_past),
    ("longer_ago", "longer ago", read.read_beyond),
    ("weekday", "weekday", read.read_weekday),
    ("weekday_of_week_ago", "weekday of a week ago", read.read_weekday_of_week_ago),
    ("week_ago_on_weekday", "weekday of a week ago", read.read_weekday_of_week_ago),
    ("weeks_from_weekday", "weeks from a weekday", read.read_weeks_from_weekday),
    ("weekday_of_week", "weekday of a week", read.read_weekday_of_week),
    ("week_and_weekday", "weekday of a week", read.read_weekday_of_week),
    ("month", "month", named.read_month),
    ("month_of_year", "month of a year", named.read_month_of_year),
    ("month_of_year_reversed", "month of a year", named.read_month_of_year),
    ("season", "season", named.read_season),
    ("day_of_month", "day of a month", named.read_day_of_month),
    ("day_of_month_reversed", "day of a month", named.read_day_of_month),
    ("day_of_month_in_digits", "day of a month", named.read_day_of_month),
    ("day_of_year", "day of a year", named.read_named_day),
    ("day_of_year_reversed", "day of a year", named.read_named_day),
    ("quarter", "quarter", named.read_quarter),
    ("half", "half", named.read_half),
    ("iso_week", "iso week", named.read_iso_week),
    ("day_of_relative_year", "day of a relative year", named.read_day_of_relative_year),
    ("day_of_relative_year_reversed", "day of a relative year", named.read_day_of_relative_year),
    ("season_of_year", "season of a year", named.read_season_of_year),
    ("winter", "winter", named.read_winter),
    ("feast_of_year", "feast of a year", named.read_feast_of_year),
    ("day_of_this_month", "day of the month", named.read_day_of_this_month),
    ("days_of_month", "days of a month", named.read_days_of_month),
    ("months_of_year", "months of a year", named.read_months_of_year),
    ("quarter_after_year", "quarter", named.read_quarter_after_year),
    ("early_year", "year of our era", named.read_early_year),
    ("before_our_era", "before our era", read.outside),
    ("feast", "feast", named.read_feast),
    ("decade", "decade", named.read_decade_word),
    ("vague", "vague", read.vague),
)
"""The key of each kind, its name, and its reader."""
