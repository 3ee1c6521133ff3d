"""English words of the calendar: months, weekdays, seasons, ordinals."""
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
"""First month of each three-month season of the northern hemisphere; winter extends into the next year."""

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
"""A pattern of a capitalised month: `may` and `march` are also other words."""

WEEKDAY_NAME = rf"(?:{'|'.join(_WEEKDAY_NAMES)})"
"""A pattern of full names: `Sun` and `Sat` are also other words."""
WEEKDAY = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Tues?|Wed|Thurs?|Thu|Fri|Sat|Sun)\b\.?)"
DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?!\d)"
YEAR = r"(?:1\d{3}|2[01]\d{2}|2200)"
"""Bare digits count as a year from 1000 to 2200."""

FIRST_YEAR, LAST_YEAR = 1000, 2200


def month_number(word: str) -> int:
    """The number (1 to 12) of a month's name or short form, in any case. Raises KeyError for another word."""
    return MONTHS[word.lower().rstrip(".")]


def weekday_number(word: str) -> int:
    """The number (Monday is 0) of a weekday's name or short form, in any case. Raises KeyError for another word."""
    return WEEKDAYS[word.lower().rstrip(".")]


def ordinal_number(word: str) -> int | None:
    """The number of `19th`, `first` or `twenty-first`; None for another word."""
    digits = re.match(r"(\d+)(?:st|nd|rd|th)\Z", word)
    return int(digits[1]) if digits else ORDINALS.get(word.lower())


def is_day(year: int, month: int, day: int) -> bool:
    """Whether this day exists in the calendar."""
    return 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
