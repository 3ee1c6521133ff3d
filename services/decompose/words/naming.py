"""Finds proper names, numbered names, places and dates by capitals, numbers and a list of places, read once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libs.language.calendar_names import full_month_names
from libs.language.files import place_names
from libs.language.known import language_of
from libs.language.topics.grammar import Grammar, Inflection, NounPhrases
from libs.text.dates.date_readings import FIRST_YEAR, LAST_YEAR
from libs.text.tokens import Token, is_stop_word
from services.decompose.words.grammar import base_form

LONGEST = 3
"""Maximum length of a place name, in words (taste)."""


def is_place(name: str, language: str) -> bool:
    """Whether a name, in any case and without its article, is a listed place."""
    return name.lower() in place_names(language)


def may_begin_place(word: str, language: str) -> bool:
    """Whether a listed place begins with a word, in any case."""
    return word.lower() in _first_words(language)


@lru_cache(maxsize=64)  # taste
def _first_words(language: str) -> frozenset[str]:
    return frozenset(name.split()[0] for name in place_names(language))


ROMAN = frozenset(("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"))  # end: taste
_SHOUTING = 0.7
"""Share of capital letters above which a text with more than eight counts as typed in capitals (both by hand)."""
_MAX_SHORT = 3
"""Maximum letters of an abbreviation with a full stop within a name (taste)."""


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A run of tokens that is a name, from `first` to `last` inclusive."""

    first: int
    last: int
    is_place: bool = False
    is_numbered: bool = False
    is_date: bool = False


def find_names(text: str, tokens: Sequence[Token], known_names: frozenset[str], language: str) -> tuple[NameSpan, ...]:
    """Return the names of a text, in order and not nested.

    Args:
        known_names: words that are names elsewhere in the conversation.
        language: ISO 639-1.
    """
    return tuple(_names(_NameReader(text, tokens, known_names, language)))


def _names(reader: "_NameReader") -> Iterator[NameSpan]:
    index = 0
    while index < len(reader.tokens):
        name = reader.name_at(index)
        if name:
            yield name
        index = name.last + 1 if name else index + 1


