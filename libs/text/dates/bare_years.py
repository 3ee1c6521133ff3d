"""Finds years written as four bare digits; surrounding words distinguish them from quantities and identifiers."""

import re
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import Final

from libs.contracts.dates import PartialDate, Precision
from libs.language.patterns import any_of
from libs.language.topics.calendar import WrittenDates, YearContext
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.numbers import Numbers
from libs.text.dates.phrases import TimePhrase
from libs.text.dates.readings import YEAR, DateReading
from libs.text.numbers.units import MONEY_SIGNS, unit_named

_PART_OF_A_NUMBER: Final = re.compile(rf"[-–—/.,'’:#+{MONEY_SIGNS}]\Z|[{MONEY_SIGNS}]\s\Z")
_REACH: Final = 24  # characters before a number that are read; between it and a scale: 8 (taste)
_PRECEDING: Final = re.compile(r"([^\W\d_]+)\.?[\s(\[“\"'‘-]*\Z")
_FOLLOWING: Final = re.compile(r"[ \u00a0]([^\W\d_]+)")
_SURE_FROM: Final = 1500
"""Earlier numbers need a preposition or brackets to count as years: `1200 knights` is more often a count (taste)."""

_VERSIONS: Final = range(1990, 2050)
"""`The 2026 rules` are those of that year; `the 2000 runners` and other round numbers are counts (taste)."""


def find_bare_years(text: str, date_ends: Set[int], language: str) -> Iterator[tuple[int, int, DateReading]]:
    """Start, end and reading of each bare year or dashed range of years that is not the end of a known date."""
    for match in _year(language).finditer(text):
        if match.end() in date_ends:
            continue
        year, last = int(match["year"]), int(match["last"] or match["year"])
        start, part = match.start(), _part(language).search(text, max(0, match.start() - _REACH), match.start())
        period_part = TimePhrase(part, language).period_part() if part else ""
        if last >= year and (period_part or _is_year(text, start, match.end(), year, language)):
            reading = DateReading(PartialDate(year), PartialDate(last), Precision.YEAR, period_part)
            yield part.start() if part and period_part else start, match.end(), reading


@lru_cache(maxsize=64)  # taste
def _year(language: str) -> re.Pattern[str]:
    era, scales = WrittenDates.of(language).era.pattern, any_of(Numbers.of(language).scales)
    return re.compile(
        rf"(?<!\w)(?P<year>{YEAR})(?:\s?[-–—/]\s?(?P<last>{YEAR}))?"
        rf"(?!\w|[./,:]\d|[-–—]\d|-[^\W\d]|\s?[%°‰]|{era}|\s{{1,8}}(?i:{scales})\b)"
    )


@lru_cache(maxsize=64)  # taste
def _part(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){WrittenDates.of(language).part.pattern}\Z")


def _is_year(text: str, start: int, end: int, year: int, language: str) -> bool:
    if _PART_OF_A_NUMBER.search(text, max(0, start - 2), start):
        return False
    context = YearContext.of(language)
    preceding = _PRECEDING.search(text, max(0, start - _REACH), start)
    following = _FOLLOWING.match(text, end)
    before = preceding[1].lower() if preceding else ""
    after = following[1] if following else ""
    if before in context.quantifiers or before in context.numbered:
        return False
    if after.lower() in context.counted or (unit_named(after, language) and after not in context.never_units):
        return False
    if before in context.prepositions:
        return True
    in_brackets = text[start - 1 : start] in ("(", "[") and start > 0
    if before in NounPhrases.of(language).definite_articles and year in _VERSIONS and year % 100:
        return True
    return not context.things.fullmatch(after) and (in_brackets or year >= _SURE_FROM)
