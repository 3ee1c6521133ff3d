"""Finds names in a sentence: runs of capitalised words, with the number of a numbered name (`Venera 7`). Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from libs.language.known import language_of
from libs.language.topics.anaphora import Agreement
from libs.language.topics.calendar import Calendar
from libs.language.topics.names import NameForms
from libs.text.numbers.units import unit_named
from libs.text.numbers.words import number_words
from libs.text.tokens import Token, is_stop_word
from services.answer.lexicon.words import is_past_form

_DIGITS_OF_A_NAME = 2
"""`Apollo 13` is a name, `Saturn 294 times` is not (taste)."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name as the sentence spells it."""

    text: str
    start: int
    end: int
    sure: bool = True
    """False for a word that may be capitalised only because it begins the sentence."""


def find_names(text: str, tokens: tuple[Token, ...], language: str) -> Iterator[Name]:
    """Yield the names in a sentence, in order.

    In a language that capitalises nouns, a single capitalised word is no name unless it has another capital (`NASA`),
    and a word after a determiner does not begin one: `der Astronaut Neil Armstrong`.
    """
    sentence, capitalises_nouns = _Sentence(text, tokens, language), language_of(language).capitalises_nouns
    position = 0
    while position < len(tokens):
        if not sentence.begins_name(position):
            position += 1
            continue
        end = position + 1
        while end < len(tokens) and sentence.goes_on(end):
            end += 1
        start, stop = tokens[position].start, tokens[end - 1].end
        name = NameForms.of(language).possessive.sub("", text[start:stop])
        is_long = end - position > 1
        if is_long or not capitalises_nouns or _has_inner_capital(name):
            yield Name(name, start, start + len(name), position > 0 or is_long)
        position = end


class _Sentence:
    """Tells where the names of a sentence begin and how far they go; positions are those of its tokens."""

    def __init__(self, text: str, tokens: tuple[Token, ...], language: str) -> None:
        self._text = text
        self._tokens = tokens
        self._language = language
        self._forms = NameForms.of(language)
        self._capitalises_nouns = language_of(language).capitalises_nouns
        self._determiners = Agreement.of(language).determiners if self._capitalises_nouns else {}

    def begins_name(self, position: int) -> bool:
        """Whether a name begins here."""
        if not _may_name(self._tokens[position], self._language) or self._opens(position):
            return False
        return not (self._capitalises_nouns and self._has_determiner(position))

    def goes_on(self, end: int) -> bool:
        """Whether a name goes on here."""
        tokens = self._tokens
        if not self._is_beside(end) or self._forms.possessive.search(tokens[end - 1].text):
            return False
        is_number = tokens[end].text.isdecimal() and len(tokens[end].text) <= _DIGITS_OF_A_NAME
        return _may_name(tokens[end], self._language) or (is_number and not self._is_count(end))

    def _is_beside(self, position: int) -> bool:
        """Whether a word follows the previous one after a space or the full stop of an initial: `Gordon D. Schaber`."""
        tokens, between = self._tokens, self._between(position)
        initial = between == ". " and len(tokens[position - 1].text) == 1 and position > 1
        return between == " " or (initial and not tokens[position].text.isdecimal())

    def _between(self, position: int) -> str:
        return self._text[self._tokens[position - 1].end : self._tokens[position].start]

    def _opens(self, position: int) -> bool:
        """Whether a word is capitalised only because it begins the sentence or follows a colon."""
        word = self._tokens[position].text.lower()
        is_first = position == 0 or self._between(position) == ": "
        return is_first and (word in self._forms.openers or self._forms.opening_form.match(word) is not None)

    def _has_determiner(self, position: int) -> bool:
        """Whether a determiner precedes, which a word has that is followed by another noun: `the probe Venera`."""
        tokens = self._tokens
        if position == 0 or tokens[position - 1].text.lower() not in self._determiners:
            return False
        return position + 1 < len(tokens) and _may_name(tokens[position + 1], self._language)

    def _is_count(self, position: int) -> bool:
        """Whether a number counts the unit or noun that follows, also after an adjective, where nouns have capitals."""
        following = position + 1
        if not self._capitalises_nouns or following >= len(self._tokens) or self._between(following) != " ":
            return False
        word = self._tokens[following]
        is_unit = unit_named(word.text, self._language) is not None
        is_adjective = self._forms.opening_form.match(word.text) and not is_past_form(word.text, self._language)
        return word.is_capitalised or is_unit or bool(is_adjective)


def _has_inner_capital(word: str) -> bool:
    """Whether a part of a word has a capital after its first letter: `NASA`, `SpaceX`, but not `Mond-Rover`."""
    return any(character.isupper() for part in word.split("-") for character in part[1:])


def _may_name(token: Token, language: str) -> bool:
    return token.is_capitalised and _is_name_word(token.text, language)


@lru_cache(maxsize=16_384)  # taste
def _is_name_word(word: str, language: str) -> bool:
    """Whether a capitalised word may be part of a name."""
    forms, calendar, lower_text = NameForms.of(language), Calendar.of(language), word.lower()
    if word in forms.abbreviations or forms.common_noun.fullmatch(word):
        return False
    is_time = lower_text in calendar.months or lower_text in calendar.weekdays
    is_number = number_words(language).issuperset(lower_text.split("-"))
    return not (is_stop_word(word, language) or is_time or is_number)
