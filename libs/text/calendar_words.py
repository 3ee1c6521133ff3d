"""The calendar's words in English, and how long its units are."""
# ruff: noqa: SIM905 - a list of words reads best as words

import re
from calendar import monthrange
from collections.abc import Mapping
from types import MappingProxyType

_MONTH_NAMES = "January February March April May June July August September October November December".split()
_WEEKDAY_NAMES = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()

MONTHS: Mapping[str, int] = MappingProxyType(
    {name.lower(): number for number, name in enumerate(_MONTH_NAMES, start=1)}
    | {name[:3].lower(): number for number, name in enumerate(_MONTH_NAMES, start=1)}
    | {"sept": 9}
)
WEEKDAYS: Mapping[str, int] = MappingProxyType(
    {name.lower(): number for number, name in enumerate(_WEEKDAY_NAMES)}
    | {name[:3].lower(): number for number, name in enumerate(_WEEKDAY_NAMES)}
    | {"tues": 1, "thur": 3, "thurs": 3}
)
"""Monday is 0."""

SEASONS: Mapping[str, int] = MappingProxyType({"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12})
"""The first month of each season of three, of the northern half of the earth; winter runs into the next year."""

ORDINALS: Mapping[str, int] = MappingProxyType(
    {
        word: number
        for number, word in enumerate(
            (
                "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
                "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
            ).split(),
            start=1,
        )
    }
)

MONTH = rf"(?:{'|'.join(_MONTH_NAMES)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?)"
"""A month with its capital: `may` and `march` are other words."""

WEEKDAY_NAME = rf"(?:{'|'.join(_WEEKDAY_NAMES)})"
"""In full: `Sun` and `Sat` are other words, too."""
WEEKDAY = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun)\b\.?)"
DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?!\d)"
YEAR = r"(?:1\d{3}|2[01]\d{2}|2200)"
"""Bare digits count as a year from 1000 to 2200."""

FIRST_YEAR, LAST_YEAR = 1000, 2200


def month_number(word: str) -> int:
    """1 to 12 of a month's name or short form, in any case. Raises KeyError for another word."""
    return MONTHS[word.lower().rstrip(".")]


def weekday_number(word: str) -> int:
    """0 (Monday) to 6 of a weekday's name or short form, in any case. Raises KeyError for another word."""
    return WEEKDAYS[word.lower().rstrip(".")]


def ordinal_number(word: str) -> int | None:
    """`19th`, `first`, `twenty-first` as a number, else None."""
    digits = re.match(r"(\d+)(?:st|nd|rd|th)\Z", word)
    return int(digits[1]) if digits else ORDINALS.get(word.lower())


def is_day(year: int, month: int, day: int) -> bool:
    """Whether the calendar has this day."""
    return 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
