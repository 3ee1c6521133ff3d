"""Words, phrases and content words of a turn, and patterns of phrases at a place of it. Nothing here waits."""

from functools import lru_cache
from typing import Final

import regex

from libs.language.known import language_of

WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.-][\p{L}\p{M}\p{N}]+)*")
"""A word, number or code: `don't`, `AX-220`, `0.46.0`."""
UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")


def words_of(text: str) -> list[str]:
    """The words of a text, lower-cased, with straight apostrophes."""
    return [word.lower().replace("’", "'") for word in WORD.findall(text)]


def content_of(text: str, language: str) -> list[str]:
    """The words of a text that are no stop words."""
    return [word for word in words_of(text) if word not in language_of(language).stop_words]


def phrase_at(text: str, phrases: tuple[str, ...], position: int) -> int:
    """The end of the longest phrase that stands at a position; `position` if there is none."""
    match = phrase_pattern(phrases).match(text, position)
    return match.end() if match else position


@lru_cache(maxsize=128)  # taste
def phrase_pattern(phrases: tuple[str, ...]) -> "regex.Pattern[str]":
    """A pattern of whole phrases in any case, longest first; nothing matches it if there are none."""
    longest_first = sorted(phrases, key=len, reverse=True)
    return regex.compile("|".join(map(_whole_words, longest_first)) or r"(?!)", regex.IGNORECASE)


def _whole_words(phrase: str) -> str:
    """A pattern of whole words, except in scripts without spaces; an apostrophe is straight or curved."""
    words = regex.escape(phrase).replace("'", "['’]").replace(r"\ ", " ").replace(" ", r"[,\s]{1,4}")
    return words if UNSPACED.search(phrase) else rf"(?<![\p{{L}}\p{{N}}]){words}(?!['’-]?[\p{{L}}\p{{N}}])"
