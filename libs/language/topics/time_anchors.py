"""Words that tell from which date a relative time expression is counted."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class TimeAnchors(Topic):
    """The context of relative time expressions in a language."""

    date_hint: re.Pattern[str]
    """Every sentence with an absolute date contains this, or two digits."""
    relative_hint: re.Pattern[str]
    """Every sentence with a relative date contains this."""
    day_of_report: re.Pattern[str]
    """A day that only a report of its own days gives: `yesterday`, `on Friday`."""
    weekday: re.Pattern[str]
    bare: re.Pattern[str]
    """The start of a date without a year: `20 July`, `in July`, `on Tuesday`."""
    month_alone: re.Pattern[str]
    from_mention: re.Pattern[str]
    """A phrase counted from the date mentioned last: `the next day`, `two years later`; the group `event` is there if
    an event may follow: `two years after`."""
    definite: re.Pattern[str]
    """The beginning of such a phrase with an article: `the same year`."""
    from_now: re.Pattern[str]
    """A phrase counted from the document's date: `last week`."""
    lasting: re.Pattern[str]
    """The text before a phrase that is a duration: `over the last year`."""
    throughout: re.Pattern[str]
    part_of_name: re.Pattern[str]
    """The text before a month or weekday that is part of a name: `Black Friday`."""
    attributive: re.Pattern[str]
    """The text before a month that is an attribute: `the November agreement`."""
    opens_date: re.Pattern[str]
    """The text before a date: `on`, or nothing."""
    together: re.Pattern[str]
    """The text between two dates that share a year: `in April and May 2009`."""
    range_and: re.Pattern[str]
    """The text between two adjacent dates that are one range: `2016 and 2017`."""
    than: re.Pattern[str]
    """The text after a comparison: `two years earlier than`."""
    possessor: re.Pattern[str]
    """The text after a phrase that belongs to something: `last week of`."""
    heading_lead: str
    """Words put before a heading so that a month alone is read as a date, with the space: `in `."""
    months: tuple[str, ...]
    """The beginnings of the names of months, as written."""
