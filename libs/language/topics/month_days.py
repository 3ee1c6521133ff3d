"""Patterns of months and days without a year, and of the two ends of a period."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar


@dataclass(frozen=True)
class MonthDays(Topic):
    """Months and days without a year, as a language writes them."""

    uses = (Calendar,)

    month_day: re.Pattern[str]
    """A month as the group `month`, with its day as the group `before` or `after`, if it has one."""
    other_words: frozenset[str]
    """Names of months that are other words, too, as written: `May`."""
    before_month: re.Pattern[str]
    """At the end of the text before a month's name: it is the month."""
    two_ends: re.Pattern[str]
    """Between digits: a period names both of its ends."""
