"""Readers of times that are counted from an origin: from now, or from another time of the question.

A reader returns the exact range, or None for a phrase without an exact meaning. It raises ValueError for impossible
dates, OverflowError for dates outside the calendar, and NotMeantError if the words tell no time. The groups of its
patterns are those of `libs.text.dates.phrases` and `named_dates`.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Final

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import TimeRange
from libs.text.dates.named_dates import read_named, year_of
from libs.text.dates.periods import DAY, midnights, part_of_day, shift, unit_around
from libs.text.dates.phrases import NotMeantError, TimePhrase
from libs.text.dates.readings import DateReading, bounds
from libs.text.dates.time_mentions import Why

IN_PHRASES_ONLY: Final = "unit_of_now"
"""The kind of `the year`, which is a time only within a phrase such as `the rest of the year`."""
UNREAD: Final[Mapping[str, Why]] = MappingProxyType({"vague": "vague", "outside": "outside"})
"""The kinds that have no exact range, with the reason."""
YEARLY: Final = "yearly"
WEEKDAY: Final = "weekday"


@dataclass(frozen=True, slots=True)
class Origin:
    """A time from which another is counted: whole days from midnight `start` to midnight `end`, or both are now."""

    start: datetime
    end: datetime
    now: datetime

    def side(self, steps: int) -> datetime:
        """The moment from which steps are counted: the start if backwards, else the last day."""
        return self.start if steps < 0 or self.start == self.end else self.end - DAY


Reader = Callable[[TimePhrase, Origin], TimeRange | None]


def _whole(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`last week`, `two weeks ago`, `a week after Easter`, `Friday last week`: the whole unit at that distance.

    A decade or century ago is a year, `a year ago today` a day.
    """
    if (distance := phrase.distance()) is None:
        return None
    unit, steps = distance
    if phrase.text("from"):
        return unit_around(shift(origin.now + phrase.number("from") * DAY, unit, steps), "day")
    moment = shift(origin.side(steps), unit, steps)
    if phrase.text("weekday"):
        return unit_around(moment + (phrase.number("weekday") - moment.weekday()) * DAY, "day")
    is_year = phrase.text("way") and unit in ("decade", "century")
    return unit_around(moment, "year" if is_year else unit)


def _rolling(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`the past three months`, `the next two weeks`, `the two weeks before Easter`: they end or begin at the origin."""
    unit, steps = phrase.distance(toward=-1) or ("", 0)
    if steps < 0:
        return TimeRange(shift(origin.start, unit, steps), origin.start)
    return TimeRange(origin.end, shift(origin.end, unit, steps)) if steps else None


def _beyond(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`more than a year ago`: everything further back."""
    past = _rolling(phrase, origin)
    return TimeRange(None, past.start) if past else None


def _to_date(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`so far this year`: from the beginning of the unit until now."""
    return TimeRange(unit_around(origin.now, phrase.unit()).start, origin.now)


def _weekend(_phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`on the weekend`: the latest that has begun."""
    return unit_around(origin.now - (origin.now.weekday() - 5) % 7 * DAY, "weekend")


def _part_of_day(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`last night`, `this morning`, `the morning of 3 May`."""
    if origin.end - origin.start > DAY:
        raise NotMeantError
    _, steps = phrase.distance() or ("", 0)
    (midnight,) = midnights(origin.now.tzinfo, origin.start.date() + steps * DAY)
    return part_of_day(midnight, phrase.day_part())


def _weekday(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`last Friday`, `two Fridays ago`: counted from today; `this Friday`: of this week; else the latest, or today."""
    today, weekday = origin.now.weekday(), phrase.number("weekday")
    back = (today - weekday) % 7
    if not phrase.text("which", "way"):
        return unit_around(origin.now - back * DAY, "day")
    if (distance := phrase.distance()) is None:
        return None
    steps = distance[1]
    past, ahead = 7 * (steps + 1) - (back or 7), 7 * steps - back
    return unit_around(origin.now + (past if steps < 0 else ahead if steps else weekday - today) * DAY, "day")


def _weeks_ahead(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`a week from Friday`: weeks after the first Friday from today on."""
    count, ahead = phrase.count(), (phrase.number("weekday") - origin.now.weekday()) % 7
    return None if count is None else unit_around(origin.now + (ahead + 7 * count) * DAY, "day")


def _named(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """A day, month, season … of the year that the phrase tells, or as `_of_some_year` picks it."""
    now, step = origin.now, phrase.number_if_any("of_year", "year_ago")
    if year := year_of(phrase):
        reading = read_named(phrase, year)
    elif step is not None or phrase.text("decade", "tens"):
        reading = read_named(phrase, now.year + (step or 0))
    elif phrase.text("week"):
        reading = read_named(phrase, now.isocalendar().year)
    else:
        reading = _of_some_year(phrase, now.date())
    return TimeRange(*midnights(now.tzinfo, *bounds(reading.first, reading.last)))


def _of_some_year(phrase: TimePhrase, today: date) -> DateReading:
    """This year's, the next, the last one that is over, or without such a word the latest that has begun."""
    step, readings = phrase.number_if_any("which"), list[tuple[date, date, DateReading]]()
    if step == 0:
        return read_named(phrase, today.year)
    for year in range(today.year - 8, today.year + 9):  # 29 February may be that far
        with suppress(ValueError):
            reading = read_named(phrase, year)
            readings.append((*bounds(reading.first, reading.last), reading))
    if step == 1:
        fitting = [reading for first, _, reading in readings if first > today][:1]
    else:
        fitting = [reading for first, after, reading in readings if (after if step else first) <= today]
    if not fitting:
        raise ValueError("outside the calendar")
    return fitting[-1]


def _day_of_this_month(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`on the 5th`: the latest that is not in the future; twelve months have every day."""
    for months in range(12):
        with suppress(ValueError):
            moment = (origin.now.replace(day=1) - relativedelta(months=months)).replace(day=phrase.number("day"))
            if moment <= origin.now:
                return unit_around(moment, "day")
    raise ValueError("no day of a month")


READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        "whole": _whole,
        IN_PHRASES_ONLY: _whole,
        "rolling": _rolling,
        "beyond": _beyond,
        "to_date": _to_date,
        "weekend": _weekend,
        "part_of_day": _part_of_day,
        WEEKDAY: _weekday,
        "weeks_ahead": _weeks_ahead,
        YEARLY: _named,
        "dated": _named,
        "day_of_this_month": _day_of_this_month,
    }
)
"""The kinds of `RelativeTime.forms`, besides those of `UNREAD`."""
