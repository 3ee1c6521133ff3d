"""Months, days, parts of the day, how dates are written: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.numbers import Numbers


@dataclass(frozen=True)
class Calendar(Topic):
    """The calendar in a language; words are lower-cased, short forms without a full stop.

    Its parts, for patterns: `month`, `weekday`, `day` and `year` as written in prose.
    """

    months: Mapping[str, int]
    """Names and short forms, 1 to 12."""
    weekdays: Mapping[str, int]
    """Names and short forms; Monday is 0."""
    seasons: Mapping[str, int]
    """The first month of each season of three months; winter extends into the next year."""
    ordinals: Mapping[str, int]
    """Ordinal numbers as words, from 1 on."""
    decades: Mapping[str, int]
    """The first year of a decade named by a word: `nineties`."""
    feasts: Mapping[str, str]
    """Holidays and their rule: `12-25`, `easter+49` (days), `09-mon+1` (the first Monday of September), `05-mon-1` (the
    last). Names with an apostrophe are there with both kinds."""
    nth: re.Pattern[str]
    """An ordinal number in digits: `19th`."""
    months_too: frozenset[str]
    """Names of months that are other words, too, as written: `May`."""


@dataclass(frozen=True)
class TimeWords(Topic):
    """Words of time phrases in a language; lower-cased, with every form that the patterns match."""

    units: Mapping[str, str]
    """Units in singular and plural: `second` to `century`, `fortnight`, `weekend`."""
    steps: Mapping[str, int]
    """How far a determiner moves from the current unit: `last` -1, `this` 0, `next` 1, `before last` -2."""
    directions: Mapping[str, int]
    """-1 for words that count backwards (`ago`, `before`), 1 for those that count forwards."""
    near_days: Mapping[str, int]
    """Days near today, in days from today: `yesterday`, `the day after tomorrow`."""
    period_parts: Mapping[str, str]
    """Words for a third of a period: `early`, `mid` or `late`."""
    bounds: Mapping[str, str]
    """Prepositions that make a time the bound of a range: `since`, `before`, `after`, `until` or `from`."""
    counts: Mapping[str, int]
    """Phrases for a number that are no number words: `a couple of`."""
    vague_counts: frozenset[str]
    """Words for an unknown number: `several`."""


@dataclass(frozen=True)
class WrittenDates(Topic):
    """Dates with their year, as documents write them, and what stands around them; lists are lower-cased."""

    uses = (Calendar, TimeWords)

    era: re.Pattern[str]
    """What marks the year before it as one BC, with the space between."""
    clue: re.Pattern[str]
    """Every date of the language contains this: patterns are tried only around it."""
    part: re.Pattern[str]
    """An optional third of a period before it, in the groups `part` and `part_of` (see `TimeWords.period_parts`)."""
    forms: Mapping[str, re.Pattern[str]]
    """A pattern for each kind of date, with the groups that `libs.text.dates.named_dates` reads."""
    range_opening: re.Pattern[str]
    """The text before a range: `from`, or the group `between`; ends with `\\Z`, like the next two."""
    range_connector: re.Pattern[str]
    """The text between the ends of a range: `to`, or the group `and` after `between`."""
    bound: re.Pattern[str]
    """The text before a time that is the bound of a range; the group `word` is one of `TimeWords.bounds`."""
    onward: re.Pattern[str]
    """The text after a time that only begins a range: `onwards`."""
    year_prepositions: frozenset[str]
    """Words before a year."""
    before_counts: frozenset[str]
    """Words before a number that is no year: `over`, `page`."""
    counted: frozenset[str]
    """Nouns that follow a count."""
    things: re.Pattern[str]
    """A whole word that is a noun in the plural when it follows a number."""


@dataclass(frozen=True)
class RelativeTime(Topic):
    """Times of questions, and words before them; patterns ignore case, except for months and weekdays."""

    uses = (Calendar, Numbers, TimeWords)

    lower_names: re.Pattern[str]
    """Months and weekdays in lower case as they occur in a question; they are capitalised first."""
    forms: Mapping[str, tuple[re.Pattern[str], ...]]
    """Patterns for each kind of phrase; `libs.text.dates.relative_times` has the kinds and their groups."""
    article: re.Pattern[str]
    """What may stand between the words and the time: an article, or nothing."""
    composed: Mapping[str, tuple[re.Pattern[str], ...]]
    """Patterns for each kind of words before a time, in the order in which they are tried."""


@dataclass(frozen=True)
class AnchoredDates(Topic):
    """Dates without a year, and relative ones, as documents write them."""

    uses = (Calendar, TimeWords)

    forms: Mapping[str, tuple[re.Pattern[str], ...]]
    """Patterns for each kind of date; `yearly` takes the nearest year."""
