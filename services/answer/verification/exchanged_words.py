"""Compares words that have an opposite: `first` and `last`, `before` and `after`, `rose` and `fell`, `more` and `less`.

Each word is compared with the source word in the same position, because a long sentence may have both opposites.

Things of one kind exclude each other, too: `granite` where the source has `basalt`. Names are recognised by capitals
(`name_checks`); materials, professions and instruments are not. The words on one line of their list occur in the same
places but mean different things, unlike the synonyms of `related_words`; words between two bars mean the same. General
words only, by stems; a word with several senses is left out unless the line makes its sense clear. Pure functions; the
lists are read from files on first use.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from libs.language.files import word_table
from services.answer.lexicon.related_words import covered_share, has_equivalent
from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import Spot, fits_another_better, spot
from services.answer.verification.claims import Claims

_WORD: Final = re.compile(r"[^\W\d_]+")
_Sides: TypeAlias = Mapping[str, tuple[frozenset[str], frozenset[str]]]


def opposite_word(claims: Claims, evidence: Claims) -> str | None:
    """Return the first word of the claim that the source replaces by an opposite; None if there is none."""
    sides = _sides(claims.language)
    side_words, evidence_words = _side_words(claims.text, sides), _side_words(evidence.text, sides)
    words = {match[0].lower() for match in side_words}
    for match in side_words:
        contrary, same_side = sides[match[0].lower()]
        opposite_positions = _spots(evidence, evidence_words, contrary)
        if not opposite_positions or not contrary.isdisjoint(words):
            continue  # no opposite in the source, or both in the claim, in any order
        same_positions, position = _spots(evidence, evidence_words, same_side), spot(claims.occurrences, *match.span())
        if not _beside_same(position, same_positions) and (
            not same_positions or fits_another_better(position, same_positions, opposite_positions)
        ):
            return match[0].lower()
    return None


def _beside_same(position: Spot, same: list[Spot]) -> bool:
    """Whether the same word precedes the same next word in the source."""
    return any(position.after[:1] == other.after[:1] for other in same)


def _side_words(text: str, sides: _Sides) -> list[re.Match[str]]:
    """The words in a text that have an opposite."""
    return [match for match in _WORD.finditer(text) if match[0].lower() in sides]


def _spots(evidence: Claims, words: list[re.Match[str]], targets: frozenset[str]) -> list[Spot]:
    """The positions of the wanted words."""
    return [spot(evidence.occurrences, *match.span()) for match in words if match[0].lower() in targets]


@lru_cache(maxsize=64)  # taste
def _sides(language: str) -> _Sides:
    """Map a word to its opposites and to the words on its own side."""
    sides_by_word: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for first, second in word_table("opposites_in_position", language):
        for side, contrary in ((first, second), (second, first)):
            for word in side:
                entry = sides_by_word.get(word, (frozenset(), frozenset()))
                sides_by_word[word] = (entry[0].union(contrary), entry[1].union(side))
    return sides_by_word


@lru_cache(maxsize=64)  # taste
def siblings(language: str) -> Mapping[str, frozenset[str]]:
    """Map a stem to those of the other things of its kind."""
    siblings_by_stem: dict[str, frozenset[str]] = {}
    for row in word_table("siblings", language):
        things = [frozenset(stems_of(" ".join(thing), language)) for thing in row]
        all_stems = frozenset().union(*things)
        for thing in things:
            for stem in thing:
                siblings_by_stem[stem] = siblings_by_stem.get(stem, frozenset()) | (all_stems - thing)
    return siblings_by_stem


_MIN_ALIKE = 0.35
"""Share of the claim's words that the source must have to be about the same thing (by hand)."""


def other_thing(claims: Claims, evidence: Claims, passage_stems: frozenset[str]) -> str | None:
    """Return the stem of a thing that the source replaces by another thing of its kind; None if there is none.

    Args:
        claims: the sentence.
        evidence: the nearest words.
        passage_stems: the stems of their whole passage, any of which may be meant.
    """
    kinds, language = siblings(claims.language), claims.language
    for stem in claims.stems & kinds.keys():
        if stem in passage_stems or has_equivalent(stem, evidence.stems, language):
            continue
        is_similar = covered_share(claims.stems, evidence.stems, language) >= _MIN_ALIKE
        if kinds[stem] & evidence.stems - claims.stems and is_similar:
            return stem
    return None