class _NameReader:
    """Finds the names among the tokens of one text."""

    def __init__(self, text: str, tokens: Sequence[Token], known_names: frozenset[str], language: str) -> None:
        self.tokens = tokens
        self._text = text
        self._language = language
        self._grammar = Grammar.of(language)
        self._words = NounPhrases.of(language)
        self._marks = Inflection.of(language).possessive_marks
        self._months = full_month_names(language)
        self._known_names = known_names
        self._digits = [token.text.isdecimal() for token in tokens]
        capitals = sum(map(str.isupper, text))
        self._is_shouted = capitals > 8 and capitals > _SHOUTING * sum(map(str.isalpha, text))

    def name_at(self, index: int) -> NameSpan | None:
        """Return the name that begins at a token; None if there is none."""
        if self._digits[index]:
            return self.date_at(index)
        if not self.tokens[index].text.islower():
            return self.date_at(index) or self.capitals_at(index) or self.place_at(index)
        beside_number = (index and self._digits[index - 1]) or self._is_digits(index + 1)
        number_follows = self.numbered_at(index) if self._is_digits(index + 1) else None
        return (self.date_at(index) if beside_number else None) or self.place_at(index) or number_follows

    def date_at(self, index: int) -> NameSpan | None:
        """Return a year, or a month with the numbers around it; None if there is none."""
        last = index
        if self._is_month(index) or (self._is_day(index) and self._is_month(index + 1)):
            while self._is_month(last + 1) or (self._is_digits(last + 1) and self._gap(last).strip() in {"", ","}):
                last += 1
            return NameSpan(index, last, is_date=True)
        return NameSpan(index, index, is_date=True) if self._is_year(index) else None

    def capitals_at(self, index: int) -> NameSpan | None:
        """Return a run of capitalized words, which may include numbers and an inner "of"; None if there is none."""
        if self._is_shouted or not self._begins_name(index):
            return None
        last = index
        while True:
            if self.tokens[last].text.endswith(self._marks):
                break
            if self._continues_name(last + 1) and self._joins(last):
                last += 1
            elif self._is_inner_of(last + 1):
                last += 2
            else:
                break
        return self._name(index, last)

    def _joins(self, index: int) -> bool:
        """Whether a token and the next may be one name: `J. Smith`, `St. Louis`, not `to Parquet. Known problem`."""
        gap = self._gap(index)
        return gap in {" ", "-"} or (gap == ". " and len(self.tokens[index].text) <= _MAX_SHORT)

    def place_at(self, index: int) -> NameSpan | None:
        """Return a listed place, in any case; None if there is none."""
        if not may_begin_place(self.tokens[index].text, self._language):
            return None
        for last in range(min(index + LONGEST, len(self.tokens)) - 1, index - 1, -1):
            words = " ".join(token.text for token in self.tokens[index : last + 1])
            if is_place(words, self._language) and words.lower() not in self._words.not_places:
                return NameSpan(index, last, is_place=True)
        return None

    def numbered_at(self, index: int) -> NameSpan | None:
        """Return a lower-case word with a number of at most two digits (taste): "viking 1"; None without one."""
        word = self.tokens[index].text.lower()
        is_word = word.isalpha() and not self._is_common(word) and self._gap(index) in {" ", "-"}
        if is_word and self._is_digits(index + 1) and len(self.tokens[index + 1].text) <= 2:
            following = self.tokens[index + 2].text.lower() if index + 2 < len(self.tokens) else ""
            return None if following in self._grammar.units else NameSpan(index, index + 1, is_numbered=True)
        return None

    def _is_common(self, word: str) -> bool:
        """Whether a lower-case word forms no name with a number after it: `since 1 March`."""
        no_name = word in self._grammar.prepositions or word in self._grammar.units or word in self._words.not_numbered
        return no_name or is_stop_word(word, self._language) or base_form(word, self._language) is not None

    def _name(self, first: int, last: int) -> NameSpan:
        words = " ".join(self._without_mark(token.text) for token in self.tokens[first : last + 1])
        numbered = last > first and (self.tokens[last].is_number or self.tokens[last].text in ROMAN)
        return NameSpan(first, last, is_place=is_place(words, self._language), is_numbered=numbered)

    def _without_mark(self, word: str) -> str:
        """A word without the mark of a possessor."""
        return next((word.removesuffix(mark) for mark in self._marks if word.endswith(mark)), word)

    def _begins_name(self, index: int) -> bool:
        token = self.tokens[index]
        if not self._is_capitalised_word(index):
            return False
        if language_of(self._language).capitalises_nouns and token.text[1:] == token.text[1:].lower():
            return self._begins_run(index, may_be_short=not self._opens_sentence(index))
        if not self._opens_sentence(index) or token.text[1:] != token.text[1:].lower():
            return True
        if token.text.lower() in self._grammar.imperatives:
            return False
        return self._begins_run(index)

    def _begins_run(self, index: int, may_be_short: bool = False) -> bool:
        """Whether a capitalised word, or a short form with a full stop, is a name by the next word, or known as one."""
        word = self.tokens[index].text
        joins = self._joins(index) if may_be_short else self._gap(index) in {" ", "-"}
        followed = joins and self._continues_name(index + 1)
        return followed or is_place(word, self._language) or self._without_mark(word) in self._known_names

    def _continues_name(self, index: int) -> bool:
        if index >= len(self.tokens):
            return False
        token = self.tokens[index]
        return self._is_capitalised_word(index) or token.text in ROMAN or (token.is_number and not self._is_year(index))

    def _is_capitalised_word(self, index: int) -> bool:
        text = self.tokens[index].text
        is_pronoun = text in self._words.capital_pronouns or "'" in text[:2]
        if is_pronoun or not any(character.isupper() for character in text):
            return False
        return not is_stop_word(text, self._language) or text in self._words.capitals

    def _is_inner_of(self, index: int) -> bool:
        return (
            index + 1 < len(self.tokens)
            and self.tokens[index].text in self._words.name_joints
            and self._gap(index - 1) == self._gap(index) == " "
            and self._is_capitalised_word(index + 1)
            and self.tokens[index - 1].text[0].isupper()
        )

    def _opens_sentence(self, index: int) -> bool:
        return index == 0 or any(mark in self._gap(index - 1) for mark in '.?!:\n"“')

    def _gap(self, index: int) -> str:
        """The text between a token and the next."""
        if not 0 <= index < len(self.tokens) - 1:
            return ""
        return self._text[self.tokens[index].end : self.tokens[index + 1].start]

    def _is_month(self, index: int) -> bool:
        if not 0 <= index < len(self.tokens):
            return False
        word = self.tokens[index].text
        beside_number = self._is_digits(index - 1) or self._is_digits(index + 1)
        is_other_word = index == 0 and word in self._words.ambiguous_months
        return word.lower() in self._months and (word[0].isupper() or beside_number) and not is_other_word

    def _is_digits(self, index: int) -> bool:
        return 0 <= index < len(self._digits) and self._digits[index]

    def _is_day(self, index: int) -> bool:
        return self._is_digits(index) and int(self.tokens[index].text) <= 31

    def _is_year(self, index: int) -> bool:
        return (
            self._is_digits(index)
            and len(self.tokens[index].text) == 4
            and FIRST_YEAR <= int(self.tokens[index].text) <= LAST_YEAR
        )
