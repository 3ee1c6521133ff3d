"""Functions over dates. A result is as imprecise as its dates (`April 1973`)."""

from collections.abc import Sequence
from datetime import date

from gateway.functions.day_ranges import Stretch
from gateway.functions.faults import FunctionFailed
from gateway.functions.results import WholeUnits

_UNITS = ("day", "week", "month", "year")


def date_difference(one: Stretch, other: Stretch, unit: str) -> WholeUnits:
    """Return the whole units between two dates in either order.

    Raises:
        FunctionFailed: a date is too coarse for the unit, or the unit is not one of day, week, month and year.
    """
    if unit not in _UNITS:
        raise FunctionFailed(f"the time between dates isn't counted in {unit}")
    if unit in ("day", "week") and not (one.is_day and other.is_day):
        coarse = other if one.is_day else one
        raise FunctionFailed(f"“{coarse.text}” is too coarse to count {unit}s from")
    first, last = sorted((one, other), key=lambda stretch: (stretch.first, stretch.last))
    least = _whole(min(first.last, last.first), last.first, unit)
    most = _whole(first.first, last.last, unit)
    return WholeUnits(least, most, unit)


def is_before(one: Stretch, other: Stretch) -> bool:
    """Whether the first date is before the second."""
    return one.comes_before(other)


def is_after(one: Stretch, other: Stretch) -> bool:
    """Whether the first date is after the second."""
    return other.comes_before(one)


def earliest(*named_dates: tuple[str, Stretch]) -> str:
    """Return the name with the earliest date.

    Raises:
        FunctionFailed: two dates are the same, or they overlap.
    """
    return _outermost(named_dates, latest=False)


def latest(*named_dates: tuple[str, Stretch]) -> str:
    """Return the name with the latest date.

    Raises:
        FunctionFailed: as `earliest`.
    """
    return _outermost(named_dates, latest=True)


def year_of(day: Stretch) -> str:
    """Return the year of a date.

    Raises:
        FunctionFailed: the date spans several years.
    """
    if day.first.year != day.last.year:
        raise FunctionFailed(f"“{day.text}” lies in no single year")
    return str(day.first.year)


def _outermost(named_dates: Sequence[tuple[str, Stretch]], latest: bool) -> str:
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
