"""Patterns and readers of dates that include their year, from the most to the least specific. No I/O of its own.

A season is three months of the northern hemisphere (`winter 1969` ends in February 1970), the 19th century is 1801 to
1900, `the 1900s` a century and `the 2000s` a decade. `07/08/2004` may be July or August: only its year is used.
Dates in digits are the same in every language; the others are in `WrittenDates`, by the kinds of `KINDS`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.contracts.dates import PartialDate, Precision
from libs.language.topics.calendar import WrittenDates
from libs.text.dates.date_readings import YEAR, DateReading, is_day, one_day, one_month, one_year, ordered_range
from libs.text.dates.time_words import TimePhrase

_ALONE: Final = r"(?<![\w\-/.,])"
_LAST_CENTURY: Final = 30
"""From this on, a year of two digits is one of the 20th century (taste)."""

_Reader = Callable[[TimePhrase], DateReading | None]


@dataclass(frozen=True, slots=True)
class DatePattern:
    """A kind of date phrase with its reader, which returns None for an invalid date (31 February)."""

    clues: tuple[str, ...]
    """Every match contains at least one of these, if there are any; they take a hundredth of the pattern's time."""
    regex: re.Pattern[str]
    read: _Reader

    def might_match(self, text: str, start: int, end: int) -> bool:
        """Whether `text[start:end]` contains a clue."""
        return not self.clues or any(text.find(clue, start, end) >= 0 for clue in self.clues)


def _valid_date(year: int, month: int, day: int) -> PartialDate | None:
    return PartialDate(year, month, day) if is_day(year, month, day) else None


def _read_day(phrase: TimePhrase) -> DateReading | None:
    date = _valid_date(phrase.number("year"), phrase.month(), phrase.number("day"))
    return one_day(date) if date else None


def _read_day_in_digits(phrase: TimePhrase) -> DateReading | None:
    """`1998-03-05`; with the day first also `5.3.98`."""
    date = _valid_date(_year(phrase), phrase.number("month"), phrase.number("day"))
    return one_day(date) if date else None


def _year(phrase: TimePhrase) -> int:
    if not phrase.text("short"):
        return phrase.number("year")
    short = phrase.number("short")
    return (1900 if short >= _LAST_CENTURY else 2000) + short


def _read_day_range(phrase: TimePhrase) -> DateReading | None:
    last_month = phrase.month("month2") if phrase.text("month2") else phrase.month("month1")
    first_month = phrase.month("month1") if phrase.text("month1") else last_month
    first = _valid_date(phrase.number("year1", "year2"), first_month, phrase.number("day1"))
    last = _valid_date(phrase.number("year2"), last_month, phrase.number("day2"))
    if last is None:
        return None
    # `No. 31 - 26 November 2026` is no range of days: the number belongs to something else.
    return (first and ordered_range(first, last, Precision.DAY)) or one_day(last)


def _read_month(phrase: TimePhrase) -> DateReading:
    return one_month(phrase.number("year"), phrase.month(), phrase.period_part())


def _read_month_range(phrase: TimePhrase) -> DateReading | None:
    first = PartialDate(phrase.number("year1", "year2"), phrase.month("month1"))
    return ordered_range(first, PartialDate(phrase.number("year2"), phrase.month("month2")), Precision.MONTH)


def _read_iso_month(phrase: TimePhrase) -> DateReading:
    return one_month(phrase.number("year"), phrase.number("month"))


def _three_months(year: int, first_month: int) -> DateReading:
    end = first_month + 2
    last = PartialDate(year + 1, end - 12) if end > 12 else PartialDate(year, end)
    return DateReading(PartialDate(year, first_month), last, Precision.SEASON)


def _read_season(phrase: TimePhrase) -> DateReading:
    return _three_months(phrase.number("year"), phrase.season())


def _read_quarter(phrase: TimePhrase) -> DateReading:
    return _three_months(phrase.number("year"), 3 * phrase.ordinal("digit", "ordinal") - 2)


def _read_numeric(phrase: TimePhrase) -> DateReading | None:
    year, first, second = phrase.number("year"), phrase.number("first"), phrase.number("second")
    day_first, month_first = _valid_date(year, second, first), _valid_date(year, first, second)
    has_slash = phrase.text("separator") == "/"
    if day_first and month_first and first != second and has_slash:
        return one_year(year)
    date = day_first or (month_first if has_slash else None)
    return one_day(date) if date else None


