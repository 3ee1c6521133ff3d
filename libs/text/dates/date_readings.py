"""The meaning of a time phrase, independent of its place in a text: bounds, precision, and early or late.

Months, weekdays and ordinals are known by their words. English ones are read from their file at import.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from typing import Final, Literal

from libs.contracts.dates import PartialDate, Precision
from libs.language.known import ENGLISH
from libs.language.topics.calendar import Calendar

MONTHS: Final = Calendar.of(ENGLISH).months
WEEKDAYS: Final = Calendar.of(ENGLISH).weekdays
YEAR: Final = r"(?:1\d{3}|2[01]\d{2}|2200)"
"""Bare digits count as a year from 1000 to 2200 (taste)."""
FIRST_YEAR: Final = 1000
LAST_YEAR: Final = 2200


def ordinal_number(word: str, language: str) -> int | None:
    """The number of `19th`, `first` or `twenty-first`; None for another word."""
    calendar = Calendar.of(language)
    digits = calendar.nth.fullmatch(word)
    return int(re.sub(r"\D", "", word)) if digits else calendar.ordinals.get(word.lower())


def is_day(year: int, month: int, day: int) -> bool:
    """Whether this day exists in the calendar."""
    return 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


Part = Literal["", "early", "mid", "late"]
Why = Literal["", "vague", "impossible", "outside"]
"""Why a time phrase has no exact range; `outside`: it lies outside the years 1 to 9999."""


@dataclass(frozen=True, slots=True)
class DateReading:
    """The first and the last day, month or year that a phrase covers, in its own precision."""

    first: PartialDate
    last: PartialDate
    precision: Precision
    part: Part = ""
    """The third of the period that is meant, as in `early March 2004`."""


def one_day(date: PartialDate) -> DateReading:
    """A single day."""
    return DateReading(date, date, Precision.DAY)


def one_month(year: int, month: int, part: Part = "") -> DateReading:
    """A single month, or a part of it."""
    date = PartialDate(year, month)
    return DateReading(date, date, Precision.MONTH, part)


def one_year(year: int, part: Part = "") -> DateReading:
    """A single year, or a part of it."""
    return DateReading(PartialDate(year), PartialDate(year), Precision.YEAR, part)


def ordered_range(first: PartialDate, last: PartialDate, precision: Precision) -> DateReading | None:
    """A range; None if `last` is before `first`."""
    return DateReading(first, last, precision) if first <= last else None
