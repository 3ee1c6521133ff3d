"""What a date phrase covers: its first and last day, month or year, its precision, and early or late in it."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import PartialDate, Precision
from libs.language.topics.calendar import Calendar

LAST_YEAR: Final = 2200
YEAR: Final = r"(?:1\d{3}|2[01]\d{2}|2200)"
"""Bare digits count as a year from 1000 to 2200 (taste)."""
Part = Literal["", "early", "mid", "late"]


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
    first, last = dates.first, dates.last
    start = date(first.year, first.month or 1, first.day or 1)
    if last.day:
        return start, date(last.year, last.month, last.day) + timedelta(days=1)
    return start, date(last.year, last.month or 12, 1) + relativedelta(months=1)


def _partial(day: date) -> PartialDate:
    return PartialDate(day.year, day.month, day.day)


def ordinal_number(word: str, language: str) -> int | None:
    """The number of `19th`, `first` or `twenty-first`; None for another word."""
    calendar = Calendar.of(language)
    digits = calendar.nth.fullmatch(word)
    return int(re.sub(r"\D", "", word)) if digits else calendar.ordinals.get(word.lower())
