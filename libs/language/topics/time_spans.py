"""Ordinals and units of time without a number: `the fourth`, `for months`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar


@dataclass(frozen=True)
class TimeSpans(Topic):
    """Ordinals and uncounted units of time in a language."""

    uses = (Calendar,)

    ordinal: re.Pattern[str]
    """An ordinal or fraction as the group `word`, after its determiner: `the fourth`, `a tenth`."""
    large_ordinals: Mapping[str, int]
    """Ordinals beyond those of the calendar: `hundredth`; lower-cased."""
    ordinal_endings: tuple[str, ...]
    """What may follow an ordinal number in digits or words: `th`; the plural's ending of a fraction."""
    units: Mapping[str, tuple[str, ...]]
    """Each unit's forms, also as adverb, and other phrases for it: `day`, `days`, `daily`; lower-cased."""
    unit: re.Pattern[str]
    """A unit as the group `unit` after a determiner that tells no number: `for months`."""
    units_between: re.Pattern[str]
    """Units as the group `unit` between two times, without a number: `days after`."""
    rate: re.Pattern[str]
    """Something as the group `counted` with any word as the group `unit`: `metres per day`; it ends before `per`."""
