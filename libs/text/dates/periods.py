"""Calendar periods as exact ranges [start, end) of aware datetimes in a time zone.

A week begins on Monday (ISO 8601), a weekend is Saturday and Sunday, quarters begin in January, April, July and
October, the 1970s are 1970 to 1979, the 20th century is 1901 to 2000. Functions raise ValueError or OverflowError for
dates that don't exist.
"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import TimeRange
from libs.text.dates.readings import Part

DAY: Final = timedelta(days=1)
EXACT: Final = {"second": timedelta(seconds=1), "minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
"""Units that are counted exactly, and not by wall clock."""
DAYS_IN: Final = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
MONTHS_IN: Final = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
_PARTS_OF_DAY: Final = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}


def midnights(zone: tzinfo | None, *days: date) -> tuple[datetime, ...]:
    """The midnights at the start of days."""
    return tuple(datetime.combine(day, time(tzinfo=zone)) for day in days)


def unit_around(moment: datetime, unit: str) -> TimeRange:
    """The whole unit around a moment: the hour for shorter ones, the week for a fortnight."""
    if unit in EXACT:
        start = moment.replace(minute=0, second=0, microsecond=0)
        return TimeRange(start, shift(start, "hour", 1))
    (today,) = midnights(moment.tzinfo, moment.date())
    if width := MONTHS_IN.get(unit):
        origin = 12 if unit == "century" else 0  # a century begins with its year 1
        index = 12 * today.year + today.month - 1
        first = index - (index - origin) % width
        start = today.replace(year=first // 12, month=first % 12 + 1, day=1)
        return TimeRange(start, start + relativedelta(months=width))
    if unit == "day":
        return TimeRange(today, today + DAY)
    monday = today - today.weekday() * DAY
    return TimeRange(monday + 5 * DAY if unit == "weekend" else monday, monday + 7 * DAY)


def shift(moment: datetime, unit: str, count: int) -> datetime:
    """`count` units later (earlier, if negative): by wall clock for days and longer, exactly for hours and less.

    Raises:
        OverflowError: the result lies outside the years 1 to 9999.
    """
    if unit in EXACT:
        return (moment.astimezone(UTC) + count * EXACT[unit]).astimezone(moment.tzinfo)
    months, length = count * MONTHS_IN.get(unit, 0), count * DAYS_IN.get(unit, 0)
    try:
        moved: datetime = moment + relativedelta(months=months, days=length)
    except ValueError:
        raise OverflowError(f"{count} {unit}s from {moment}") from None
    return moved.replace(fold=moment.fold)


def third(start: datetime, end: datetime, part: Part) -> TimeRange | None:
    """The early, mid or late third of whole months or years, the longer ones first; None for other periods.

    Of a month, the first two have 10 days (taste); of 10 years or more, all have whole years.
    """
    count, nth = _whole_months(start, end), ("early", "mid", "late").index(part)
    if count == 1:
        cuts = [start, start + 10 * DAY, start + 20 * DAY, end]
    elif count >= 120 and start.month == 1:
        cuts = [start.replace(year=start.year - -count // 12 * number // 3) for number in range(4)]
    elif count and count % 3 == 0:
        cuts = [start + relativedelta(months=count // 3 * number) for number in range(4)]
    else:
        return None
    return TimeRange(*cuts[nth : nth + 2])


def half(start: datetime, end: datetime, second: bool) -> TimeRange | None:
    """The first or second half of whole months or years (of a month: its first 15 days, or the rest); else None."""
    count = _whole_months(start, end)
    if count != 1 and (not count or count % 2):
        return None
    middle = start + (15 * DAY if count == 1 else relativedelta(months=count // 2))
    return TimeRange(middle, end) if second else TimeRange(start, middle)


def part_of_day(midnight: datetime, part: str) -> TimeRange:
    """A part of a day by wall clock: morning 6 to 12, afternoon to 18, evening to 24, night 18 to 6 (taste)."""
    first, last = _PARTS_OF_DAY[part]
    return TimeRange(midnight + timedelta(hours=first), midnight + timedelta(hours=last))


def _whole_months(start: datetime, end: datetime) -> int:
    """Number of months between two midnights; 0 unless both are the first of a month."""
    return 12 * (end.year - start.year) + end.month - start.month if start.day == end.day == 1 else 0
