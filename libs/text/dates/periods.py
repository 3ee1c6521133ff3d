"""Calendar periods as exact ranges [start, end) of datetimes in a time zone.

A week begins on Monday (ISO 8601), a weekend is Saturday and Sunday, quarters begin in January, April, July and
October, the 1970s are 1970 to 1979, the 20th century is 1901 to 2000. Functions raise ValueError or OverflowError for
dates that don't exist.
"""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta, tzinfo
from types import MappingProxyType
from typing import Final

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import TimeRange
from libs.text.dates.readings import Part

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
