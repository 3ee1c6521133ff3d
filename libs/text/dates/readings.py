"""What dates and times cover: readings of phrases in their own precision, and exact ranges [start, end) of datetimes.

A week begins on Monday (ISO 8601), a weekend is Saturday and Sunday, quarters begin in January, April, July and
October, the 1970s are 1970 to 1979, the 20th century is 1901 to 2000. Functions raise ValueError or OverflowError for
dates that don't exist.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from types import MappingProxyType
from typing import Final, Literal

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import PartialDate, Precision, TimeRange
from libs.language.topics.calendar import Calendar

LAST_YEAR: Final = 2200
YEAR: Final = r"(?:1\d{3}|2[01]\d{2}|2200)"
"""Bare digits count as a year from 1000 to 2200 (taste)."""
Part = Literal["", "early", "mid", "late"]
DAY: Final = timedelta(days=1)
_LENGTHS: Final[Mapping[str, relativedelta]] = MappingProxyType(
    {
        "second": relativedelta(seconds=1),
        "minute": relativedelta(minutes=1),
        "hour": relativedelta(hours=1),
        "day": relativedelta(days=1),
        "week": relativedelta(weeks=1),
        "weekend": relativedelta(weeks=1),
        "fortnight": relativedelta(weeks=2),
        "month": relativedelta(months=1),
        "quarter": relativedelta(months=3),
        "year": relativedelta(years=1),
        "decade": relativedelta(years=10),
        "century": relativedelta(years=100),
    }
)


@dataclass(frozen=True, slots=True)
class DateReading:
    """The first and the last day, month or year that a phrase covers, in its own precision."""

    first: PartialDate
    last: PartialDate
    precision: Precision
    part: Part = ""
    """The third of the period that is meant, as in `early March 2004`."""


def one_date(year: int, month: int | None = None, day: int | None = None, part: Part = "") -> DateReading:
    """A single day, month or year.

    Raises:
        ValueError: the calendar has no such day.
    """
    date(year, 1 if month is None else month, 1 if day is None else day)
    whole = PartialDate(year, month or 0, day or 0)
    return DateReading(whole, whole, Precision.DAY if day else Precision.MONTH if month else Precision.YEAR, part)


def period(first: date, after: date, part: Part = "") -> DateReading:
    """The whole years, months or days from the first day to the one before `after`."""
    last = after - timedelta(days=1)
    if first.day > 1 or after.day > 1:
        return DateReading(_partial(first), _partial(last), Precision.DAY, part)
    if first.month > 1 or after.month > 1:
        precision = Precision.MONTH if first.month == last.month else Precision.SEASON
        return DateReading(PartialDate(first.year, first.month), PartialDate(last.year, last.month), precision, part)
    precision = {10: Precision.DECADE, 100: Precision.CENTURY}.get(after.year - first.year, Precision.YEAR)
    return DateReading(PartialDate(first.year), PartialDate(last.year), precision, part)


def bounds(dates: DateReading) -> tuple[date, date]:
    """The first day that dates cover, and the day after the last one."""
    return dates.first.first_day, dates.last.last_day + DAY


def _partial(day: date) -> PartialDate:
    return PartialDate(day.year, day.month, day.day)


def ordinal_number(word: str, language: str) -> int | None:
    """The number of `19th`, `first` or `twenty-first`; None for another word."""
    calendar = Calendar.of(language)
    digits = calendar.nth.fullmatch(word)
    return int(re.sub(r"\D", "", word)) if digits else calendar.ordinals.get(word.lower())


def midnights(zone: tzinfo | None, *days: date) -> tuple[datetime, ...]:
    """The midnights at the start of days."""
    return tuple(datetime.combine(day, time(tzinfo=zone)) for day in days)


def months_in(unit: str) -> int:
    """The length of a unit in months; 0 if it is shorter."""
    length = _LENGTHS[unit]
    return int(12 * length.years + length.months)


def unit_around(moment: datetime, unit: str) -> TimeRange:
    """The whole unit around a moment: the day for shorter ones, the week for a fortnight."""
    (today,) = midnights(moment.tzinfo, moment.date())
    if width := months_in(unit):
        origin = 12 if unit == "century" else 0  # a century begins with its year 1
        index = 12 * today.year + today.month - 1
        first = index - (index - origin) % width
        start = today.replace(year=first // 12, month=first % 12 + 1, day=1)
        return TimeRange(start, start + relativedelta(months=width))
    if unit in ("week", "weekend", "fortnight"):
        monday = today - today.weekday() * DAY
        return TimeRange(monday + 5 * DAY if unit == "weekend" else monday, monday + 7 * DAY)
    return TimeRange(today, today + DAY)


def shift(moment: datetime, unit: str, count: int) -> datetime:
    """`count` units later by wall clock (earlier, if negative).

    Raises:
        OverflowError: the result lies outside the years 1 to 9999.
    """
    try:
        moved: datetime = moment + count * _LENGTHS[unit]
    except ValueError:
        raise OverflowError(f"{count} {unit}s from {moment}") from None
    return moved.replace(fold=moment.fold)


def third(start: datetime, end: datetime, part: Part) -> TimeRange:
    """The early, mid or late third of a period of at least three days, in whole months or else in whole days."""
    count = 12 * (end.year - start.year) + end.month - start.month if start.day == end.day == 1 else 0
    length = relativedelta(days=(end - start).days // 3) if count % 3 or not count else relativedelta(months=count // 3)
    first = start + ("early", "mid", "late").index(part) * length
    return TimeRange(first, end if part == "late" else first + length)
