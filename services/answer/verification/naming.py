"""Finds names in a sentence: runs of capitalised words, with the number of a numbered name (`Venera 7`)."""
# ruff: noqa: SIM905 - a list of words reads best as words

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libs.text.calendar_words import MONTHS, WEEKDAYS
from libs.text.number_words import number_words
from libs.text.tokens import Token, is_stop_word

_DIGITS_OF_A_NAME = 2
"""`Apollo 13` is a name, `Saturn 294 times` is not."""
_OPENERS = frozenset(
    """
    yes no however moreover furthermore additionally therefore thus hence besides also finally overall instead meanwhile
    nevertheless nonetheless otherwise similarly likewise according based due given despite since while although though
    because unlike like during within without among between under over about around altogether afterwards later soon
    please sorry sure certainly indeed actually generally typically usually often sometimes currently today recently
    first second third next last another other others each every many most several some few both either neither none
    nobody everyone someone people half part twice once here there note example examples per via towards beyond
    whether whereas ten almost nearly roughly approximately exactly only just less more fewer at up close
    """.split()
)
"""Words that begin a sentence without naming anything."""
_ABBREVIATIONS = frozenset("AD BC CE BCE TV ID IDs PC CPU CEO FAQ FAQs AM PM".split())
"""Abbreviations of common words."""
_INFLECTED = re.compile(r"\w{3,}(?:ing|ed|ly)\Z")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as the sentence spells it."""

    text: str
    start: int
    end: int
    sure: bool = True
    """False for a word that may be capitalised only because it begins the sentence."""


def find_names(text: str, tokens: tuple[Token, ...]) -> Iterator[Name]:
    """Yield the names in a sentence, in order."""
    position = 0
    while position < len(tokens):
        if not _may_name(tokens[position]) or _opens(text, tokens, position):
            position += 1
            continue
        end = position + 1
        while end < len(tokens) and _beside(text, tokens, end) and _goes_on(tokens, end):
            end += 1
        start, stop = tokens[position].start, tokens[end - 1].end
        name = re.sub(r"['’]s\Z", "", text[start:stop])
        yield Name(name, start, start + len(name), position > 0 or end - position > 1)
        position = end


def _beside(text: str, tokens: tuple[Token, ...], position: int) -> bool:
    """Whether a word follows the previous one after a space or the full stop of an initial: `Gordon D. Schaber`."""
    between = text[tokens[position - 1].end : tokens[position].start]
    initial = between == ". " and len(tokens[position - 1].text) == 1 and position > 1
    return between == " " or (initial and not tokens[position].text.isdecimal())


def _opens(text: str, tokens: tuple[Token, ...], position: int) -> bool:
    """Whether a word is capitalised only because it begins the sentence or follows a colon."""
    word = tokens[position].text.lower()
    first = position == 0 or text[tokens[position - 1].end : tokens[position].start] == ": "
    return first and (word in _OPENERS or _INFLECTED.match(word) is not None)


def _may_name(token: Token) -> bool:
    if not token.is_capitalised:
        return False
    lowered = token.text.lower()
    if token.text in _ABBREVIATIONS:
        return False
    calendar = lowered in MONTHS or lowered in WEEKDAYS
    number = all(part in number_words("en") for part in lowered.split("-"))
    return not (is_stop_word(token.text) or calendar or number)


def _goes_on(tokens: tuple[Token, ...], end: int) -> bool:
    if tokens[end - 1].text.endswith(("'s", "’s")):
        return False
    return _may_name(tokens[end]) or (tokens[end].text.isdecimal() and len(tokens[end].text) <= _DIGITS_OF_A_NAME)
