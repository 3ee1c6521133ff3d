"""Whether two texts that read alike tell the same: `3.2 bar` is not `5.2 bar`, and `on` is not `off`.

They do if their numbers with units, dates and negations are equal, each has the names and codes of the other, and no
word of one excludes a word of the other, as `above` and `below`. Where their words are the same, each fact must stand
beside the same ones: `12 for adults, 8 for children` is not `8 for adults, 12 for children`. Other words may differ.
No I/O.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from functools import lru_cache
from typing import Final

from libs.language.files import word_table
from libs.text.said import stems_of
from libs.text.tokens import content_stems
from services.retrieve.search.facts import Around, Facts, Key, facts_of

_DIGITS: Final = re.compile(r"\d+")
_THOUSANDS: Final = re.compile(r"(?<=\d)[.,' \u00a0\u2009\u202f](?=\d{3}(?!\d))")
_SHARED: Final = 0.75
"""Least share of the content words that two texts in nearly the same words have in common (taste)."""


def tell_the_same(first: str, second: str, language: str) -> bool:
    """Whether two texts that read alike have the same facts; `language` is that of both, ISO 639-1."""
    if _differ(_digits(first), _digits(second)):  # true for most rows and forms, and a hundred times as fast
        return False
    one, other = facts_of(first, language), facts_of(second, language)
    if one.counted != other.counted or _excludes(one, other, language):
        return False
    if _lacks(one.stems, other.named, language) or _lacks(other.stems, one.named, language):
        return False
    if _lacks(one.stems, other.capitalised, language) and _lacks(other.stems, one.capitalised, language):
        return False
    return one.content != other.content or (_stand_alike(one, other) and _stand_alike(other, one))


def in_the_same_words(first: str, second: str, language: str) -> bool:
    """Whether two texts share most content words, and no word of one stands where the other has another one."""
    one, other = _content(first, language), _content(second, language)
    if (one & other).total() < _SHARED * max(one.total(), other.total()):
        return False
    return not (_lacks(one.keys(), other.keys(), language) and _lacks(other.keys(), one.keys(), language))


@lru_cache(maxsize=4096)  # taste
def _content(text: str, language: str) -> Counter[str]:
    return Counter(filter(str.isalpha, content_stems(text, language)))


def _digits(text: str) -> Counter[str]:
    """All runs of digits, without separators of thousands and leading zeros: those of a date in any form."""
    return Counter(digits.lstrip("0") for digits in _DIGITS.findall(_THOUSANDS.sub("", text)))


def _differ(one: Counter[str], other: Counter[str]) -> bool:
    """Whether each has what the other lacks; what only one has may be written in words in the other."""
    return bool(one - other) and bool(other - one)


def _lacks(stems: Set[str], words: Set[str], language: str) -> bool:
    """Whether one of some words is not among the stems of a text, and no synonym of it is."""
    synonyms = _synonyms(language)
    return any(stems.isdisjoint(synonyms.get(word, ())) for word in words - stems)


def _excludes(one: Facts, other: Facts, language: str) -> bool:
    """Whether a word of one text is an opposite or a sibling of a word that the other has instead."""
    exclusive, beyond = _excluding(language), other.stems - one.stems
    return any(not beyond.isdisjoint(exclusive.get(word, ())) for word in one.stems - other.stems)


def _stand_alike(one: Facts, other: Facts) -> bool:
    """Whether each fact of one text that the other has, too, stands before or after the same words there."""
    places = defaultdict[Key, list[Around]](list)
    for key, around in other.around:
        places[key].append(around)
    facts = [(around, places[key]) for key, around in one.around if key in places]
    return all(any(_is_alike(around, each) for each in others) for around, others in facts)


def _is_alike(one: Around, other: Around) -> bool:
    return one == other or any(words and words == others for words, others in zip(one, other, strict=False))


@lru_cache(maxsize=64)  # taste
def _excluding(language: str) -> Mapping[str, frozenset[str]]:
    """Map the stem of a word to those of its opposites and of other things of its kind."""
    excluded: dict[str, frozenset[str]] = {}
    for name in ("opposites", "opposites_in_position", "opposite_particles", "siblings"):
        for row in word_table(name, language):
            sides = [stems_of(cell, language) for cell in row]
            for word in frozenset().union(*sides):
                others = frozenset().union(*(side for side in sides if word not in side))
                excluded[word] = excluded.get(word, frozenset()) | others
    return excluded


@lru_cache(maxsize=64)  # taste
def _synonyms(language: str) -> Mapping[str, frozenset[str]]:
    """Map the stem of a word to those of its synonyms."""
    synonyms: dict[str, frozenset[str]] = {}
    for row in word_table("synonyms", language):
        stems = stems_of(row[0], language)
        synonyms.update((word, synonyms.get(word, frozenset()) | stems) for word in stems)
    return synonyms
