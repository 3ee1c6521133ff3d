"""Tells whether a question asks for a number or a time, and a text has a number; language data is read once."""

from functools import lru_cache
from typing import Final

import regex

from libs.language.known import language_of

OPENING: Final = 24
"""Characters at the start in which time words are sought: `and since when`; later `when` is a conjunction (taste)."""
_DIGITS: Final = regex.compile(r"\d+")
_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")


def asks_quantity(question: str, language: str) -> bool:
    """Whether the question asks for a number; False if the language's words are unknown."""
    return _contains_any(language_of(language).quantity_words, question)


def without_quantity_words(question: str, language: str) -> str:
    """The question without words that ask for a number: the answer to `how heavy` says mass, weight or tonnes."""
    pattern = _pattern(language_of(language).quantity_words)
    return pattern.sub(" ", question) if pattern is not None else question


def asks_time(question: str, language: str) -> bool:
    """Whether the question asks for a time; False if the language's words are unknown."""
    opening = question if _UNSPACED.search(question) else question[:OPENING]
    return _contains_any(language_of(language).time_words, opening)


def tells_number(text: str, language: str, name: str = "") -> bool:
    """Whether the text has a number, as digits or words, whose digits are not in `name` (as 11 in `Apollo 11`)."""
    if known_digits := set(_DIGITS.findall(name)):
        text = _DIGITS.sub(lambda number: "" if number[0] in known_digits else number[0], text)
    return any(map(str.isdigit, text)) or _contains_any(tuple(sorted(language_of(language).number_words)), text)


def _contains_any(phrases: tuple[str, ...], text: str) -> bool:
    pattern = _pattern(phrases)
    return pattern is not None and pattern.search(text) is not None


@lru_cache(maxsize=64)  # taste
def _pattern(phrases: tuple[str, ...]) -> "regex.Pattern[str] | None":
    """A pattern of whole words, except in scripts without spaces; None if there are no phrases."""
    return regex.compile("|".join(map(_whole_words, phrases)), regex.IGNORECASE) if phrases else None


def _whole_words(phrase: str) -> str:
    words = r"\s+".join(map(regex.escape, phrase.split()))
    return words if _UNSPACED.match(phrase) else rf"(?<!\w){words}(?!\w)"
