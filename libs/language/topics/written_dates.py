"""Patterns of dates that include their year."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar
from libs.language.topics.time_words import TimeWords


@dataclass(frozen=True)
class WrittenDates(Topic):
    """Dates with their year, as documents write them."""

    uses = (Calendar, TimeWords)

    era: re.Pattern[str]
    """What marks the year before it as one BC, with the space between."""
    clue: re.Pattern[str]
    """Every date of the language contains this: patterns are tried only around it."""
    weekday: re.Pattern[str]
    """An optional weekday before a date, with the space and article."""
    part: re.Pattern[str]
    """An optional third of a period before it, in the groups `part` and `part_of` (see `TimeWords.period_parts`)."""
    link: re.Pattern[str]
    """A dash or word between the ends of a range."""
    opening: re.Pattern[str]
    """An optional word before a range, with the group `between` if `joint` must follow and not `link`."""
    joint: re.Pattern[str]
    """`and` between the ends of a range."""
    year: re.Pattern[str]
    """The group `year`, and that nothing follows that makes it something else."""
    last_year: re.Pattern[str]
    """The same with the group `year2`."""
    clues: Mapping[str, tuple[str, ...]]
    """For a kind of `forms`: every match contains one of these; a kind without clues is always tried."""
    forms: Mapping[str, re.Pattern[str]]
    """A pattern for each kind of date; `libs.text.absolute_dates` has the kinds and their groups."""
