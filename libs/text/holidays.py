"""Holidays as days of a year; their names and rules are data of a language."""

import re
from datetime import date, timedelta
from typing import Final

from dateutil.easter import easter
from dateutil.relativedelta import relativedelta, weekday

from libs.language.topics.calendar import Calendar

_DAY: Final = re.compile(r"(?P<month>\d\d)-(?P<day>\d\d)")
_AROUND_EASTER: Final = re.compile(r"easter(?P<days>[+-]\d{1,3})?")
_NTH_WEEKDAY: Final = re.compile(r"(?P<month>\d\d)-(?P<weekday>mon|tue|wed|thu|fri|sat|sun)(?P<nth>[+-]\d)")
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def feast_day(name: str, year: int, language: str) -> date:
    """The day of a holiday, by its lower-cased name, in a year from 1583 on; Easter is the Western one.

    Raises:
        KeyError: the language has no such holiday.
        ValueError: its rule in the language's data is wrong, or the year is outside the calendar.
    """
    rule = Calendar.of(language).feasts[name]
    if around_easter := _AROUND_EASTER.fullmatch(rule):
        sunday: date = easter(year)
        return sunday + timedelta(days=int(around_easter["days"] or 0))
    if fixed_date := _DAY.fullmatch(rule):
        return date(year, int(fixed_date["month"]), int(fixed_date["day"]))
    if nth := _NTH_WEEKDAY.fullmatch(rule):
        return _nth_weekday(year, int(nth["month"]), _WEEKDAYS.index(nth["weekday"]), int(nth["nth"]))
    raise ValueError(f"no rule of a holiday: {rule!r}")


def _nth_weekday(year: int, month: int, day: int, nth: int) -> date:
    """The n-th such weekday of a month; counted from the end if negative."""
    first = date(year, month, 1)
    offset = relativedelta(weekday=weekday(day, nth), day=31 if nth < 0 else 1)
    result: date = first + offset
    return result
