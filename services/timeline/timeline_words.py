"""Words of a language that the timeline needs: joints between clauses, page notes, names for versions."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.language.calendar_names import month_names
from libs.language.known import ENGLISH
from libs.language.topics.clauses import Clauses
from libs.language.topics.numbers import PageNotes

_MARK: Final = r"\s*(?:[,;:—–]|--)\s+"


@dataclass(frozen=True, slots=True)
class ClausePatterns:
    """The words of one language; a language without data has only punctuation marks."""

    joint: re.Pattern[str]
    """The joint between two clauses, including white space: a punctuation mark, or a conjunction (group `joins`) with
    or without a mark. It does not match before a word that opens a subordinate clause."""
    opens: re.Pattern[str]
    """A word that opens a subordinate clause: `that`, `when`."""
    notes: frozenset[str]
    """Words with which a page gives its own dates, including month names: `last updated`; lower-cased."""
    rights: tuple[str, ...]
    """Phrases about copyright: `licensed under`; lower-cased."""
    releases: tuple[str, ...]
    """Prefixes of words for the versions of a work; lower-cased."""


@lru_cache(maxsize=64)
def clause_patterns_of(language: str) -> ClausePatterns:
    """Return the words of a language by its ISO 639-1 code; an empty code means English."""
    language = language or ENGLISH
    clauses, notes = Clauses.of(language), PageNotes.of(language)
    joins, opens = _any_of(clauses.joins), _any_of(clauses.opens)
    return ClausePatterns(
        re.compile(rf"(?<!\s)(?:(?:{_MARK}|\s+)(?P<joins>{joins})\s+|{_MARK})(?!(?:{opens})\b)", re.IGNORECASE),
        re.compile(rf"(?:\A|\s)(?:{opens})\s", re.IGNORECASE),
        notes.notes | month_names(language) if notes.notes else frozenset(),
        notes.rights,
        notes.releases,
    )


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of the words, longest first; without words it never matches."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"
