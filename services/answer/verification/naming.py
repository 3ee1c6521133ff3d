"""Finds names in a sentence: runs of capitalised words, with the number of a numbered name (`Venera 7`)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from libs.language.known import ENGLISH, language_of
from libs.language.topics.calendar import Calendar
from libs.language.topics.name_forms import NameForms
from libs.text.number_words import number_words
from libs.text.tokens import Token, is_stop_word

_DIGITS_OF_A_NAME = 2
"""`Apollo 13` is a name, `Saturn 294 times` is not."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name as the sentence spells it."""

    text: str
    start: int
    end: int
    sure: bool = True
    """False for a word that may be capitalised only because it begins the sentence."""


def find_names(text: str, tokens: tuple[Token, ...], language: str = ENGLISH) -> Iterator[Name]:
    """Yield the names in a sentence, in order.

    In a language that capitalises nouns, a single capitalised word is no name unless it has another capital (`NASA`).
    """
    forms, capitalises_nouns = NameForms.of(language), language_of(language).capitalises_nouns
    position = 0
    while position < len(tokens):
        if not _may_name(tokens[position], language) or _opens(text, tokens, position, forms):
            position += 1
            continue
        end = position + 1
        while end < len(tokens) and _beside(text, tokens, end) and _goes_on(tokens, end, language):
            end += 1
        start, stop = tokens[position].start, tokens[end - 1].end
        name = forms.possessive.sub("", text[start:stop])
        is_long = end - position > 1
        if is_long or not capitalises_nouns or _has_inner_capital(name):
            yield Name(name, start, start + len(name), position > 0 or is_long)
        position = end


def _has_inner_capital(word: str) -> bool:
    """Whether a part of a word has a capital after its first letter: `NASA`, `SpaceX`, but not `Mond-Rover`."""
    return any(character.isupper() for part in word.split("-") for character in part[1:])


def _beside(text: str, tokens: tuple[Token, ...], position: int) -> bool:
    """Whether a word follows the previous one after a space or the full stop of an initial: `Gordon D. Schaber`."""
    between = text[tokens[position - 1].end : tokens[position].start]
    initial = between == ". " and len(tokens[position - 1].text) == 1 and position > 1
    return between == " " or (initial and not tokens[position].text.isdecimal())


def _opens(text: str, tokens: tuple[Token, ...], position: int, forms: NameForms) -> bool:
    """Whether a word is capitalised only because it begins the sentence or follows a colon."""
    word = tokens[position].text.lower()
    first = position == 0 or text[tokens[position - 1].end : tokens[position].start] == ": "
    return first and (word in forms.openers or forms.opening_form.match(word) is not None)


def _may_name(token: Token, language: str) -> bool:
    return token.is_capitalised and _is_name_word(token.text, language)


@lru_cache(maxsize=16_384)
def _is_name_word(word: str, language: str) -> bool:
    """Whether a capitalised word may be part of a name."""
    forms, calendar, lowered = NameForms.of(language), Calendar.of(language), word.lower()
    if word in forms.abbreviations or forms.common_noun.fullmatch(word):
        return False
    is_time = lowered in calendar.months or lowered in calendar.weekdays
    is_number = number_words(language).issuperset(lowered.split("-"))
    return not (is_stop_word(word, language) or is_time or is_number)


def _goes_on(tokens: tuple[Token, ...], end: int, language: str) -> bool:
    if NameForms.of(language).possessive.search(tokens[end - 1].text):
        return False
    return _may_name(tokens[end], language) or (
        tokens[end].text.isdecimal() and len(tokens[end].text) <= _DIGITS_OF_A_NAME
    )
