"""Patterns of dates that include their year, from the most to the least specific, each with its reader.

`07/08/2004` may be July or August: only its year is used. Dates in digits are the same in every language; the others
are in `WrittenDates`, with the groups that `libs.text.dates.named_dates` reads. A year of four bare digits is told from
quantities and identifiers by the words around it.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from libs.contracts.dates import PartialDate, Precision
from libs.language.patterns import any_of
from libs.language.topics.calendar import WrittenDates
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.numbers import Numbers
from libs.text.dates.named_dates import read_named
from libs.text.dates.phrases import NotMeantError, TimePhrase
from libs.text.dates.readings import YEAR, DateReading, one_date
from libs.text.numbers.units import MONEY_SIGNS, unit_named

_PART_OF_A_NUMBER: Final = re.compile(rf"[-–—/.,'’:#+{MONEY_SIGNS}]\Z|[{MONEY_SIGNS}]\s\Z")
_REACH: Final = 24  # characters before a number that are read; between it and a scale: 8 (taste)
_PRECEDING: Final = re.compile(r"([^\W\d_]+)\.?[\s(\[“\"'‘-]*\Z")
_FOLLOWING: Final = re.compile(r"[ \u00a0]([^\W\d_]+)")
_SURE_FROM: Final = 1500
"""Earlier numbers need a preposition or brackets to count as years: `1200 knights` is more often a count (taste)."""
_VERSIONS: Final = range(1990, 2050)
"""`The 2026 rules` are those of that year; `the 2000 runners` and other round numbers are counts (taste)."""
_ALONE: Final = r"(?<![\w\-/.,])"


def bare_year_pattern(language: str) -> re.Pattern[str]:
    """A number that may be a year, or a dashed range of two, with the part of it before."""
    rules, scales = WrittenDates.of(language), any_of(Numbers.of(language).scales)
    return re.compile(
        rf"(?<!\w)(?:{rules.part.pattern})?(?<!\w)(?P<year>{YEAR})(?:\s?[-–—/]\s?(?P<last>{YEAR}))?"
        rf"(?!\w|[./,:]\d|[-–—]\d|-[^\W\d]|\s?[%°‰]|{rules.era.pattern}|\s{{1,8}}(?i:{scales})\b)"
    )


def read_bare_year(phrase: TimePhrase, year: int) -> DateReading:
    """The year, or the range of years.

    Raises:
        NotMeantError: the words around tell that it is another number.
    """
    last, part = phrase.number("last") or year, phrase.period_part()
    if last < year or not (part or _is_year(phrase.match, year, phrase.language)):
        raise NotMeantError
    return DateReading(PartialDate(year), PartialDate(last), Precision.YEAR, part)


def _is_year(match: re.Match[str], year: int, language: str) -> bool:
    text, start = match.string, match.start("year")
    if _PART_OF_A_NUMBER.search(text, max(0, start - 2), start):
        return False
    context = WrittenDates.of(language)
    preceding = _PRECEDING.search(text, max(0, start - _REACH), start)
    following = _FOLLOWING.match(text, match.end())
    before = preceding[1].lower() if preceding else ""
    after = following[1] if following else ""
    if before in context.before_counts or after.lower() in context.counted or unit_named(after, language):
        return False
    is_version = before in NounPhrases.of(language).definite_articles and year in _VERSIONS and year % 100 > 0
    is_apart = year >= _SURE_FROM or text[start - 1 : start] in ("(", "[")
    is_sure = is_apart and not context.things.fullmatch(after)
    return is_version or before in context.year_prepositions or is_sure


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
    month_and_day = r"(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])"
    yield re.compile(rf"\A(?P<year>{YEAR}){month_and_day}\Z"), read_named  # among other words it is an identifier
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
        rf"(?P<year>{YEAR})-?W(?P<week>0[1-9]|[1-4]\d|5[0-3])(?!\w|[-.,]\d)",
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
