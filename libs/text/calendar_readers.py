"""Readers of phrases with months, days, seasons, quarters and holidays; see `libs.text.relative_readers`."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import TimeRange
from libs.text.calendar_words import ORDINALS, SEASONS, month_number
from libs.text.feasts import FEASTS
from libs.text.time_stretches import day, days, months, years
from libs.text.time_words import day_number, step_if_told, step_told, words_of

DECADES = {
    "twenties": 1920,
    "thirties": 1930,
    "forties": 1940,
    "fifties": 1950,
    "sixties": 1960,
    "seventies": 1970,
    "eighties": 1980,
    "nineties": 1990,
}


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


def read_month(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a month without a year."""
    month = month_number(match["month"])
    return _latest_begun(now, lambda year: months(now, year, month), step_if_told(match))


def read_month_of_year(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a month of the last, this or the next year."""
    return months(now, now.year + step_told(match), month_number(match["month"]))


def read_season(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a season without a year."""
    month = SEASONS[match["season"].lower()]
    return _latest_begun(now, lambda year: months(now, year, month, 3), step_if_told(match))


def read_day_of_month(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a day without a year: the latest that has begun."""
    month, number = month_number(match["month"]), day_number(match["day"])
    date(2000, month, number)  # raises for a day that no year has; 2000 has 29 February
    return _latest_begun(now, lambda year: day(now, date(year, month, number)), None)


def read_named_day(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a day with its year."""
    return day(now, date(int(match["year"]), month_number(match["month"]), day_number(match["day"])))


def read_day_of_relative_year(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a day of the last, this or the next year."""
    return day(now, date(now.year + step_told(match), month_number(match["month"]), day_number(match["day"])))


def read_season_of_year(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a season of the last, this or the next year."""
    return months(now, now.year + step_told(match), SEASONS[match["season"].lower()], 3)


def read_winter(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `winter of 2019/20`."""
    year, tail = int(match["year"]), int(match["tail"])
    if (year + 1) % (100 if tail < 100 else 10000) != tail:
        raise ValueError("no winter")
    return months(now, year, 12, 3)


def read_day_of_this_month(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a bare day such as `the 5th`: the latest that is not in the future."""
    number = int(match["day"])
    if not 1 <= number <= 31:
        raise ValueError("no day of a month")
    step = relativedelta(months=1)
    candidates = [(now.replace(day=1) - count * step).date() for count in range(12)]
    days = (first.replace(day=number) for first in candidates if number <= monthrange(first.year, first.month)[1])
    return day(now, next(moment for moment in days if moment <= now.date()))


def read_days_of_month(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `between 10 and 20 March`: the latest that has begun."""
    month, first, last = (
        month_number(match["month"]),
        day_number(match["day"] or match["first"]),
        day_number(match["last"]),
    )
    if first > last:
        raise ValueError("it runs backwards")
    date(2000, month, last)
    return _latest_begun(
        now, lambda year: days(now, date(year, month, first), date(year, month, last) + timedelta(days=1)), None
    )


def read_months_of_year(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `May and June 2020`."""
    first, last = month_number(match["month"]), month_number(match["last"])
    return months(now, int(match["year"]), first, last - first + 1)


def read_quarter_after_year(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `2022 Q3`."""
    return months(now, int(match["year"]), 3 * int(match["digit"]) - 2, 3)


def read_numeric_month(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `03/2021`."""
    return months(now, int(match["year"]), int(match["digits"]))


def read_numeric_day(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `2021-03-05` or `05.03.2021`; raises ValueError for `31/02/2020`, which is no day in either order."""
    number, month = int(match["day"]), int(match["digits"])
    return day(now, date(int(match["year"]), *((month, number) if month <= 12 else (number, month))))


def read_early_year(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `AD 79`."""
    return years(now, int(match["early"] or match["early_after"]))


def read_feast_of_year(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `Easter last year`."""
    return day(now, FEASTS[words_of(match["feast"])](now.year + step_told(match)))


def read_quarter(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a quarter of the last, this or the next year, or the latest that has begun."""
    number = int(match["digit"]) if match["digit"] else ORDINALS[match["ordinal"].lower()]
    if match["which"]:
        return months(now, now.year + step_told(match), 3 * number - 2, 3)
    return _latest_begun(now, lambda year: months(now, year, 3 * number - 2, 3), None)


def read_half(match: re.Match[str], now: datetime) -> TimeRange:
    """Read the first or second half of a year."""
    second = (match["digit"] or match["ordinal"].lower()) in ("2", "second")
    year = int(match["year"]) if match["year"] else now.year + step_told(match)
    return months(now, year, 7 if second else 1, 6)


def read_iso_week(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a week number; without a year, of this year."""
    monday = date.fromisocalendar(int(match["year"] or now.isocalendar().year), int(match["week"]), 1)
    return days(now, monday, monday + timedelta(days=7))


def read_feast(match: re.Match[str], now: datetime) -> TimeRange:
    """Read a holiday, in the stated year or near now."""
    feast = FEASTS[words_of(match["feast"])]
    if match["year"]:
        return day(now, feast(int(match["year"])))
    return _latest_begun(now, lambda year: day(now, feast(year)), step_if_told(match))


def read_decade_word(match: re.Match[str], now: datetime) -> TimeRange:
    """Read `the nineties` or `the 20s`: the 20s are 2020 to 2029, the 30s 1930 to 1939."""
    if match["word"]:
        return years(now, DECADES[match["word"].lower()], 10)
    tens = int(match["tens"])
    return years(now, (1900 if tens >= 30 else 2000) + tens, 10)
