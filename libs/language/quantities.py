"""Whether a question is for a number or a time, and whether a text tells one, by the words of its language."""

from functools import lru_cache
from typing import Final

import regex

from libs.language.known import language_of

OPENING: Final = 24
"""Characters within which a question for a time says so: `and since when`; later `when` joins clauses."""
_DIGITS: Final = regex.compile(r"\d+")
_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")


def asks_quantity(question: str, language: str) -> bool:
    """Whether a number answers the question, as far as the language's words are known."""
    return _found(language_of(language).quantity_words, question)


def without_quantity_words(question: str, language: str) -> str:
    """A question without the words that ask for a number: `how heavy` is answered by a mass, a weight, by tonnes."""
    pattern = _pattern(language_of(language).quantity_words)
    return pattern.sub(" ", question) if pattern is not None else question


def asks_time(question: str, language: str) -> bool:
    """Whether a time answers the question, as far as the language's words are known."""
    opening = question if _UNSPACED.search(question) else question[:OPENING]
    return _found(language_of(language).time_words, opening)


def tells_number(text: str, language: str, known: str = "") -> bool:
    """Whether a number stands in the text, in digits or in words, that `known` has not: `Apollo 11` answers nothing."""
    if known_digits := set(_DIGITS.findall(known)):
        text = _DIGITS.sub(lambda number: "" if number[0] in known_digits else number[0], text)
    return any(map(str.isdigit, text)) or _found(tuple(sorted(language_of(language).number_words)), text)


def _found(phrases: tuple[str, ...], text: str) -> bool:
    pattern = _pattern(phrases)
    return pattern is not None and pattern.search(text) is not None


@lru_cache(maxsize=64)
def _pattern(phrases: tuple[str, ...]) -> "regex.Pattern[str] | None":
    """Whole words, but for scripts without spaces."""
    return regex.compile("|".join(map(_bounded, phrases)), regex.IGNORECASE) if phrases else None


def _bounded(phrase: str) -> str:
    words = r"\s+".join(map(regex.escape, phrase.split()))
    return words if _UNSPACED.match(phrase) else rf"(?<!\w){words}(?!\w)"
