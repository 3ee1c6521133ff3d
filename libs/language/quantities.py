"""Tells whether a question asks for a number or a time, and a text has a number; language data is read once."""

from typing import Final

import regex

from libs.language.known import language_of
from libs.language.turns.wordings import UNSPACED, phrase_pattern

OPENING: Final = 24
"""Characters at the start in which time words are sought: `and since when`; later `when` is a conjunction (taste)."""
_DIGITS: Final = regex.compile(r"\d+")


def asks_quantity(question: str, language: str) -> bool:
    """Whether the question asks for a number; False if the language's words are unknown."""
    return phrase_pattern(language_of(language).quantity_words).search(question) is not None


def without_quantity_words(question: str, language: str) -> str:
    """The question without words that ask for a number: the answer to `how heavy` says mass, weight or tonnes."""
    remainder: str = phrase_pattern(language_of(language).quantity_words).sub(" ", question)
    return remainder


def asks_time(question: str, language: str) -> bool:
    """Whether the question asks for a time; False if the language's words are unknown."""
    opening = question if UNSPACED.search(question) else question[:OPENING]
    return phrase_pattern(language_of(language).time_words).search(opening) is not None


def tells_number(text: str, language: str, name: str = "") -> bool:
    """Whether the text has a number, as digits or words, whose digits are not in `name` (as 11 in `Apollo 11`)."""
    if known_digits := set(_DIGITS.findall(name)):
        text = _DIGITS.sub(lambda number: "" if number[0] in known_digits else number[0], text)
    return any(map(str.isdigit, text)) or phrase_pattern(language_of(language).number_words).search(text) is not None
