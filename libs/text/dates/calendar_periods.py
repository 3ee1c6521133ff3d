"""Calendar periods as exact ranges [start, end) of aware datetimes, in the time zone of `now`.

A week begins on Monday (ISO 8601), a weekend is Saturday and Sunday, quarters begin in January, April, July and
October, the 1970s are 1970 to 1979, the 20th century is 1901 to 2000, a season is three whole months of the northern
hemisphere (winter begins in December). Functions raise ValueError or OverflowError for dates that don't exist.
"""

from datetime import UTC, date, datetime, time, timedelta

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import PartialDate, Precision, TimeRange
from libs.text.dates.date_readings import Part

_EXACT = {"second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
_MONTHS_IN = {"month": 1, "quarter": 3}
_YEARS_IN = {"year": (1, 0), "decade": (10, 0), "century": (100, 1)}
"""Number of years, and the offset of the first year (a century begins in year 1)."""
_EARLY_MID_LATE: dict[Part, int] = {"early": 0, "mid": 1, "late": 2}
_DECADE_CUTS = (0, 4, 7, 10)
"""Early is 1970 to 1973, mid 1974 to 1976, late 1977 to 1979 (taste)."""


def days(now: datetime, first: date, after: date) -> TimeRange:
    """From midnight at the start of `first` to midnight at the start of `after`."""
    if first >= after:
        raise ValueError(f"{first} is not before {after}")
    midnight = time(tzinfo=now.tzinfo)
    return TimeRange(datetime.combine(first, midnight), datetime.combine(after, midnight))


def day(now: datetime, moment: date) -> TimeRange:
    """One whole day."""
    return days(now, moment, moment + timedelta(days=1))


def months(now: datetime, year: int, month: int, count: int = 1) -> TimeRange:
    """`count` whole months from a month of a year; they may extend into other years."""
    return days(now, _month_start(year, month), _month_start(year, month + count))


def years(now: datetime, first: int, count: int = 1) -> TimeRange:
    """`count` whole years."""
    return days(now, date(first, 1, 1), date(first + count, 1, 1))


def unit_around(now: datetime, moment: date, unit: str) -> TimeRange:
    """The whole week, weekend, month, quarter, year, decade or century around a day; the day for other units."""
    monday = moment - timedelta(days=moment.weekday())
    if unit in ("week", "fortnight"):
        return days(now, monday, monday + timedelta(days=7))
    if unit == "weekend":
        return days(now, monday + timedelta(days=5), monday + timedelta(days=7))
    if width := _MONTHS_IN.get(unit):
        return months(now, moment.year, moment.month - (moment.month - 1) % width, width)
    if unit in _YEARS_IN:
        width, first = _YEARS_IN[unit]
        return years(now, moment.year - (moment.year - first) % width, width)
    return day(now, moment)


def shift(now: datetime, unit: str, count: int) -> datetime:
    """`count` units after now (before, if negative): by wall clock for days and longer, exactly for hours and less.

    Raises:
        OverflowError: the result lies outside the years 1 to 9999.
    """
    if unit in _EXACT:
        return (now.astimezone(UTC) + count * _EXACT[unit]).astimezone(now.tzinfo)
    step = {
        "week": relativedelta(weeks=count),
        "weekend": relativedelta(weeks=count),
        "fortnight": relativedelta(weeks=2 * count),
        "month": relativedelta(months=count),
        "quarter": relativedelta(months=3 * count),
        "year": relativedelta(years=count),
        "decade": relativedelta(years=10 * count),
        "century": relativedelta(years=100 * count),
    }.get(unit, relativedelta(days=count))
    try:
        moment: datetime = now + step
    except ValueError:
        raise OverflowError(f"{count} {unit}s from {now}") from None
    return moment.replace(fold=now.fold)


def partial(now: datetime, first: PartialDate, last: PartialDate, precision: Precision, part: Part = "") -> TimeRange:
    """From the beginning of `first` to the end of `last`, or the early, mid or late third (of a month: 10 days)."""
    start = date(first.year, first.month or 1, first.day or 1)
    end = _day_after(last)
    if not part:
        return days(now, start, end)
    third = _EARLY_MID_LATE[part]
    if precision is Precision.MONTH:
        return days(
            now, start + timedelta(days=10 * third), end if third == 2 else start + timedelta(days=10 * (third + 1))
        )
    if precision is Precision.YEAR:
        return months(now, start.year, 1 + 4 * third, 4)
    span = end.year - start.year
    cuts = _DECADE_CUTS if span == 10 else (0, span // 3, 2 * span // 3, span)
    return years(now, start.year + cuts[third], cuts[third + 1] - cuts[third])


def third(now: datetime, first: date, after: date, part: Part) -> TimeRange | None:
    """The early, mid or late third of whole months or years (from 120 months on, years); None for other periods."""
    count = _whole_months(first, after)
    if count == 1:
        last = PartialDate(first.year, first.month)
        return partial(now, last, last, Precision.MONTH, part)
    if count >= 120 and first.month == 1:
        return partial(now, PartialDate(first.year), PartialDate(after.year - 1), Precision.DECADE, part)
    if count and count % 3 == 0:
        return months(now, first.year, first.month + count // 3 * _EARLY_MID_LATE[part], count // 3)
    return None


def half(now: datetime, first: date, after: date, second: bool) -> TimeRange | None:
    """The first or second half of whole months or years (of a month: its first 15 days, or the rest); else None."""
    count = _whole_months(first, after)
    if count == 1:
        middle = first + timedelta(days=15)
        return days(now, middle, after) if second else days(now, first, middle)
    if count and count % 2 == 0:
        return months(now, first.year, first.month + (count // 2 if second else 0), count // 2)
    return None


def part_of_day(now: datetime, moment: date, part: str) -> TimeRange:
    """A part of a day by wall clock: morning 6 to 12, afternoon to 18, evening to 24, night 18 to 6 (taste)."""
    first, last = _PARTS_OF_DAY[part]
    midnight = datetime.combine(moment, time(tzinfo=now.tzinfo))
    return TimeRange(midnight + timedelta(hours=first), midnight + timedelta(hours=last))


_PARTS_OF_DAY = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}


def _whole_months(first: date, after: date) -> int:
    """Number of months between two days; 0 unless both are the first of a month."""
    return 12 * (after.year - first.year) + after.month - first.month if first.day == after.day == 1 else 0


def _day_after(last: PartialDate) -> date:
    if last.day:
        return date(last.year, last.month, last.day) + timedelta(days=1)
    return _month_start(last.year, last.month + 1) if last.month else date(last.year + 1, 1, 1)


def _month_start(year: int, month: int) -> date:
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
