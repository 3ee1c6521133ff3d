"""Words of a language that the timeline needs: joints between clauses, page notes, names for versions, kinds of events.

A question about landings also matches a touchdown: both words are of one family. Pure functions with caches.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.language.calendar_names import month_names
from libs.language.known import ENGLISH
from libs.language.topics.timelines import TimelineWords
from libs.text.tokens import stem


@lru_cache(maxsize=65_536)  # taste
def of_one_family(first: str, second: str, language: str) -> bool:
    """Whether two stems belong to one kind of event, or one is a prefix of the other (`land`, `lander`)."""
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) >= 4 and len(longer) - len(shorter) <= 2 and longer.startswith(shorter):  # by hand
        return True
    families = _families_of(language)
    return not families.get(shorter, frozenset()).isdisjoint(families.get(longer, frozenset()))


@lru_cache(maxsize=64)  # taste
def _families_of(language: str) -> Mapping[str, frozenset[int]]:
    families: dict[str, frozenset[int]] = {}
    for number, family in enumerate(TimelineWords.of(language).families):
        for word in family.split():
            word_stem = stem(word, language)
            families[word_stem] = families.get(word_stem, frozenset()) | {number}
    return families


_MARK: Final = r"\s*(?:[,;:—–]|--)\s+"


@dataclass(frozen=True, slots=True)
class ClausePatterns:
    """The words of one language; a language without data has only punctuation marks."""

    joint: re.Pattern[str]
    """The joint between two clauses, including white space: a punctuation mark, or a conjunction (group `joins`) with
    or without a mark, or what opens a clause about what was before (group `earlier`). Other words that open a
    subordinate clause do not follow it."""
    opens: re.Pattern[str]
    """A word that opens a subordinate clause: `that`, `when`."""
    notes: frozenset[str]
    """Words with which a page gives its own dates, including month names: `last updated`; lower-cased."""
    rights: tuple[str, ...]
    """Phrases about copyright: `licensed under`; lower-cased."""
    releases: tuple[str, ...]
    """Prefixes of words for the versions of a work; lower-cased."""


@lru_cache(maxsize=64)  # taste
def clause_patterns_of(language: str) -> ClausePatterns:
    """Return the words of a language by its ISO 639-1 code; an empty code means English."""
    language = language or ENGLISH
    words = TimelineWords.of(language)
    joins, opens = _any_of(words.joins), _any_of(words.opens)
    return ClausePatterns(
        re.compile(
            rf"(?<!\s)(?:(?:{_MARK}|\s+)(?:(?P<joins>{joins})|(?P<earlier>{words.earlier.pattern}))\s+|{_MARK})"
            rf"(?!(?:{opens})\b)",
            re.IGNORECASE,
        ),
        re.compile(rf"(?:\A|\s)(?:{opens})\s", re.IGNORECASE),
        words.notes | month_names(language) if words.notes else frozenset(),
        words.rights,
        words.releases,
    )


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of the words, longest first; without words it never matches."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"
