"""Compares words that have an opposite: `first` and `last`, `before` and `after`, `rose` and `fell`, `more` and `less`.

Each word is compared with the source word in the same position, because a long sentence may have both opposites.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from libs.language.files import word_table
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


@lru_cache(maxsize=64)
def _sides(language: str) -> _Sides:
    """Map a word to its opposites and to the words on its own side."""
    sides_by_word: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for first, second in word_table("opposites_in_position", language):
        for side, contrary in ((first, second), (second, first)):
            for word in side:
                entry = sides_by_word.get(word, (frozenset(), frozenset()))
                sides_by_word[word] = (entry[0].union(contrary), entry[1].union(side))
    return sides_by_word
