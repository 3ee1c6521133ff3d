"""Compares what two sentences deny, and words that exclude each other: `first` and `last`, `granite` and `basalt`.

A sentence is contradicted if the source states what it denies, denies what it states, or has an opposite of one of its
words, or another thing of the same kind, in the word's place: instead of it, or beside the same words. A denial turns a
word into its opposite. Words are compared by stems, those without a stem (`more`) as they are. Pure functions.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from libs.language.files import word_table
from libs.language.topics.clauses import Negation
from services.answer.lexicon.related_words import covered_share, has_equivalent, is_covered
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims, Denial, Spot, is_exchanged, spot

NOT_DENIED = "The source doesn't deny this."
DENIED = "The source denies this."
_ALIKE = 0.4
"""Share of the claim's words from which the source tells of the same, even without the denied verb."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_REACH = 2
"""Content words after a negator that it turns round (taste)."""
_Sides: TypeAlias = Mapping[str, tuple[frozenset[str], frozenset[str]]]


@dataclass(frozen=True, slots=True)
class _SidedWord:
    """A word that excludes others, in its sentence."""

    key: str
    is_denied: bool
    spot: Spot


def denials(claims: Claims, evidence: Claims) -> Iterator[str]:
    """Yield what the source denies, or states although the claim denies it, and a word that it excludes."""
    is_alike = covered_share(claims.stems, evidence.stems, claims.language) >= _ALIKE
    if any(_is_stated(denial, claims, evidence, is_alike) for denial in claims.denials):
        yield NOT_DENIED
    if any(_is_stated(denial, evidence, claims) for denial in evidence.denials):
        yield DENIED
    if word := excluded_word(claims, evidence):
        yield f"The source says another thing than “{word}”."


def are_denials_supported(claims: Claims, evidence: Claims) -> bool:
    """Whether the source denies everything that the claim denies; True if it denies nothing."""
    return all(denial.is_empty or _denies_too(denial, claims, evidence) for denial in claims.denials)


def _is_stated(denial: Denial, sentence: Claims, other: Claims, is_alike: bool = False) -> bool:
    """Whether the other sentence is alike or has the nearest word of what is denied, and denies nothing like it."""
    is_told = is_alike or is_covered(denial.head, other.stems, other.language)
    return is_told and not denial.is_empty and not _denies_too(denial, sentence, other)


def _denies_too(denial: Denial, sentence: Claims, other: Claims) -> bool:
    """Whether the other sentence denies the same, or says it in other words: `survived` for `not destroyed`."""
    sides = _sides(other.language)
    return (
        any(not denial.scope.isdisjoint(counterpart.scope) for counterpart in other.denials)
        or any(not sides[stem][1].isdisjoint(other.stems) for stem in denial.following[:_REACH] if stem in sides)
        or _same_in_other_words(sentence.text, other.text, sentence.language)
    )


def _same_in_other_words(claim: str, evidence: str, language: str) -> bool:
    """Whether one sentence denies that there is another, and the other has a superlative or `only`."""
    negation, pairs = Negation.of(language), ((claim, evidence), (evidence, claim))
    return any(
        negation.no_other.search(text) is not None and negation.utmost.search(other) is not None
        for text, other in pairs
    )


def excluded_word(claims: Claims, evidence: Claims) -> str | None:
    """Return the first word of the claim in whose place the source has one that excludes it; None if there is none."""
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


def _agrees(word: _SidedWord, other: _SidedWord, own: frozenset[str], contrary: frozenset[str]) -> bool:
    """Whether the other is of the word's own side, or of the contrary one and only one of the two is denied."""
    return other.key in (own if word.is_denied is other.is_denied else contrary)


def _sided_words(claims: Claims) -> Iterator[_SidedWord]:
    """Yield the words that exclude others."""
    denied = {stem for denial in claims.denials for stem in denial.following[:_REACH]}
    sides = _sides(claims.language)
    for match in _WORD.finditer(claims.text):
        key = _key(match[0].lower(), claims.language)
        if key in sides:
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
