"""Patterns and readers of dates that include their year, from the most to the least specific.

A season is three months of the northern hemisphere (`winter 1969` ends in February 1970), the 19th century is 1801 to
1900, `the 1900s` a century and `the 2000s` a decade. `07/08/2004` may be July or August: only its year is used.
"""

import re

from libs.contracts.dates import PartialDate, Precision
from libs.text.calendar_words import (
    DAY,
    MONTH,
    MONTHS,
    ORDINALS,
    SEASONS,
    WEEKDAY,
    YEAR,
    is_day,
    month_number,
    ordinal_number,
)
from libs.text.date_readings import (
    PART,
    DatePattern,
    DateReading,
    one_day,
    one_month,
    one_year,
    ordered_range,
    part_of,
)

_ALONE = r"(?<![\w\-/.,])"
_DONE = r"(?!\w|[./,:-]\d|\s*(?:BC|B\.C\.|BCE))"
_WEEKDAY = rf"(?:{WEEKDAY},?\s+(?:the\s+)?)?"
_TO = r"(?:\s*[-–—]\s*|\s+(?:to|until|till|through)\s+(?:the\s+)?)"


def _range(first: str, last: str) -> str:
    """A pattern of `between FIRST and LAST`, `from FIRST to LAST` or `FIRST-LAST`."""
    return rf"(?:(?P<between>[Bb]etween\s+)|[Ff]rom\s+)?{first}(?(between)\s+and\s+|{_TO}){last}"


def _day(digits: str) -> int:
    return int(re.sub(r"\D", "", digits))


def _valid_date(year: int, month: int, day: int) -> PartialDate | None:
    return PartialDate(year, month, day) if is_day(year, month, day) else None


def _read_day(match: re.Match[str]) -> DateReading | None:
    date = _valid_date(int(match["year"]), month_number(match["month"]), _day(match["day"]))
    return one_day(date) if date else None


def _read_iso_day(match: re.Match[str]) -> DateReading | None:
    date = _valid_date(int(match["year"]), int(match["month"]), int(match["day"]))
    return one_day(date) if date else None


def _read_day_range(match: re.Match[str]) -> DateReading | None:
    last_month = month_number(match["month2"] or match["month1"])
    first_month = month_number(match["month1"]) if match["month1"] else last_month
    first = _valid_date(int(match["year1"] or match["year2"]), first_month, _day(match["day1"]))
    last = _valid_date(int(match["year2"]), last_month, _day(match["day2"]))
    return ordered_range(first, last, Precision.DAY) if first and last else None


def _read_month(match: re.Match[str]) -> DateReading:
    return one_month(int(match["year"]), month_number(match["month"]), part_of(match))


def _read_month_range(match: re.Match[str]) -> DateReading | None:
    first = PartialDate(int(match["year1"] or match["year2"]), month_number(match["month1"]))
    return ordered_range(first, PartialDate(int(match["year2"]), month_number(match["month2"])), Precision.MONTH)


def _read_iso_month(match: re.Match[str]) -> DateReading:
    return one_month(int(match["year"]), int(match["month"]))


def _three_months(year: int, first_month: int) -> DateReading:
    end = first_month + 2
    last = PartialDate(year + 1, end - 12) if end > 12 else PartialDate(year, end)
    return DateReading(PartialDate(year, first_month), last, Precision.SEASON)


def _read_season(match: re.Match[str]) -> DateReading:
    return _three_months(int(match["year"]), SEASONS[match["season"].lower()])


def _read_quarter(match: re.Match[str]) -> DateReading:
    quarter = int(match["digit"]) if match["digit"] else ORDINALS[match["ordinal"].lower()]
    return _three_months(int(match["year"]), 3 * quarter - 2)


def _read_numeric(match: re.Match[str]) -> DateReading | None:
    year, first, second = int(match["year"]), int(match["first"]), int(match["second"])
    day_first, month_first = _valid_date(year, second, first), _valid_date(year, first, second)
    if day_first and month_first and first != second and match["separator"] == "/":
        return one_year(year)
    date = day_first or (month_first if match["separator"] == "/" else None)
    return one_day(date) if date else None


def _read_decade(match: re.Match[str]) -> DateReading:
    if match["short"]:
        tens = int(match["short"])
        first = (2000 if tens < 20 else 1900) + tens
    else:
        first = int(match["decade"])
    is_century = first % 100 == 0 and first < 2000
    last, precision = (first + 99, Precision.CENTURY) if is_century else (first + 9, Precision.DECADE)
    return DateReading(PartialDate(first), PartialDate(last), precision, part_of(match))


def _read_century(match: re.Match[str]) -> DateReading | None:
    number = ordinal_number(match["ordinal"])
    if number is None or not 1 <= number <= 22:
        return None
    last = 100 * number
    return DateReading(PartialDate(last - 99), PartialDate(last), Precision.CENTURY, part_of(match))


