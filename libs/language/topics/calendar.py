"""Names of the calendar: months, weekdays, seasons, holidays, ordinals."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Calendar(Topic):
    """The calendar in a language; words are lower-cased, short forms without a full stop."""

    months: Mapping[str, int]
    """Names and short forms, 1 to 12."""
    weekdays: Mapping[str, int]
    """Names and short forms; Monday is 0."""
    seasons: Mapping[str, int]
    """The first month of each season of three months; winter extends into the next year."""
    ordinals: Mapping[str, int]
    """Ordinal numbers as words, from 1 on."""
    decades: Mapping[str, int]
    """The first year of a decade named by a word: `nineties`."""
    feasts: Mapping[str, str]
    """Holidays and their rule: `12-25`, `easter+49` (days), `09-mon+1` (the first Monday of September), `05-mon-1` (the
    last). Names with an apostrophe are there with both kinds."""
    month: re.Pattern[str]
    """A month as written in prose, with capitals where the language has them."""
    weekday: re.Pattern[str]
    """A weekday or its short form, as written in prose."""
    weekday_name: re.Pattern[str]
    """A full name of a weekday: short forms such as `Sun` are also other words."""
    day: re.Pattern[str]
    """The day of a month in digits: `5`, `5th`."""
    year: re.Pattern[str]
    """A year from 1000 to 2200 in digits."""
    nth: re.Pattern[str]
    """An ordinal number in digits: `19th`."""
