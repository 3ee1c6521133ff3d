"""Patterns of words around a time that turn it into another one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar
from libs.language.topics.numbers import Numbers
from libs.language.topics.time_words import TimeWords


@dataclass(frozen=True)
class ComposedTimes(Topic):
    """Words around a time in a language; patterns ignore case."""

    uses = (Calendar, Numbers, TimeWords)

    unit: re.Pattern[str]
    """The group `unit` (a key of `TimeWords.units`)."""
    count: re.Pattern[str]
    """The group `count`: a number in digits or words, or a vague one."""
    nth: re.Pattern[str]
    """The group `nth`: an ordinal number, or a word for the last."""
    article: re.Pattern[str]
    """What may stand between the words and the time: an article, or nothing."""
    forms: Mapping[str, re.Pattern[str]]
    """A pattern for each kind of words before a time; `libs.text.composed_times` has the kinds and their groups."""
    part_after: re.Pattern[str]
    """The text after a day that tells a part of it, in the group `part`: ` morning`."""
