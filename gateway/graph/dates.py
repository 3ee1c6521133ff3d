"""Dates of short answers as ranges of days, and functions over them. Pure functions.

`April 1973` is any day of that month, and is compared as such. A result is as imprecise as its dates.
"""

from dataclasses import dataclass
from datetime import date

from gateway.graph.faults import FunctionFailed
from libs.language.known import ENGLISH
from libs.text.dates.document_dates import find_dates

_UNITS = ("day", "week", "month", "year")


@dataclass(frozen=True, slots=True)
class WholeUnits:
    """A number of whole units, from `least` to `most` if it is uncertain."""

    least: int
    most: int
    unit: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """A range of days, both ends included, one of which is the date."""

    first: date
    last: date
    text: str
    """The date as written in the answer."""

    def compare(self, other: "Stretch") -> int:
        """Return -1 if it lies before another one, 1 if after it, and 0 if both are the same day.

        Raises:
            FunctionFailed: they overlap, so the order is unknown.
        """
        if self.last < other.first:
            return -1
        if other.last < self.first:
            return 1
        if self.is_day and (self.first, self.last) == (other.first, other.last):
            return 0
        raise FunctionFailed(f"“{self.text}” and “{other.text}” overlap, so it is unknown which comes first")

    @property
    def is_day(self) -> bool:
        """Whether the exact day is known."""
        return self.first == self.last


def read_stretch(text: str, language: str) -> Stretch:
    """Return the first date of a short answer.

    Args:
        text: the answer.
        language: of the answer, ISO 639-1.

    Raises:
        FunctionFailed: the answer contains no date.
    """
    year = find_dates(f"in {text.strip()}", language=ENGLISH) if text.strip().isdecimal() else ()  # alone it is none
    mention = next(iter((*find_dates(text, language=language), *year)), None)
    if mention is None:
        raise FunctionFailed(f"“{text}” is not a date")
    return Stretch(mention.first.first_day, mention.last.last_day, mention.text)


def date_difference(one: Stretch, other: Stretch, unit: str) -> WholeUnits:
    """Return the whole units between two dates in either order.

    Raises:
        FunctionFailed: a date is too coarse for the unit, or the unit is not one of day, week, month and year.
    """
    if unit not in _UNITS:
        raise FunctionFailed(f"the time between dates cannot be counted in {unit}")
    if unit in ("day", "week") and not (one.is_day and other.is_day):
        coarse = other if one.is_day else one
        raise FunctionFailed(f"“{coarse.text}” is not precise enough to count {unit}s")
    first, last = sorted((one, other), key=lambda stretch: (stretch.first, stretch.last))
    least = _whole(min(first.last, last.first), last.first, unit)
    most = _whole(first.first, last.last, unit)
    return WholeUnits(least, most, unit)


def year_of(day: Stretch) -> str:
    """Return the year of a date.

    Raises:
        FunctionFailed: the date spans several years.
    """
    if day.first.year != day.last.year:
        raise FunctionFailed(f"“{day.text}” spans more than one year")
    return str(day.first.year)


def _whole(first: date, last: date, unit: str) -> int:
    """Return the whole calendar units from one day to a later one: 31 March to 30 April is no whole month."""
    if unit in ("day", "week"):
        return (last - first).days // (7 if unit == "week" else 1)
    months = 12 * (last.year - first.year) + last.month - first.month - (last.day < first.day)
    return months // 12 if unit == "year" else months
