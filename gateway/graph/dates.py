"""Dates of short answers as ranges of days, and functions over them.

`April 1973` is any day of that month, and is compared as such. A result is as imprecise as its dates.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from gateway.graph.faults import FunctionFailed
from libs.contracts.dates import PartialDate
from libs.language.known import ENGLISH
from libs.text.dates import DateMention, find_dates

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

    def comes_before(self, other: "Stretch") -> bool:
        """Whether it lies before another one.

        Raises:
            FunctionFailed: they overlap, so the order is unknown.
        """
        if self.last < other.first:
            return True
        same_day = self.is_day and (self.first, self.last) == (other.first, other.last)
        if same_day or other.last < self.first:
            return False
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
    mention = next(iter(find_dates(text, language=language)), None) or _as_a_year(text)
    if mention is None:
        raise FunctionFailed(f"“{text}” is not a date")
    return Stretch(_first_day(mention.first), _last_day(mention.last), mention.text)


def _as_a_year(text: str) -> DateMention | None:
    """Read digits alone as a year, which `find_dates` only does in context."""
    mentions = find_dates(f"in {text.strip()}", language=ENGLISH) if text.strip().isdecimal() else ()
    return mentions[0] if mentions else None


def _first_day(partial: PartialDate) -> date:
    return date(partial.year, partial.month or 1, partial.day or 1)


def _last_day(partial: PartialDate) -> date:
    month = partial.month or 12
    return date(partial.year, month, partial.day or monthrange(partial.year, month)[1])


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


def outermost(*named_dates: tuple[str, Stretch], latest: bool) -> str:
    """Return the name with the latest date, or with the earliest one.

    Raises:
        FunctionFailed: two dates are the same, or they overlap.
    """
    best_name, best = named_dates[0]
    for name, stretch in named_dates[1:]:
        if best.is_day and (best.first, best.last) == (stretch.first, stretch.last):
            raise FunctionFailed(f"“{best_name}” and “{name}” have the same date")
        if best.comes_before(stretch) is latest:
            best_name, best = name, stretch
    return best_name


def _whole(first: date, last: date, unit: str) -> int:
    """Return the whole calendar units from one day to a later one: 31 March to 30 April is no whole month."""
    if unit in ("day", "week"):
        return (last - first).days // (7 if unit == "week" else 1)
    months = 12 * (last.year - first.year) + last.month - first.month - (last.day < first.day)
    return months // 12 if unit == "year" else months
