"""Readers of the time phrases in `libs.text.dates.relative_patterns`; pure functions.

A reader returns the exact range, or None for a phrase without an exact meaning. It raises ValueError for impossible
dates and OverflowError for dates outside the calendar.
"""

from datetime import datetime, timedelta

from libs.contracts.dates import TimeRange
from libs.language.topics.calendar import TimeWords
from libs.text.dates.calendar_periods import day, part_of_day, shift, unit_around
from libs.text.dates.time_words import TimePhrase, words_of

_HALVES = {
    "hour": ("minute", 30),
    "day": ("hour", 12),
    "year": ("month", 6),
    "decade": ("year", 5),
    "century": ("year", 50),
}
"""Half of each unit, as a smaller unit and its count."""


def read_near_day(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `yesterday`, `today`, `the day after tomorrow`."""
    return day(now, now.date() + timedelta(days=TimeWords.of(phrase.language).near_days[words_of(phrase.match[0])]))


def read_part_of_day(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a part of a day near today; `last night` is yesterday's night."""
    if phrase.text("before"):
        return part_of_day(now, now.date() - timedelta(days=2), "night")
    if phrase.text("tonight"):
        return part_of_day(now, now.date(), "night")
    near_days, word = TimeWords.of(phrase.language).near_days, phrase.words("day")
    offset = near_days[word] if word in near_days else phrase.step("day") or 0
    return part_of_day(now, now.date() + timedelta(days=offset), phrase.day_part())


def read_unit(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read the last, this or the next whole unit."""
    unit = phrase.unit()
    return unit_around(now, shift(now, unit, phrase.step() or 0).date(), unit)


def read_unit_but_one(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `the week before last`, `the year after next`."""
    unit = phrase.unit()
    return unit_around(now, shift(now, unit, 2 * phrase.direction()).date(), unit)


def read_unit_of_now(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `the year` as the current one."""
    return unit_around(now, now.date(), phrase.unit())


def read_latest_weekend(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `the weekend`: the latest that has begun."""
    return unit_around(now, now.date() - timedelta(days=(now.weekday() - 5) % 7), "weekend")


def read_to_date(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `so far this year`: from the beginning of the unit until now."""
    unit = phrase.unit("unit", "unit_before", "unit_to")
    return TimeRange(unit_around(now, now.date(), unit).start, now)


def read_rolling_past(phrase: TimePhrase, now: datetime) -> TimeRange | None:
    """Read `the past three months`: units that end now."""
    count = phrase.count()
    return TimeRange(shift(now, phrase.unit(), -count), now) if count else None


def read_rolling_future(phrase: TimePhrase, now: datetime) -> TimeRange | None:
    """Read `the next two weeks`: units that begin now."""
    count = phrase.count()
    return TimeRange(now, shift(now, phrase.unit(), count)) if count else None


def read_distance(phrase: TimePhrase, now: datetime) -> TimeRange | None:
    """Read `two weeks ago`: the whole unit at that distance; for decades and centuries, a year."""
    count, unit = phrase.count(), phrase.unit()
    if count is None:
        return None
    moment = shift(now, unit, phrase.direction() * count)
    if unit in ("second", "minute", "hour"):
        start = moment.replace(minute=0, second=0, microsecond=0)
        return TimeRange(start, shift(start, "hour", 1))
    return unit_around(now, moment.date(), "year" if unit in ("decade", "century") else unit)


def _halves(phrase: TimePhrase, whole: int) -> tuple[str, int]:
    """`whole` units and a half, counted in the smaller unit."""
    unit, count = _HALVES[phrase.unit("halved")]
    return unit, (2 * whole + 1) * count


def read_half_units_past(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `the past half year`: six months that end now."""
    unit, count = _halves(phrase, 0)
    return TimeRange(shift(now, unit, -count), now)


def read_half_units_ago(phrase: TimePhrase, now: datetime) -> TimeRange | None:
    """Read `half a year ago`: the whole month six months back."""
    whole = phrase.count() if phrase.text("count") else 0
    if whole is None:
        return None
    unit, count = _halves(phrase, whole)
    moment = shift(now, unit, -count)
    if unit in ("minute", "hour"):
        start = moment.replace(minute=0, second=0, microsecond=0)
        return TimeRange(start, shift(start, "hour", 1))
    return unit_around(now, moment.date(), unit)


def read_days_ago(phrase: TimePhrase, now: datetime) -> TimeRange | None:
    """Read `a year ago today`: that day."""
    count = phrase.count()
    if count is None:
        return None
    counted_from = now + timedelta(days=TimeWords.of(phrase.language).near_days[phrase.words("from")])
    return day(now, shift(counted_from, phrase.unit(), -count).date())


def read_weekdays_ago(phrase: TimePhrase, now: datetime) -> TimeRange | None:
    """Read `two Mondays ago`: the second latest before today."""
    count = phrase.count()
    return _weekday_before(phrase, now, count) if count else None


def read_weekday_but_one(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `the Friday before last`."""
    return _weekday_before(phrase, now, 2)


def _weekday_before(phrase: TimePhrase, now: datetime, count: int) -> TimeRange:
    back = (now.weekday() - phrase.weekday()) % 7 or 7
    return day(now, now.date() - timedelta(days=back + 7 * (count - 1)))


def read_beyond(phrase: TimePhrase, now: datetime) -> TimeRange | None:
    """Read `more than a year ago`: everything further back."""
    count = phrase.count()
    return TimeRange(None, shift(now, phrase.unit(), -count)) if count else None


def read_weekday(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a weekday: with `last`, `this` or `next`, or else the latest that is not in the future."""
    today, weekday = now.date(), phrase.weekday()
    back = (today.weekday() - weekday) % 7
    step = phrase.step()
    if step == 0:
        return day(now, today + timedelta(days=weekday - today.weekday()))
    if step == 1:
        return day(now, today + timedelta(days=7 - back))
    return day(now, today - timedelta(days=(back or 7) if step else back))


def read_weekday_of_week(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a weekday of the last, this or the next week."""
    monday = now.date() - timedelta(days=now.weekday()) + timedelta(weeks=phrase.step() or 0)
    return day(now, monday + timedelta(days=phrase.weekday()))


def read_weekday_of_week_ago(phrase: TimePhrase, now: datetime) -> TimeRange | None:
    """Read `Monday two weeks ago`: the Monday of the week two weeks back."""
    count = phrase.count()
    if count is None:
        return None
    monday = now.date() - timedelta(days=now.weekday(), weeks=count)
    return day(now, monday + timedelta(days=phrase.weekday()))


def read_weeks_from_weekday(phrase: TimePhrase, now: datetime) -> TimeRange | None:
    """Read `a week from Friday`: weeks after the first Friday from today on."""
    count = phrase.count()
    if count is None:
        return None
    ahead = (phrase.weekday() - now.weekday()) % 7
    return day(now, now.date() + timedelta(days=ahead, weeks=count))


def outside(phrase: TimePhrase, now: datetime) -> None:
    """Raise OverflowError for dates BC: no range can represent them."""
    raise OverflowError("before the year 1")


def vague(phrase: TimePhrase, now: datetime) -> None:
    """Return None: the phrase has no exact meaning."""
    return None
