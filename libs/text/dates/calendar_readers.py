"""Readers of phrases with months, days, seasons, quarters and holidays; see `libs.text.dates.relative_readers`.

Holidays are days of a year; their names and rules are data of a language. Readers raise ValueError for impossible
dates, and OverflowError or ValueError outside the calendar.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Final

from dateutil.easter import easter
from dateutil.relativedelta import relativedelta, weekday

from libs.contracts.dates import TimeRange
from libs.language.topics.calendar import Calendar
from libs.text.dates.calendar_periods import day, days, months, years
from libs.text.dates.time_words import TimePhrase

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


def _latest_begun(now: datetime, in_year: Callable[[int], TimeRange], step: int | None) -> TimeRange:
    """Pick a yearly period: this year's (0), the next (1), the last one over (-1), or the last begun (None)."""
    if step == 0:
        return in_year(now.year)
    candidates = list(_in_years_around(now.year, in_year))
    if step == 1:
        fitting = [stretch for stretch in candidates if stretch.start and stretch.start > now][:1]
    else:
        limits = [(stretch.end if step else stretch.start, stretch) for stretch in candidates]
        fitting = [stretch for limit, stretch in limits if limit and limit <= now]
    if not fitting:
        raise ValueError("outside the calendar")
    return fitting[-1]


def _in_years_around(year: int, in_year: Callable[[int], TimeRange]) -> Iterator[TimeRange]:
    """The period in each of eight years on either side (29 February may be that far); years without it are skipped."""
    for candidate in range(year - 8, year + 9):
        with suppress(ValueError):
            yield in_year(candidate)


def _relative_year(phrase: TimePhrase, now: datetime) -> int:
    """The last, this or the next year."""
    return now.year + (phrase.step("which", "which_of") or 0)


def read_month(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a month without a year."""
    month = phrase.month()
    return _latest_begun(now, lambda year: months(now, year, month), phrase.step())


def read_month_of_year(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a month of the last, this or the next year."""
    return months(now, _relative_year(phrase, now), phrase.month())


def read_season(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a season without a year."""
    month = phrase.season()
    return _latest_begun(now, lambda year: months(now, year, month, 3), phrase.step())


def read_day_of_month(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a day without a year: the latest that has begun."""
    month, number = phrase.month(), phrase.number("day")
    date(2000, month, number)  # raises for a day that no year has; 2000 has 29 February
    return _latest_begun(now, lambda year: day(now, date(year, month, number)), None)


def read_named_day(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a day with its year."""
    return day(now, date(phrase.number("year"), phrase.month(), phrase.number("day")))


def read_day_of_relative_year(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a day of the last, this or the next year."""
    return day(now, date(_relative_year(phrase, now), phrase.month(), phrase.number("day")))


def read_season_of_year(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a season of the last, this or the next year."""
    return months(now, _relative_year(phrase, now), phrase.season(), 3)


def read_winter(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `winter of 2019/20`."""
    year, tail = phrase.number("year"), phrase.number("tail")
    if (year + 1) % (100 if tail < 100 else 10000) != tail:
        raise ValueError("no winter")
    return months(now, year, 12, 3)


def read_day_of_this_month(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a bare day such as `the 5th`: the latest that is not in the future; twelve months have every day."""
    number = phrase.number("day")
    if not 1 <= number <= 31:
        raise ValueError("no day of a month")
    step = relativedelta(months=1)
    candidates = [(now.replace(day=1) - count * step).date() for count in range(12)]
    days = (first.replace(day=number) for first in candidates if number <= monthrange(first.year, first.month)[1])
    return day(now, next(moment for moment in days if moment <= now.date()))


def read_days_of_month(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `between 10 and 20 March`: the latest that has begun."""
    month, first, last = phrase.month(), phrase.number("day", "first"), phrase.number("last")
    if first > last:
        raise ValueError("it runs backwards")
    date(2000, month, last)
    return _latest_begun(
        now, lambda year: days(now, date(year, month, first), date(year, month, last) + timedelta(days=1)), None
    )


def read_months_of_year(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `May and June 2020`."""
    first, last = phrase.month(), phrase.month("last")
    return months(now, phrase.number("year"), first, last - first + 1)


def read_quarter_after_year(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `2022 Q3`."""
    return months(now, phrase.number("year"), 3 * phrase.number("digit") - 2, 3)


def read_numeric_month(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `03/2021`."""
    return months(now, phrase.number("year"), phrase.number("digits"))


def read_numeric_day(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `2021-03-05` or `05.03.2021`; raises ValueError for `31/02/2020`, which is no day in either order."""
    number, month = phrase.number("day"), phrase.number("digits")
    return day(now, date(phrase.number("year"), *((month, number) if month <= 12 else (number, month))))


def read_early_year(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `AD 79`."""
    return years(now, phrase.number("early", "early_after"))


def read_feast_of_year(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `Easter last year`."""
    return day(now, feast_day(phrase.words("feast"), _relative_year(phrase, now), phrase.language))


def read_quarter(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a quarter of the last, this or the next year, or the latest that has begun."""
    number = phrase.ordinal("digit", "ordinal")
    if phrase.text("which"):
        return months(now, _relative_year(phrase, now), 3 * number - 2, 3)
    return _latest_begun(now, lambda year: months(now, year, 3 * number - 2, 3), None)


def read_half(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read the first or second half of a year."""
    is_second = phrase.ordinal("digit", "ordinal") == 2
    year = phrase.number("year") if phrase.text("year") else _relative_year(phrase, now)
    return months(now, year, 7 if is_second else 1, 6)


def read_iso_week(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a week number; without a year, of this year."""
    year = phrase.number("year") if phrase.text("year") else now.isocalendar().year
    monday = date.fromisocalendar(year, phrase.number("week"), 1)
    return days(now, monday, monday + timedelta(days=7))


def read_feast(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read a holiday, in the stated year or near now."""
    name, language = phrase.words("feast"), phrase.language
    if phrase.text("year"):
        return day(now, feast_day(name, phrase.number("year"), language))
    return _latest_begun(now, lambda year: day(now, feast_day(name, year, language)), phrase.step())


def read_decade_word(phrase: TimePhrase, now: datetime) -> TimeRange:
    """Read `the nineties` or `the 20s`: the 20s are 2020 to 2029, the 30s 1930 to 1939."""
    if word := phrase.words("word"):
        return years(now, Calendar.of(phrase.language).decades[word], 10)
    tens = phrase.number("tens")
    return years(now, (1900 if tens >= 30 else 2000) + tens, 10)  # taste
