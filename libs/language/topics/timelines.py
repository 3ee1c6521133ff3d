"""Wishes for a timeline, and what its dates are of: read from files by `Topic.of` (LanguageDataError)."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar


@dataclass(frozen=True)
class TimelineWords(Topic):
    """Words around timelines; lower-cased."""

    about_timelines: frozenset[str]
    """Words of a question that ask for a timeline and not for its subject: `history`, `overview`."""
    families: tuple[str, ...]
    """Each entry has the words for one kind of event, with white space between them."""
    joins: tuple[str, ...]
    """Conjunctions between two main clauses: `and`."""
    opens: tuple[str, ...]
    """Words that open a subordinate clause: `that`, `when`."""
    earlier: re.Pattern[str]
    """What opens a clause about what was before: `after`, `two days after`."""
    notes: frozenset[str]
    """Words with which a page gives its own dates: `last updated`."""
    rights: tuple[str, ...]
    """Phrases about copyright: `licensed under`."""
    releases: tuple[str, ...]
    """Prefixes of words for the versions of a work."""
    wish: re.Pattern[str]
    """`timeline of …`, `history of …`, `what happened when`."""
    no_wish: re.Pattern[str]
    """Another sense of the same words: `browser history`."""
    turning: frozenset[str]
    """Words that negate or hedge a statement: omitting or adding one changes its meaning."""
    turning_endings: tuple[str, ...]
    """Endings of such words: `n't`."""
    never_turning: frozenset[str]
    """Words that look like one in this spelling: the month `May`."""
    binding: frozenset[str]
    """Words that determine who did what to whom: `was defeated by`."""


@dataclass(frozen=True)
class DateRoles(Topic):
    """Words around dates in a language. Patterns of what precedes a date end with `\\Z`, where the date begins."""

    bound: re.Pattern[str]
    """Before the end of a period: `until`."""
    compared: re.Pattern[str]
    """Before the date of something compared: `than in`."""
    life: re.Pattern[str]
    """Before the date of a person's life: `named after Kepler, born in`."""
    since_clause: re.Pattern[str]
    """Before a date within a clause about an earlier event: `since it was founded in`."""
    of_date: re.Pattern[str]
    """Before a date that identifies a thing: `the flood of`."""
    determiner: re.Pattern[str]
    """Before a date that identifies the noun after it: `the 1971 mission`."""
    not_noun: re.Pattern[str]
    """After a date, from the space on: a word that is not such a noun."""
    years_of_life: re.Pattern[str]
    """Before years in brackets: `(c.`."""
    planned: re.Pattern[str]
    """A word of intention: `is scheduled`."""
    carried_out: re.Pattern[str]
    """A phrase with such a word about what happened: `as planned`."""
    clause_end: re.Pattern[str]
    """What separates clauses."""


@dataclass(frozen=True)
class TimeAnchors(Topic):
    """The context of relative time expressions in a language."""

    uses = (Calendar,)

    date_hint: re.Pattern[str]
    """Every sentence with an absolute date contains this, or two digits."""
    relative_hint: re.Pattern[str]
    """Every sentence with a relative date contains this."""
    day_of_report: re.Pattern[str]
    """A day that only a report of its own days gives: `yesterday`, `on Friday`."""
    weekday: re.Pattern[str]
    bare: re.Pattern[str]
    """The start of a date without a year: `20 July`, `in July`, `on Tuesday`."""
    from_mention: re.Pattern[str]
    """A phrase counted from the date mentioned last: `the next day`, `two years later`; the group `event` is there if
    an event may follow: `two years after`."""
    from_now: re.Pattern[str]
    """A phrase counted from the document's date: `last week`."""
    lasting: re.Pattern[str]
    """The text before a phrase that is a duration: `over the last year`."""
    part_of_name: re.Pattern[str]
    """The text before a month or weekday that is part of a name: `Black Friday`."""
    opens_date: re.Pattern[str]
    """The text before a date: `on`, or nothing."""
    together: re.Pattern[str]
    """The text between two dates that share a year: `in April and May 2009`."""
    range_and: re.Pattern[str]
    """The text between two adjacent dates that are one range: `2016 and 2017`."""
    heading_lead: str
    """Words put before a heading so that a month alone is read as a date, with the space: `in `."""
