"""Readers of times that are counted from an origin: from now, a document's date, or another time of the question.

A reader returns the exact range, or None for a phrase without an exact meaning. It raises ValueError or OverflowError
for dates that the calendar lacks, and NotMeantError if the words tell no time. The groups of its patterns are those of
`libs.text.dates.phrases` and `named_dates`.
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
from libs.text.dates.phrases import NotMeantError, TimePhrase
from libs.text.dates.readings import DAY, DateReading, bounds, midnights, shift, third, unit_around

WEEKDAY: Final = "weekday"
YEARLY: Final = "yearly"
DATED: Final = "dated"


@dataclass(frozen=True, slots=True)
class Origin:
    """A time from which another is counted: whole days from midnight `start` to midnight `end`, or a moment."""

    start: datetime
    end: datetime

    def side(self, steps: int) -> datetime:
        """The moment from which steps are counted: the start if backwards, else the last day."""
        return self.start if steps < 0 or self.start == self.end else self.end - DAY


Reader = Callable[[TimePhrase, Origin], TimeRange | None]


def _whole(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`last week`, `two weeks ago`, `a week after Easter`, `Friday last week`: the whole unit at that distance."""
    if (distance := phrase.distance()) is None:
        return None
    unit, steps = distance
    moment = shift(origin.side(steps), unit, steps)
    if phrase.text("weekday"):
        return unit_around(moment + (phrase.number("weekday") - moment.weekday()) * DAY, "day")
    return unit_around(moment, unit)


def _rolling(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`the past three months`, `the next two weeks`, `the two weeks before Easter`: they end or begin at the origin."""
    unit, steps = phrase.distance(toward=-1) or ("", 0)
    if steps < 0:
        return TimeRange(shift(origin.start, unit, steps), origin.start)
    return TimeRange(origin.end, shift(origin.end, unit, steps)) if steps else None


def _weekday(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`last Friday`, `two Fridays ago`: counted from today; `this Friday`: of this week; else the latest, or today."""
    today, weekday = origin.start.weekday(), phrase.number("weekday")
    back = (today - weekday) % 7
    if not phrase.text("which", "way"):
        return unit_around(origin.start - back * DAY, "day")
    if (distance := phrase.distance()) is None:
        return None
    steps = distance[1]
    past, ahead = 7 * (steps + 1) - (back or 7), 7 * steps - back
    return unit_around(origin.start + (past if steps < 0 else ahead if steps else weekday - today) * DAY, "day")


def _named(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """A day, month, season … of the year that the phrase tells, or as `_of_some_year` picks it."""
    now, step = origin.start, phrase.number_if_any("of_year", "year_ago")
    if year := year_of(phrase):
        reading = read_named(phrase, year)
    elif step is not None or phrase.text("decade", "tens"):
        reading = read_named(phrase, now.year + (step or 0))
    elif phrase.text("week"):
        reading = read_named(phrase, now.isocalendar().year)
    else:
        reading = _of_some_year(phrase, now.date())
    return TimeRange(*midnights(now.tzinfo, *bounds(reading)))


def _of_some_year(phrase: TimePhrase, today: date) -> DateReading:
    """This year's, the next, the last one that is over, or without such a word the latest that has begun."""
    step, readings = phrase.number_if_any("which"), list[DateReading]()
    if step == 0:
        return read_named(phrase, today.year)
    for year in range(today.year - 8, today.year + 9):  # 29 February may be that far
        with suppress(ValueError):
            readings.append(read_named(phrase, year))
    if step == 1:
        fitting = [reading for reading in readings if bounds(reading)[0] > today][:1]
    else:
        fitting = [reading for reading in readings if bounds(reading)[1 if step else 0] <= today]
    if not fitting:
        raise ValueError("outside the calendar")
    return fitting[-1]


def _day_of_this_month(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`on the 5th`: the latest that is not in the future; twelve months have every day."""
    for months in range(12):
        with suppress(ValueError):
            moment = (origin.start.replace(day=1) - relativedelta(months=months)).replace(day=phrase.number("day"))
            if moment <= origin.start:
                return unit_around(moment, "day")
    raise ValueError("no day of a month")


def _third(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`early`, `the middle of`, `the end of X`."""
    if origin.end - origin.start < 3 * DAY:
        raise NotMeantError
    return third(origin.start, origin.end, phrase.period_part())


def _nth(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`the first three months of`, `the second week of`, `the last day of`: a part of X; its last one has `nth` -1."""
    if (count := phrase.count()) is None:
        return None
    unit, nth = phrase.unit(), phrase.number("nth")
    start = shift(origin.end, unit, -count) if nth < 0 else shift(origin.start, unit, nth - 1)
    end = origin.end if nth < 0 else shift(start, unit, count)
    if not origin.start <= start < end <= origin.end:
        raise ValueError("it has no such part")
    return TimeRange(start, end)


def _unit_of(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`the week of 3 May`: the whole unit that contains it."""
    time_range = unit_around(origin.start, phrase.unit())
    if time_range.end is None or time_range.end < origin.end:
        raise NotMeantError
    return time_range


READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        "whole": _whole,
        "rolling": _rolling,
        WEEKDAY: _weekday,
        YEARLY: _named,
        DATED: _named,
        "day_of_this_month": _day_of_this_month,
        "third": _third,
        "nth": _nth,
        "unit_of": _unit_of,
        "vague": lambda _phrase, _origin: None,
    }
)
"""The kinds of times that are counted, by their names in a language's patterns."""
