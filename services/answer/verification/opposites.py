"""Compares words that exclude each other: `first` and `last`, `survived` and `destroyed`, `granite` and `basalt`.

A sentence is contradicted if the source has an opposite of one of its words, or another thing of the same kind, in the
word's place: instead of it, or beside the same words. A denial turns a word into its opposite. Words are compared by
stems, those without a stem (`more`) as they are. Pure functions; the lists are read from files on first use.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from libs.language.files import word_table
from services.answer.lexicon.related_words import covered_share, has_equivalent
from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import Spot, is_exchanged, spot
from services.answer.verification.claims import Claims
from services.answer.verification.denials import Denial

_WORD: Final = re.compile(r"[^\W\d_]+")
_REACH = 2
"""Content words after a negator that it surely turns round; of those beyond it is not known (taste)."""
_MIN_ALIKE = 0.35
"""Share of the claim's words that the source must have to be about the same thing (by hand)."""
_Sides: TypeAlias = Mapping[str, tuple[frozenset[str], frozenset[str]]]


@dataclass(frozen=True, slots=True)
class _SidedWord:
    """A word that excludes others, in its sentence."""

    key: str
    is_denied: bool
    spot: Spot


def excluded_word(claims: Claims, evidence: Claims) -> str | None:
    """Return the first word of the claim in whose place the source has one that excludes it; None if there is none."""
    if covered_share(claims.stems, evidence.stems, claims.language) < _MIN_ALIKE:
        return None
    words, others = tuple(_sided_words(claims)), tuple(_sided_words(evidence))
    keys = {word.key for word in words if not word.is_denied}
    for word in words:
        if _is_of_figure(word, claims):
            continue
        own, contrary = _sides(claims.language)[word.key]
        same = [other.spot for other in others if _agrees(word, other, own, contrary)]
        rivals = [other.spot for other in others if _agrees(word, other, contrary, own) and other.key not in keys]
        if not same and has_equivalent(word.key, evidence.stems, claims.language):
            continue
        if is_exchanged(word.spot, same, rivals):
            return claims.text[word.spot.start : word.spot.end].lower()
    return None


def _is_of_figure(word: _SidedWord, claims: Claims) -> bool:
    """Whether a word belongs to a date or quantity, which is compared as such."""
    return any(date.start <= word.spot.start < date.end for date in claims.dates) or any(
        number.start <= word.spot.start < number.end for number in claims.quantities
    )


def states_contrary(denial: Denial, stems: frozenset[str], language: str) -> bool:
    """Whether some stems have an opposite of what is denied: `survived` for `not destroyed`."""
    sides = _sides(language)
    return any(not sides[stem][1].isdisjoint(stems) for stem in denial.following[:_REACH] if stem in sides)


def _agrees(word: _SidedWord, other: _SidedWord, own: frozenset[str], contrary: frozenset[str]) -> bool:
    """Whether the other is of the word's own side, or of the contrary one and only one of the two is denied."""
    return other.key in (own if word.is_denied is other.is_denied else contrary)


def _sided_words(claims: Claims) -> Iterator[_SidedWord]:
    """Yield the words that exclude others, without those of which it is unclear whether they are denied."""
    denied = {stem for denial in claims.denials for stem in denial.following[:_REACH]}
    unclear = {stem for denial in claims.denials for stem in denial.following[_REACH:]}
    sides = _sides(claims.language)
    for match in _WORD.finditer(claims.text):
        key = _key(match[0].lower(), claims.language)
        if key in sides and key not in unclear:
            yield _SidedWord(key, key in denied, spot(claims.occurrences, *match.span()))


def _key(word: str, language: str) -> str:
    return (*stems_of(word, language), word)[0]


@lru_cache(maxsize=64)  # taste
def _sides(language: str) -> _Sides:
    """Map each word to the words on its own side, itself among them, and to those that exclude it."""
    sides_by_word: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for name in ("opposites", "opposites_in_position", "siblings"):
        for row in word_table(name, language):
            sides = [frozenset(_key(word, language) for word in cell) for cell in row]
            for side in sides:
                contrary = frozenset().union(*sides) - side
                for word in side:
                    own, excluded = sides_by_word.get(word, (frozenset(), frozenset()))
                    sides_by_word[word] = (own | side, excluded | contrary)
    return sides_by_word
