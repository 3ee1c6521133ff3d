"""Patterns of dates that include their year, from the most to the least specific.

`07/08/2004` may be July or August: only its year is used. Dates in digits are the same in every language; the others
are in `WrittenDates`, with the groups that `libs.text.dates.named_dates` reads.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.language.topics.calendar import WrittenDates
from libs.text.dates.named_dates import read_named, year_of
from libs.text.dates.phrases import TimePhrase
from libs.text.dates.readings import YEAR, DateReading, one_date

_ALONE: Final = r"(?<![\w\-/.,])"
_DASHES: Final = ("-", "–", "—", "/")


@dataclass(frozen=True, slots=True)
class DatePattern:
    """A kind of date phrase with its reader."""

    clues: tuple[str, ...]
    """Every match contains at least one of these, if there are any; they take a hundredth of the pattern's time."""
    regex: re.Pattern[str]
    _read: Callable[[TimePhrase, int], DateReading] = read_named

    def might_match(self, text: str, start: int, end: int) -> bool:
        """Whether `text[start:end]` contains a clue."""
        return not self.clues or any(text.find(clue, start, end) >= 0 for clue in self.clues)

    def read(self, phrase: TimePhrase) -> DateReading | None:
        """What a match covers; None if the calendar has no such date (31 February)."""
        with suppress(ValueError):
            return self._read(phrase, year_of(phrase))
        return None


@lru_cache(maxsize=64)  # taste
def written_patterns(language: str) -> tuple[DatePattern, ...]:
    """The patterns of a language, from the most to the least specific."""
    return (*_days_in_digits(language), *_in_words(language), *_periods_in_digits())


def _in_words(language: str) -> Iterator[DatePattern]:
    rules = WrittenDates.of(language)
    for kind, form in rules.forms.items():
        yield DatePattern(rules.clues.get(kind, ()), re.compile(_ALONE + form.pattern))


def _days_in_digits(language: str) -> Iterator[DatePattern]:
    iso_day = (
        rf"(?P<year>{YEAR})(?P<s>[-/])(?P<month>0[1-9]|1[0-2])(?P=s)(?P<day>0[1-9]|[12]\d|3[01])"
        r"(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w/]|-\d)"
    )
    yield DatePattern(("-", "/"), re.compile(_ALONE + iso_day))
    numeric = (
        rf"(?P<first>\d{{1,2}})(?P<separator>[/.])(?P<second>\d{{1,2}})(?P=separator)(?P<year>{YEAR})"
        rf"(?!\w|[./,:-]\d|{WrittenDates.of(language).era.pattern})"
    )
    yield DatePattern(("/", ".1", ".2"), re.compile(_ALONE + numeric), _read_numeric)  # years begin with 1 or 2


def _periods_in_digits() -> Iterator[DatePattern]:
    iso_month = rf"(?P<year>{YEAR})-(?P<month>0[1-9]|1[0-2])(?![\w/]|[-.,]\d)"
    yield DatePattern(("-",), re.compile(_ALONE + iso_month))
    yield DatePattern(("Q",), re.compile(rf"{_ALONE}Q(?P<quarter>[1-4])[ /-]?(?P<year>{YEAR})(?!\w|[-.,]\d)"))
    years = rf"{_ALONE}(?P<year1>{YEAR})[-–—/](?P<short>\d\d)(?![\w%]|[-.,]\d)"
    yield DatePattern(_DASHES, re.compile(years))


def _read_numeric(phrase: TimePhrase, year: int) -> DateReading:
    """The day first, or the month before a slash; the year alone where both would do."""
    first, second, has_slash = phrase.number("first"), phrase.number("second"), phrase.text("separator") == "/"
    if has_slash and 1 <= min(first, second) < max(first, second) <= 12:
        return one_date(year)
    month_first = has_slash and second > 12
    return one_date(year, first, second) if month_first else one_date(year, second, first)
