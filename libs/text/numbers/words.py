"""Parses numbers in words: `twenty-one`, `two hundred and fifty`, `zweihundertfünfzig`. No I/O of its own."""

import re
from decimal import Decimal
from functools import lru_cache

from libs.language.patterns import any_of
from libs.language.topics.numbers import Numbers


@lru_cache(maxsize=64)  # taste
def number_words(language: str) -> frozenset[str]:
    """All words of which numbers are made in a language, without `and` and articles."""
    numbers = Numbers.of(language)
    return frozenset({*numbers.values, *numbers.multipliers, *numbers.scales})


def value_of_words(phrase: str, language: str) -> Decimal:
    """The value of a phrase made of number words, `and`, `a` and `half a`, in any case.

    Raises:
        KeyError: the phrase contains another word.
    """
    numbers = Numbers.of(language)
    words = " ".join(phrase.lower().split())
    half = next((half for half in numbers.halves if f"{words} ".startswith(f"{half} ")), "")
    total, group = 0, 1 if half else 0
    for part in _parts(words.removeprefix(half), language):
        if part in numbers.multipliers:
            group = max(group, 1) * numbers.multipliers[part]
        elif part in numbers.scales:
            total, group = total + max(group, 1) * numbers.scales[part], 0
        elif part in numbers.values:
            group += numbers.values[part]
        elif part in numbers.articles:
            group = 1
        elif part not in numbers.conjunctions:
            raise KeyError(part)
    value = Decimal(total + group)
    return value / 2 if half else value


def small_number(word: str, language: str) -> int | None:
    """A count in digits or one word (`3`, `three`, `twenty-one`, `a`, `dozen`); None for another word."""
    if word.isdecimal():
        return int(word)
    try:
        return int(value_of_words(word, language)) or None
    except KeyError:
        return None


def _parts(words: str, language: str) -> list[str]:
    """The words of a phrase; a word that is none and consists of number words is divided into these."""
    parts = words.replace("-", " ").split()
    if not Numbers.of(language).joined:
        return parts
    part, whole = _joined(language)
    return [piece for word in parts for piece in (part.findall(word) if whole.fullmatch(word) else [word])]


@lru_cache(maxsize=64)  # taste
def _joined(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of a part of a number that is written together, and of the whole, with at most 20 (taste)."""
    part = any_of(number_words(language) | Numbers.of(language).conjunctions)
    return re.compile(part), re.compile(f"(?:{part}){{1,20}}")
