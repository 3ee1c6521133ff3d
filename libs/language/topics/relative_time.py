"""Patterns of times in questions that are counted from now, and of days without a year."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar
from libs.language.topics.numbers import Numbers
from libs.language.topics.time_words import TimeWords


@dataclass(frozen=True)
class RelativeTime(Topic):
    """Times of questions in a language; patterns ignore case, except for months and weekdays."""

    uses = (Calendar, Numbers, TimeWords)

    clear_names: tuple[str, ...]
    """Months and weekdays that are months and weekdays in lower case, too."""
    lower_names: re.Pattern[str]
    """Months and weekdays in lower case as they occur in a question; they are capitalised first."""
    telling: re.Pattern[str]
    """Every time phrase contains this in lower case."""
    vague: tuple[str, ...]
    """Phrases for a time without exact bounds."""
    long_units: tuple[str, ...]
    """Units from the week on, in the singular."""
    unit: re.Pattern[str]
    """The group `unit` (a key of `TimeWords.units`) after a count."""
    count: re.Pattern[str]
    """The group `count`: a number in digits or words, or a vague one."""
    which: re.Pattern[str]
    """The group `which`: a key of `TimeWords.steps`."""
    of_year: re.Pattern[str]
    """`of last year` after a part of a year, with the group `which`."""
    month: re.Pattern[str]
    """The group `month`."""
    day: re.Pattern[str]
    """The group `day`."""
    year: re.Pattern[str]
    """The group `year`."""
    weekday: re.Pattern[str]
    """The group `weekday`."""
    no_year: re.Pattern[str]
    """A condition on the text after a part of a year: no year follows."""
    after_preposition: re.Pattern[str]
    """A condition on the text before a name: a preposition, which makes it a time."""
    told: re.Pattern[str]
    """`which`, or `after_preposition`."""
    forms: Mapping[str, re.Pattern[str]]
    """A pattern for each kind of phrase; `libs.text.relative_patterns` has the kinds, their readers the groups."""
