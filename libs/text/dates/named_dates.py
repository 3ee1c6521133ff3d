"""What a phrase names in a year: a day, month, season, quarter, half, week, holiday, decade or century.

One reader for documents and questions, by the groups of the pattern: `day`, `month` and `year`, those of the first end
of a range with `1`; `season` (three months of the northern hemisphere, so that winter ends in the next year), `quarter`
or `nth_quarter`, `half_year` or `nth_half`, `week`, `feast`; `decade`, or its last two digits in `tens`; `century`. The
19th century is 1801 to 1900, `the 1900s` a century and `the 2000s` a decade.
"""

import re
from contextlib import suppress
from datetime import date
from typing import Final

from dateutil.easter import easter
from dateutil.relativedelta import relativedelta, weekday

from libs.language.topics.calendar import Calendar
from libs.text.dates.phrases import TimePhrase
from libs.text.dates.readings import DAY, LAST_YEAR, DateReading, one_date, period

_FEAST: Final = re.compile(r"(?P<month>\d\d)-(?:(?P<day>\d\d)|(?P<weekday>[a-z]{3})(?P<nth>[+-]\d))|easter(?P<days>.*)")
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_LAST_CENTURY: Final = 30
"""From this on, two digits are a year or decade of the 20th century (taste)."""


def feast_day(name: str, year: int, language: str) -> date:
    """The day of a holiday, by its lower-cased name, in a year from 1583 on; Easter is the Western one.

    Raises:
        KeyError: the language has no such holiday.
        ValueError: its rule in the language's data is wrong, or the year is outside the calendar.
    """
    if not (rule := _FEAST.fullmatch(Calendar.of(language).feasts[name])):
        raise ValueError(f"no rule of a holiday: {name!r}")
    if not rule["month"]:
        sunday: date = easter(year)
        return sunday + int(rule["days"] or 0) * DAY
    month = date(year, int(rule["month"]), int(rule["day"] or 1))
    if rule["day"]:
        return month
    nth = int(rule["nth"])
    day: date = month + relativedelta(weekday=weekday(_WEEKDAYS.index(rule["weekday"]), nth), day=31 if nth < 0 else 1)
    return day


def year_of(phrase: TimePhrase) -> int:
    """The year that a phrase tells; two digits are completed by its first year, or taste. 0 if it tells none."""
    if not (short := phrase.text("short")):
        return phrase.number("year", "year_after")
    if first := phrase.number("year1"):
        return first - first % 100 + int(short)
    return _completed(int(short))


def read_named(phrase: TimePhrase, year: int) -> DateReading:
    """What a phrase names in a year.

    Raises:
        ValueError: the calendar has no such day, week or century, or the range runs backwards.
    """
    if phrase.text("feast"):
        day = feast_day(phrase.words("feast"), year, phrase.language)
        return period(day, day + DAY)
    if phrase.text("week"):
        monday = date.fromisocalendar(year, phrase.number("week"), 1)
        return period(monday, monday + 7 * DAY)
    if phrase.text("season", "quarter", "nth_quarter"):
        return _months(year, phrase.number("season") or 3 * phrase.number("quarter", "nth_quarter") - 2, 3)
    if half := phrase.number("half_year", "nth_half"):
        return _months(year, 6 * half - 5, 6)
    return _years(phrase) if phrase.text("decade", "tens", "century") else _range(phrase, year)


def _completed(digits: int) -> int:
    return digits + (1900 if digits >= _LAST_CENTURY else 2000)


def _months(year: int, month: int, count: int) -> DateReading:
    """A period of months, which may extend into the next year."""
    first = date(year, month, 1)
    return period(first, first + relativedelta(months=count))


def _years(phrase: TimePhrase) -> DateReading:
    """A decade or century."""
    if phrase.text("century"):
        first, count = 100 * phrase.number("century") - 99, 100
    else:
        first = phrase.number("decade") or _completed(phrase.number("tens"))
        count = 100 if first % 100 == 0 and first < 2000 else 10
    if first > LAST_YEAR:
        raise ValueError("no year of a date")
    return period(date(first, 1, 1), date(first + count, 1, 1), phrase.period_part())


def _range(phrase: TimePhrase, year: int) -> DateReading:
    """A day, month or year, or the range between two: what one end leaves out is that of the other."""
    day, month = phrase.number_if_any("day"), phrase.number_if_any("month", "month1")
    last = one_date(year, month, day, phrase.period_part())
    if not (phrase.text("day1") if day else phrase.text("month1", "year1")):
        return last
    with suppress(ValueError):
        first_month, first_day = phrase.number_if_any("month1", "month"), phrase.number_if_any("day1")
        first = one_date(phrase.number("year1") or year, first_month, first_day).first
        if first <= last.last:
            return DateReading(first, last.last, last.precision)
    if not day or not phrase.text("year"):
        raise ValueError("it runs backwards")
    return last  # `No. 31 - 26 November 2026` is no range of days: the number belongs to something else.
