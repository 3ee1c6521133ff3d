"""Patterns of dates that include their year, from the most to the least specific, each with its reader.

`07/08/2004` may be July or August: only its year is used. Dates in digits are the same in every language; the others
are in `WrittenDates`, with the groups that `libs.text.dates.named_dates` reads.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from libs.language.topics.calendar import WrittenDates
from libs.text.dates.bare_years import bare_year_pattern, read_bare_year
from libs.text.dates.named_dates import read_named
from libs.text.dates.phrases import TimePhrase
from libs.text.dates.readings import YEAR, DateReading, one_date

_ALONE: Final = r"(?<![\w\-/.,])"

DateReader = Callable[[TimePhrase, int], DateReading]
"""Reads a phrase and its year; ValueError if the calendar has no such date, NotMeantError if it is none."""


@lru_cache(maxsize=64)  # taste
def written_patterns(language: str) -> tuple[tuple[re.Pattern[str], DateReader], ...]:
    """The patterns of a language."""
    return (*_of_days(language), *_of_periods(language), (bare_year_pattern(language), read_bare_year))


def _of_days(language: str) -> Iterator[tuple[re.Pattern[str], DateReader]]:
    iso_day = (
        rf"(?P<year>{YEAR})(?P<s>[-/])(?P<month>0[1-9]|1[0-2])(?P=s)(?P<day>0[1-9]|[12]\d|3[01])"
        r"(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w/]|-\d)"
    )
    yield re.compile(_ALONE + iso_day), read_named
    numeric = (
        rf"(?P<first>\d{{1,2}})(?P<separator>[/.])(?P<second>\d{{1,2}})(?P=separator)(?P<year>{YEAR})"
        rf"(?!\w|[./,:-]\d|{WrittenDates.of(language).era.pattern})"
    )
    yield re.compile(_ALONE + numeric), _read_numeric


def _of_periods(language: str) -> Iterator[tuple[re.Pattern[str], DateReader]]:
    for form in (
        *(form.pattern for form in WrittenDates.of(language).forms.values()),
        rf"(?P<year>{YEAR})-(?P<month>0[1-9]|1[0-2])(?![\w/]|[-.,]\d)",
        rf"(?P<month>0[1-9]|1[0-2])/(?P<year>{YEAR})(?!\w|[-./,]\d)",
        rf"Q(?P<quarter>[1-4])[ /-]?(?P<year>{YEAR})(?!\w|[-.,]\d)",
        rf"(?P<year1>{YEAR})[-–—/](?P<short>\d\d)(?![\w%]|[-.,]\d)",
    ):
        yield re.compile(_ALONE + form), read_named


def _read_numeric(phrase: TimePhrase, year: int) -> DateReading:
    """The day first, or the month before a slash; the year alone where both would do."""
    first, second, has_slash = phrase.number("first"), phrase.number("second"), phrase.text("separator") == "/"
    if has_slash and 1 <= min(first, second) < max(first, second) <= 12:
        return one_date(year)
    month_first = has_slash and second > 12
    return one_date(year, first, second) if month_first else one_date(year, second, first)