def _read_decade(phrase: TimePhrase) -> DateReading:
    if phrase.text("short"):
        tens = phrase.number("short")
        first = (2000 if tens < 20 else 1900) + tens  # taste
    else:
        first = phrase.number("decade")
    is_century = first % 100 == 0 and first < 2000
    last, precision = (first + 99, Precision.CENTURY) if is_century else (first + 9, Precision.DECADE)
    return DateReading(PartialDate(first), PartialDate(last), precision, phrase.period_part())


def _read_century(phrase: TimePhrase) -> DateReading | None:
    number = phrase.ordinal("ordinal")
    if not 1 <= number <= 22:  # of the years up to 2200
        return None
    last = 100 * number
    return DateReading(PartialDate(last - 99), PartialDate(last), Precision.CENTURY, phrase.period_part())


def _read_short_year_range(phrase: TimePhrase) -> DateReading | None:
    first = phrase.number("year")
    return ordered_range(PartialDate(first), PartialDate(first - first % 100 + phrase.number("tail")), Precision.YEAR)


KINDS: Final[tuple[tuple[str, _Reader], ...]] = (
    ("day_range", _read_day_range),
    ("day_range_month_first", _read_day_range),
    ("month_range", _read_month_range),
    ("day", _read_day),
    ("day_month_first", _read_day),
    ("month", _read_month),
    ("season", _read_season),
    ("quarter", _read_quarter),
    ("numeric_day", _read_day_in_digits),
    ("decade", _read_decade),
    ("century", _read_century),
)
"""The kinds of dates with words. Their groups: `day`, `month`, `year`; `day1` to `year2` in ranges; `season`; a
quarter's `digit` or `ordinal`; the first year of a `decade`, or `short` with its last two digits; a century's
`ordinal`."""


@lru_cache(maxsize=64)  # taste
def absolute_patterns(language: str) -> tuple[DatePattern, ...]:
    """The patterns of a language, from the most to the least specific."""
    return (*_days_in_digits(language), *_in_words(language), *_periods_in_digits())


def _in_words(language: str) -> Iterator[DatePattern]:
    rules = WrittenDates.of(language)
    for kind, read in KINDS:
        if form := rules.forms.get(kind):
            yield DatePattern(rules.clues.get(kind, ()), re.compile(_ALONE + form.pattern), read)


def _days_in_digits(language: str) -> Iterator[DatePattern]:
    iso_day = (
        rf"(?P<year>{YEAR})(?P<s>[-/])(?P<month>0[1-9]|1[0-2])(?P=s)(?P<day>0[1-9]|[12]\d|3[01])"
        r"(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w/]|-\d)"
    )
    yield DatePattern(("-", "/"), re.compile(_ALONE + iso_day), _read_day_in_digits)
    numeric = (
        rf"(?P<first>\d{{1,2}})(?P<separator>[/.])(?P<second>\d{{1,2}})(?P=separator)(?P<year>{YEAR})"
        rf"(?!\w|[./,:-]\d|{WrittenDates.of(language).era.pattern})"
    )
    yield DatePattern(("/", ".1", ".2"), re.compile(_ALONE + numeric), _read_numeric)  # years begin with 1 or 2


def _periods_in_digits() -> Iterator[DatePattern]:
    iso_month = rf"(?P<year>{YEAR})-(?P<month>0[1-9]|1[0-2])(?![\w/]|[-.,]\d)"
    yield DatePattern(("-",), re.compile(_ALONE + iso_month), _read_iso_month)
    quarter = rf"Q(?P<digit>[1-4])[ /-]?(?P<year>{YEAR})(?!\w|[-.,]\d)"
    yield DatePattern(("Q",), re.compile(_ALONE + quarter), _read_quarter)
    short_range = rf"(?P<year>{YEAR})[-–—/](?P<tail>\d\d)(?![\w%]|[-.,]\d)"
    yield DatePattern(("-", "–", "—", "/"), re.compile(_ALONE + short_range), _read_short_year_range)
