"""Numbers of months, weekdays and ordinals by their words, and which years and days the calendar has."""

import re
from calendar import monthrange
from typing import Final

from libs.language.known import ENGLISH
from libs.language.topics.calendar import Calendar

MONTHS: Final = Calendar.of(ENGLISH).months
WEEKDAYS: Final = Calendar.of(ENGLISH).weekdays
WEEKDAY_NAME: Final = Calendar.of(ENGLISH).weekday_name.pattern
YEAR: Final = r"(?:1\d{3}|2[01]\d{2}|2200)"
"""Bare digits count as a year from 1000 to 2200."""
FIRST_YEAR: Final = 1000
LAST_YEAR: Final = 2200


def ordinal_number(word: str, language: str) -> int | None:
    """The number of `19th`, `first` or `twenty-first`; None for another word."""
    calendar = Calendar.of(language)
    digits = calendar.nth.fullmatch(word)
    return int(re.sub(r"\D", "", word)) if digits else calendar.ordinals.get(word.lower())


def is_day(year: int, month: int, day: int) -> bool:
    """Whether this day exists in the calendar."""
    return 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
