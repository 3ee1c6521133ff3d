"""Times told relative to another: `last summer`; read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar, TimeWords
from libs.language.topics.numbers import Numbers


@dataclass(frozen=True)
class RelativeTime(Topic):
    """Times of questions in a language; patterns ignore case, except for months and weekdays."""

    uses = (Calendar, Numbers, TimeWords)

    lower_names: re.Pattern[str]
    """Months and weekdays in lower case as they occur in a question; they are capitalised first."""
    forms: Mapping[str, tuple[re.Pattern[str], ...]]
    """Patterns for each kind of phrase; `libs.text.dates.relative_times` has the kinds and their groups."""


@dataclass(frozen=True)
class ComposedTimes(Topic):
    """Words around a time in a language; patterns ignore case."""

    uses = (Calendar, Numbers, TimeWords)

    article: re.Pattern[str]
    """What may stand between the words and the time: an article, or nothing."""
    forms: Mapping[str, tuple[re.Pattern[str], ...]]
    """Patterns for each kind of words before a time, in the order in which they are tried."""


@dataclass(frozen=True)
class AnchoredDates(Topic):
    """Dates without a year, and relative ones, as documents write them."""

    uses = (Calendar, TimeWords)

    forms: Mapping[str, tuple[re.Pattern[str], ...]]
    """Patterns for each kind of date; `yearly` takes the nearest year."""


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
