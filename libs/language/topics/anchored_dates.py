"""Patterns of dates in documents that are counted from another date."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar
from libs.language.topics.time_words import TimeWords


@dataclass(frozen=True)
class AnchoredDates(Topic):
    """Dates without a year, and relative ones, as documents write them."""

    uses = (Calendar, TimeWords)

    count: re.Pattern[str]
    """The group `count`: a number in digits or words."""
    recurs: re.Pattern[str]
    """The text after a weekday that recurs: `of each month`."""
    one_of_many: re.Pattern[str]
    """A condition on the text before a weekday: it is no recurring day, as after `every`."""
    title: re.Pattern[str]
    """The text after a weekday that is part of a name: `Sunday Times`."""
    within_sentence: re.Pattern[str]
    """The text before a capitalised `Tomorrow` that is part of a name."""
    name_before_weekday: re.Pattern[str]
    """The text before a weekday that is part of a holiday's or another name: `Good`."""
    forms: Mapping[str, re.Pattern[str]]
    """A pattern for each kind of date; `libs.text.anchored_dates` has the kinds and their groups."""
