"""Words in and around names of people and events: read from files by `Topic.of` (LanguageDataError)."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class NameForms(Topic):
    """Names and words that look like one, in a language."""

    openers: frozenset[str]
    """Words that begin a sentence without naming anything; lower-cased."""
    titles: frozenset[str]
    """Titles before names; lower-cased, without a full stop."""
    particles: frozenset[str]
    """Lower-cased parts of names, also at their beginning: `von`."""
    joints: frozenset[str]
    """Words within a name: `of`."""
    capitals: frozenset[str]
    """Names that are another word in lower case, in this spelling: `US`."""
    common_first: frozenset[str]
    """First words of names that are not shortened: `Mexico` never means `New Mexico`; lower-cased."""
    abbreviations: frozenset[str]
    """Abbreviations of common words, as written: `TV`."""
    opening_form: re.Pattern[str]
    """A lower-cased word that by its form is not a name at the beginning of a sentence: `walking`."""
    common_noun: re.Pattern[str]
    """A word that by its form is a common noun, in a language that capitalises these."""
    possessive: re.Pattern[str]
    """The mark of possession at the end of a name: `'s`."""
    acronym_links: tuple[str, ...]
    """Words that an acronym leaves out: `of`."""


@dataclass(frozen=True)
class NamedEvents(Topic):
    """Names of events, and what tells them from other names."""

    event: re.Pattern[str]
    """A name that says by itself that it is an event; group `name`."""
    dated: re.Pattern[str]
    """An event named by its year; group `name`."""
    named: re.Pattern[str]
    """A name followed by a noun of events; groups `name` and `kind`."""
    numbered: re.Pattern[str]
    """A name with a number, which is an event if a text says so: `Apollo 11`."""
    year: re.Pattern[str]
    """The year within a name, in group `year`."""
    leading: re.Pattern[str]
    """One capitalised word that is no part of the name it precedes: `When`."""
    acting: re.Pattern[str]
    """Such words, if the noun after the name is then its verb: `Did Apple launch`."""
    no_name_after: re.Pattern[str]
    """What precedes a name that is a subject (`did NASA launch`), or one of many (`that NASA mission`)."""
    before_event: re.Pattern[str]
    """What precedes a name that a text calls an event: `the landing of`."""
    after_event: re.Pattern[str]
    """What follows such a name: ` mission`, ` was launched`."""
