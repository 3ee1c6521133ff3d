"""Finds the proper names of a text: by capitals, numbers and codes.

All stages read names here, so none takes for a name what another one does not. A name does not begin with a title, and
does not contain a year, a date or a counted unit: `Dr. Marie Curie` is `Marie Curie`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

from libs.language.files import place_names
from libs.language.known import language_of
from libs.language.topics.calendar import Calendar
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.names import NameForms
from libs.text.memoize import memoized
from libs.text.numbers.units import unit_named
from libs.text.numbers.words import number_words
from libs.text.tokens import is_stop_word, tokenize

_SERIES: Final = regex.compile(r"\d{1,3}|\d+(?:\.\d+)+|[IVX]{2,4}|[VX]")
"""What numbers a name: `Apollo 11`, `Python 3.11`, `Elizabeth II`; four digits are a year (taste)."""
_LARGE: Final = 3  # digits of a number that, before another word, rather counts it (taste)
_CODE: Final = regex.compile(r"\p{L}[\p{L}-]{0,8}\d[\p{L}\d-]*")
"""`AX-220`, `covid-19` (lengths: taste)."""
_SENTENCE_END: Final = regex.compile(r"[.?!:\n\"“„]")
_SHORT: Final = 3  # letters of an abbreviation with a full stop within a name (taste)
_SHOUTING: Final = 0.7  # share of capitals, more than eight, with which a text is typed in capitals (by hand)
_BEGINNING: Final = 60  # characters of it that tell (taste)


@dataclass(frozen=True, slots=True)
class Name:
    """A proper name: `text == source[start:end]`, without a title or a mark of possession."""

    text: str
    start: int
    end: int
    is_sure: bool = True
    """False for one word whose capital proves nothing: it opens a sentence, or all nouns have one."""


@memoized(texts=4096, longest=1000)  # taste
def find_names(text: str, language: str) -> tuple[Name, ...]:
    """The names of a question, sentence or passage, in order and not nested; `language` is ISO 639-1."""
    return tuple(_NameReader(text, language).read())


class _NameReader:
    """Finds the names of one text; positions are those of its tokens."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._tokens = tokenize(text)
        self._language = language
        self._forms = NameForms.of(language)
        self._grammar = Grammar.of(language)
        self._has_noun_capitals = language_of(language).capitalises_nouns

    def read(self) -> Iterator[Name]:
        """Yield the names; a text that is typed in capitals shows none."""
        start, index = self._text[:_BEGINNING], 0
        if sum(map(str.isupper, start)) > max(8, _SHOUTING * sum(map(str.isalpha, start))):
            return
        while index < len(self._tokens):
            last = index
            if self._begins(index):
                last = self._last_of_run(index)
                yield self._name(index, last)
            index = last + 1

    def _begins(self, index: int) -> bool:
        if self._is_particle(index):
            index += 1 + self._is_particle(index + 1)
        if not self._may_name(index):
            return False
        is_title = self._tokens[index].text.lower() in self._forms.titles and self._continues(index + 1)
        if is_title or self._is_determined(index):
            return False
        return not self._opens(index) or has_inner_capital(self._tokens[index].text) or not self._is_opener(index)

    def _is_particle(self, index: int) -> bool:
        is_last = index + 1 >= len(self._tokens)
        return not is_last and self._tokens[index].text in self._forms.particles and self._between(index + 1) == " "

    def _is_opener(self, index: int) -> bool:
        """Whether a word by itself begins a sentence rather than a name: `Describe`, `However`, `Walking`."""
        word = self._tokens[index].text.lower()
        by_form = self._forms.opening_form.match(word) is not None and not self._is_number(index + 1)
        return word in self._forms.openers or word in self._grammar.imperatives or by_form

    def _last_of_run(self, first: int) -> int:
        last = first
        while not self._forms.possessive.search(self._tokens[last].text):
            if self._continues(last + 1):
                last += 1
            elif self._is_joint(last + 1):
                last += 2
            else:
                break
        return last

    def _is_joint(self, index: int) -> bool:
        if not self._continues(index + 1) or self._between(index) != " " or not self._tokens[index + 1].is_capitalised:
            return False
        return self._tokens[index].text in self._forms.joints | self._forms.particles

    def _continues(self, index: int) -> bool:
        """Whether a word or number belongs to the name before it."""
        if not 0 < index < len(self._tokens) or not self._adjoins(index):
            return False
        return self._may_name(index) or (self._is_number(index) and not self._is_count(index))

    def _adjoins(self, index: int) -> bool:
        """Whether a word follows the one before it after a space, or the full stop of an initial or title."""
        before, between = self._tokens[index - 1].text, self._between(index)
        if between != ". ":
            return between == " "
        return before[0].isupper() and (len(before) == 1 or (len(before) <= _SHORT and not before.isupper()))

    def _is_number(self, index: int) -> bool:
        return index < len(self._tokens) and _SERIES.fullmatch(self._tokens[index].text) is not None

    def _is_count(self, index: int) -> bool:
        """Whether a number counts what follows: `190 euros`, `12 junge Pinguine`, `3 million`, `20 %`."""
        words = self._tokens[index + 1 : index + 3]
        if not words or self._between(index + 1) != " ":
            end = self._tokens[index].end
            return self._text[end : end + 2].strip()[:1] in {"%", "°"}
        word, language = words[0].text, self._language
        number = self._tokens[index].text
        is_large = number.isdecimal() and len(number) >= _LARGE and not is_stop_word(word, language)
        is_adjective = self._forms.opening_form.match(word) is not None and words[-1].is_capitalised
        is_noun = self._has_noun_capitals and (words[0].is_capitalised or is_adjective)
        return is_large or is_noun or unit_named(word, language) is not None or word.lower() in number_words(language)

    def _may_name(self, index: int) -> bool:
        """Whether a word may be part of a name."""
        word = self._tokens[index].text
        if not is_name_word(word, self._language):
            return False
        if index == 0 or not self._tokens[index - 1].is_number:
            return True
        return not (unit_named(word, self._language) or unit_named(f"°{word}", self._language))

    def _is_determined(self, index: int) -> bool:
        """Whether a determiner makes a word a noun before a name: `die Sonde Luna 9`."""
        if not self._has_noun_capitals or index == 0:
            return False
        is_determined = self._tokens[index - 1].text.lower() in self._grammar.determiners
        return is_determined and self._continues(index + 1) and self._continues(index + 2)

    def _name(self, first: int, last: int) -> Name:
        start, end = self._tokens[first].start, self._tokens[last].end
        name = self._forms.possessive.sub("", self._text[start:end])
        is_doubtful = (self._opens(first) or self._has_noun_capitals) and not has_inner_capital(name)
        has_title = first > 0 and self._adjoins(first) and self._tokens[first - 1].text.lower() in self._forms.titles
        is_sure = first < last or has_title or not is_doubtful or name.lower() in place_names(self._language)
        return Name(name, start, start + len(name), is_sure)

    def _opens(self, index: int) -> bool:
        """Whether a word opens a sentence."""
        return index == 0 or (_SENTENCE_END.search(self._between(index)) is not None and not self._adjoins(index))

    def _between(self, index: int) -> str:
        """The text between a token and the one before it."""
        return self._text[self._tokens[index - 1].end : self._tokens[index].start]


def has_inner_capital(word: str) -> bool:
    """Whether a part of a word has a capital after its first letter, or a digit: `NASA`, `SpaceX`; not `Mond-Rover`."""
    return any(not character.islower() for part in word.split("-") for character in part[1:] if character.isalnum())


@lru_cache(maxsize=16_384)  # taste
def is_name_word(word: str, language: str) -> bool:
    """Whether a word, as written, may be part of a name: it has a capital or is a code, and is no common word."""
    forms, calendar, lower = NameForms.of(language), Calendar.of(language), word.lower()
    if word in forms.capitals:
        return True
    is_written = any(map(str.isupper, word)) or _CODE.fullmatch(word) is not None
    if not is_written or word[0].isdigit() or word in NounPhrases.of(language).capital_pronouns:
        return False
    is_number = number_words(language).issuperset(lower.split("-"))
    is_common = word in forms.abbreviations or forms.common_noun.fullmatch(word) is not None or is_number
    return not (is_common or is_stop_word(word, language) or lower in calendar.months or lower in calendar.weekdays)
