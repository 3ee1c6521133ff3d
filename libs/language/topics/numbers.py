"""Numbers in words, units, what stands around a number: read from files by `Topic.of` (LanguageDataError)."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Numbers(Topic):
    """Numbers in a language; words are lower-cased."""

    decimal_mark: str
    """The character before decimals; if empty, `3,5` and `3.5` are read alike and `1,500`, which is ambiguous, not."""
    thousands_marks: str
    """Characters that separate thousands, besides thin and no-break spaces."""
    joined: bool
    """Whether number words are written together: `einundzwanzig`."""
    values: Mapping[str, int]
    """Words that are added: `twenty`, `one`."""
    multipliers: Mapping[str, int]
    """Words that multiply the words before them, up to a scale: `hundred`, `dozen`."""
    scales: Mapping[str, int]
    """Words that multiply all before them since the last scale: `thousand`."""
    short_scales: Mapping[str, int]
    """Words that only follow digits: `bn`."""
    articles: frozenset[str]
    """Words for one that are no number when alone: `a`."""
    pronouns: frozenset[str]
    """Number words that are mostly no number without a unit: `one`."""
    conjunctions: frozenset[str]
    """Words between parts of a number: `and`."""
    halves: tuple[str, ...]
    """Phrases for a half before a unit or scale: `half a`."""
    minus: tuple[str, ...]
    """Words before a negative number."""
    range_words: tuple[str, ...]
    """Words between the ends of a range: `five to ten days`."""


@dataclass(frozen=True)
class Units(Topic):
    """Units in a language, besides the symbols that all languages share (`libs.text.numbers.units`)."""

    spellings: Mapping[str, tuple[str, ...]]
    """The words of each unit, by its canonical name; lower-cased, except those of up to three letters."""
    one: Mapping[str, str]
    """The word for one unit, by its canonical name, where that is not shown itself: `Tag` for `day`."""
    several: Mapping[str, str]
    """The word for several units: `days`."""
    per: tuple[str, ...]
    """Words between a distance and a time: `kilometres per hour`."""
    temperature_scales: Mapping[str, tuple[str, ...]]
    """Words after degrees, by unit: `celsius` for `°C`."""