def _read_short_year_range(match: re.Match[str]) -> DateReading | None:
    first = int(match["year"])
    return ordered_range(PartialDate(first), PartialDate(first - first % 100 + int(match["tail"])), Precision.YEAR)


_YEAR = rf"(?P<year>{YEAR}){_DONE}"
_YEAR2 = rf"(?P<year2>{YEAR}){_DONE}"
_SEASON = "|".join(SEASONS)
_MONTH_CLUES = tuple(name[:3].capitalize() for name in MONTHS if len(name) > 3 or name == "may")
_SEASON_CLUES = tuple(clue for season in SEASONS for clue in (season, season.capitalize()))
_RANGE_CLUES = (
    "-",
    "–",
    "—",
    "etween",
    *(f"{space}{word}" for space in " \n" for word in ("to", "until", "till", "through")),
)
_ORDINAL = rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(sorted(ORDINALS, key=len, reverse=True))})"

ABSOLUTE_PATTERNS: tuple[DatePattern, ...] = tuple(
    DatePattern(name, clues, re.compile(_ALONE + regex), read)
    for name, clues, regex, read in (
        (
            "iso day",
            ("-", "/"),
            rf"(?P<year>{YEAR})(?P<s>[-/])(?P<month>0[1-9]|1[0-2])(?P=s)(?P<day>0[1-9]|[12]\d|3[01])"
            r"(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w/]|-\d)",
            _read_iso_day,
        ),
        (
            "day range, day first",
            _RANGE_CLUES,
            _WEEKDAY
            + _range(
                rf"{_WEEKDAY}(?P<day1>{DAY})(?:\s+(?P<month1>{MONTH})(?:,?\s+(?P<year1>{YEAR}))?)?",
                rf"{_WEEKDAY}(?P<day2>{DAY})(?:\s+of)?\s+(?P<month2>{MONTH}),?\s+{_YEAR2}",
            ),
            _read_day_range,
        ),
        (
            "day range, month first",
            _RANGE_CLUES,
            _range(
                rf"{_WEEKDAY}(?P<month1>{MONTH})\s+(?P<day1>{DAY})(?:,?\s+(?P<year1>{YEAR}))?",
                rf"{_WEEKDAY}(?:(?P<month2>{MONTH})\s+)?(?P<day2>{DAY}),?\s+{_YEAR2}",
            ),
            _read_day_range,
        ),
        (
            "month range",
            _RANGE_CLUES,
            _range(rf"(?P<month1>{MONTH})(?:\s+(?P<year1>{YEAR}))?", rf"(?P<month2>{MONTH}),?\s+{_YEAR2}"),
            _read_month_range,
        ),
        ("day first", _MONTH_CLUES, rf"{_WEEKDAY}(?P<day>{DAY})(?:\s+of)?\s+(?P<month>{MONTH}),?\s+{_YEAR}", _read_day),
        (
            "month first",
            _MONTH_CLUES,
            rf"{_WEEKDAY}(?P<month>{MONTH})\s+(?:the\s+)?(?P<day>{DAY}),?\s+{_YEAR}",
            _read_day,
        ),
        ("month", _MONTH_CLUES, rf"{PART}(?P<month>{MONTH})(?:,|\s+of)?\s+{_YEAR}", _read_month),
        ("season", _SEASON_CLUES, rf"(?P<season>(?i:{_SEASON}))(?:\s+of)?,?\s+{_YEAR}", _read_season),
        (
            "quarter",
            ("Q", "uarter"),
            rf"(?:Q(?P<digit>[1-4])|(?:the\s+)?(?P<ordinal>(?i:first|second|third|fourth))\s+quarter)(?:\s+of)?\s+{_YEAR}",
            _read_quarter,
        ),
        (
            "numeric",
            ("/", ".1", ".2"),
            rf"(?P<first>\d{{1,2}})(?P<separator>[/.])(?P<second>\d{{1,2}})(?P=separator){_YEAR}",
            _read_numeric,
        ),
        (
            "decade",
            ("0s", "0's", "0’s"),
            rf"(?:[Tt]he\s+)?{PART}(?:(?P<decade>(?:1\d|20|21)\d0)['’]?|['’‘](?P<short>\d0))s(?!\w)",
            _read_decade,
        ),
        (
            "century",
            ("entury",),
            rf"(?:[Tt]he\s+)?{PART}(?P<ordinal>(?i:{_ORDINAL}))(?:-|\s+)[Cc]entury{_DONE}",
            _read_century,
        ),
        ("iso month", ("-",), rf"(?P<year>{YEAR})-(?P<month>0[1-9]|1[0-2])(?![\w/]|[-.,]\d)", _read_iso_month),
        (
            "short year range",
            ("-", "–", "—", "/"),
            rf"(?P<year>{YEAR})[-–—/](?P<tail>\d\d)(?![\w%]|[-.,]\d)",
            _read_short_year_range,
        ),
    )
)
