"""Readers of the time phrases in `libs.text.relative_patterns`.

A reader returns the exact range, or None for a phrase without an exact meaning. It raises ValueError for impossible
dates and OverflowError for dates outside the calendar.
"""

import re
from datetime import datetime, timedelta

from libs.contracts.dates import TimeRange
from libs.text.calendar_words import weekday_number
from libs.text.number_words import small_number
from libs.text.time_stretches import day, part_of_day, shift, unit_around
from libs.text.time_words import step_if_told, step_told, words_of

NEAR_DAYS = {
    "the day before yesterday": -2,
    "day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
}
_DAY_OFFSETS = {"this": 0, "yesterday": -1, "last": -1, "tomorrow": 1}
_HALVES = {
    "hour": ("minute", 30),
    "day": ("hour", 12),
    "year": ("month", 6),
    "decade": ("year", 5),
    "century": ("year", 50),
    "centurie": ("year", 50),
}
"""Half of each unit, as a smaller unit and its count."""


def read_near_day(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `yesterday`, `today`, `the day after tomorrow`."""
    return day(now, now.date() + timedelta(days=NEAR_DAYS[words_of(match[0])]))


def read_part_of_day(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a part of a day near today; `last night` is yesterday's night."""
    if match["before"]:
        return part_of_day(now, now.date() - timedelta(days=2), "night")
    if match["tonight"]:
        return part_of_day(now, now.date(), "night")
    offset = timedelta(days=_DAY_OFFSETS[match["day"].lower()])
    return part_of_day(now, now.date() + offset, match["part"].lower())


def read_unit(match: re.Match[str], now: datetime) -> TimeRange:
    """Read the last, this or the next whole unit."""
    unit = match["unit"].lower()
    return unit_around(now, shift(now, unit, step_told(match)).date(), unit)


def read_unit_but_one(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `the week before last`, `the year after next`."""
    unit, steps = match["unit"].lower(), -2 if match["way"].lower().startswith("before") else 2
    return unit_around(now, shift(now, unit, steps).date(), unit)


def read_unit_of_now(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `the year` as the current one."""
    return unit_around(now, now.date(), match["unit"].lower())


def read_latest_weekend(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `the weekend`: the latest that has begun."""
    return unit_around(now, now.date() - timedelta(days=(now.weekday() - 5) % 7), "weekend")


def read_to_date(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `so far this year`: from the beginning of the unit until now."""
    unit = (match["unit"] or match["unit_before"] or match["unit_to"]).lower()
    return TimeRange(unit_around(now, now.date(), unit).start, now)


def _count(match: re.Match[str]) -> int | None:
    """The number of units, 1 if not stated; None for `a few` and other words."""
    words = words_of(match["count"] or "a")
    return 2 if words.endswith("couple of") else small_number(words)


def read_rolling_past(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Read `the past three months`: units that end now."""
    count = _count(match)
    return TimeRange(shift(now, match["unit"].lower(), -count), now) if count else None


def read_rolling_future(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Read `the next two weeks`: units that begin now."""
    count = _count(match)
    return TimeRange(now, shift(now, match["unit"].lower(), count)) if count else None


def read_distance(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Read `two weeks ago`: the whole unit at that distance; for decades and centuries, a year."""
    count, unit = _count(match), match["unit"].lower()
    if count is None:
        return None
    moment = shift(now, unit, -count if match["way"].lower() == "ago" else count)
    if unit in ("second", "minute", "hour"):
        start = moment.replace(minute=0, second=0, microsecond=0)
        return TimeRange(start, shift(start, "hour", 1))
    return unit_around(now, moment.date(), "year" if unit in ("decade", "century", "centurie") else unit)


def _halves(match: re.Match[str], whole: int) -> tuple[str, int]:
    """`whole` units and a half, counted in the smaller unit."""
    unit, count = _HALVES[match["halved"].lower()]
    return unit, (2 * whole + 1) * count


def read_half_units_past(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `the past half year`: six months that end now."""
    unit, count = _halves(match, 0)
    return TimeRange(shift(now, unit, -count), now)


def read_half_units_ago(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Read `half a year ago`: the whole month six months back."""
    whole = _count(match) if "count" in match.re.groupindex else 0
    if whole is None:
        return None
    unit, count = _halves(match, whole)
    moment = shift(now, unit, -count)
    if unit in ("minute", "hour"):
        start = moment.replace(minute=0, second=0, microsecond=0)
        return TimeRange(start, shift(start, "hour", 1))
    return unit_around(now, moment.date(), unit)


def read_days_ago(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Read `a year ago today`: that day."""
    count = _count(match)
    if count is None:
        return None
    counted_from = now - timedelta(days=match["from"].lower() == "yesterday")
    return day(now, shift(counted_from, match["unit"].lower(), -count).date())


def read_weekdays_ago(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Read `two Mondays ago`: the second latest before today."""
    count = _count(match)
    return _weekday_before(match, now, count) if count else None


def read_weekday_but_one(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `the Friday before last`."""
    return _weekday_before(match, now, 2)


def _weekday_before(match: re.Match[str], now: datetime, count: int) -> TimeRange:
    back = (now.weekday() - weekday_number(match["weekday"])) % 7 or 7
    return day(now, now.date() - timedelta(days=back + 7 * (count - 1)))


def read_beyond(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Read `more than a year ago`: everything further back."""
    count = _count(match)
    return TimeRange(None, shift(now, match["unit"].lower(), -count)) if count else None


def read_weekday(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a weekday: with `last`, `this` or `next`, or else the latest that is not in the future."""
    today, weekday = now.date(), weekday_number(match["weekday"])
    back = (today.weekday() - weekday) % 7
    step = step_if_told(match)
    if step == 0:
        return day(now, today + timedelta(days=weekday - today.weekday()))
    if step == 1:
        return day(now, today + timedelta(days=7 - back))
    return day(now, today - timedelta(days=(back or 7) if step else back))


def read_weekday_of_week(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a weekday of the last, this or the next week."""
    monday = now.date() - timedelta(days=now.weekday()) + timedelta(weeks=step_told(match))
    return day(now, monday + timedelta(days=weekday_number(match["weekday"])))


def read_weekday_of_week_ago(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Read `Monday two weeks ago`: the Monday of the week two weeks back."""
    count = _count(match)
    if count is None:
        return None
    monday = now.date() - timedelta(days=now.weekday(), weeks=count)
    return day(now, monday + timedelta(days=weekday_number(match["weekday"])))


def read_weeks_from_weekday(match: re.Match[str], now: datetime) -> TimeRange | None:
    """Read `a week from Friday`: weeks after the first Friday from today on."""
    count = _count(match)
    if count is None:
        return None
    ahead = (weekday_number(match["weekday"]) - now.weekday()) % 7
    return day(now, now.date() + timedelta(days=ahead, weeks=count))


def outside(match: re.Match[str], now: datetime) -> None:
    """Raise OverflowError for dates BC: no range can represent them."""
    raise OverflowError("before the year 1")


def vague(match: re.Match[str], now: datetime) -> None:
    """Return None: the phrase has no exact meaning."""
    return None
