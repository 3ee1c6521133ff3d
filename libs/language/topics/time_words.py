"""Words of time phrases and their values."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class TimeWords(Topic):
    """Words of time phrases in a language; lower-cased, with every form that the patterns match."""

    units: Mapping[str, str]
    """Units in singular and plural: `second` to `century`, `fortnight`, `weekend`."""
    steps: Mapping[str, int]
    """How far a determiner moves from the current unit: `last` -1, `this` 0, `next` 1."""
    directions: Mapping[str, int]
    """-1 for words that count backwards (`ago`, `before`), 1 for those that count forwards."""
    near_days: Mapping[str, int]
    """Days near today, in days from today: `yesterday`, `the day after tomorrow`."""
    day_steps: Mapping[str, int]
    """The first words of phrases for a day near the day of a report, in days: `last` in `last night`; else 0."""
    day_parts: Mapping[str, str]
    """Parts of the day: `morning`, `afternoon`, `evening` or `night`."""
    period_parts: Mapping[str, str]
    """Words for a third of a period: `early`, `mid` or `late`."""
    halves: Mapping[str, int]
    """Words for the first (1) and the second (2) half of a period."""
    bounds: Mapping[str, str]
    """Prepositions that make a time the bound of a range: `since`, `before`, `after`, `until` or `from`."""
    period_ends: frozenset[str]
    """Words for the end of a period, not its beginning."""
    last: frozenset[str]
    """Words for the last of several units in a period."""
    counts: Mapping[str, int]
    """Phrases for a number that are no number words: `a couple of`."""
    vague_counts: frozenset[str]
    """Words for an unknown number: `several`."""
