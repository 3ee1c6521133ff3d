"""Wishes for a timeline, words and roles of its dates: read from files by `Topic.of` (LanguageDataError)."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class TimelineWords(Topic):
    """Words around timelines; lower-cased."""

    about_timelines: frozenset[str]
    """Words of a question that ask for a timeline and not for its subject: `history`, `overview`."""
    final: frozenset[str]
    """Words that tell the last of several events: `last`."""
    families: tuple[str, ...]
    """Each entry has the words for one kind of event, with white space between them."""
    joins: tuple[str, ...]
    """Conjunctions between two main clauses: `and`."""
    opens: tuple[str, ...]
    """Words that open a subordinate clause: `that`, `when`."""
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
    part_of: re.Pattern[str]
    """Before a period of which the event's date is a part: `in the summer of`."""
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
