"""Finds proper names, numbered names, places and dates by capitals, numbers and a list of places."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libs.text.calendar_words import FIRST_YEAR, LAST_YEAR
from libs.text.tokens import Token, is_stop_word
from services.decompose.words.grammar import IMPERATIVES, MONTHS, PREPOSITIONS, UNITS, base_form
from services.decompose.words.places import LONGEST, is_place, may_begin_place

ROMAN = frozenset(("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"))
_SHOUTING = 0.7
"""Share of capital letters above which a text counts as typed in all capitals."""
_NO_NAMES = PREPOSITIONS | UNITS | {"top", "first", "last"}
"""Lower-case words that form no name with a following number: `since 1 March`."""
_LONGEST_SHORT = 3
"""Maximum letters of an abbreviation with a full stop within a name."""


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A run of tokens that is a name, from `first` to `last` inclusive."""

    first: int
    last: int
    is_place: bool = False
    is_numbered: bool = False
    is_date: bool = False


def find_names(text: str, tokens: Sequence[Token], known_names: frozenset[str]) -> tuple[NameSpan, ...]:
    """Return the names of a text, in order and not nested.

    Args:
        known_names: words that are names elsewhere in the conversation.
    """
    return tuple(_names(_NameReader(text, tokens, known_names)))


def _names(reader: "_NameReader") -> Iterator[NameSpan]:
    index = 0
    while index < len(reader.tokens):
        name = reader.name_at(index)
        if name:
            yield name
        index = name.last + 1 if name else index + 1


class _NameReader:
    """Finds the names among the tokens of one text."""

    def __init__(self, text: str, tokens: Sequence[Token], known_names: frozenset[str]) -> None:
        self.tokens = tokens
        self._text = text
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
            if self._is_possessive(last):
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
        return gap in {" ", "-"} or (gap == ". " and len(self.tokens[index].text) <= _LONGEST_SHORT)

    def place_at(self, index: int) -> NameSpan | None:
        """Return a listed place, in any case; None if there is none."""
        if not may_begin_place(self.tokens[index].text):
            return None
        for last in range(min(index + LONGEST, len(self.tokens)) - 1, index - 1, -1):
            words = " ".join(token.text for token in self.tokens[index : last + 1])
            if is_place(words) and words.lower() not in {"us", "io"}:
                return NameSpan(index, last, is_place=True)
        return None

    def numbered_at(self, index: int) -> NameSpan | None:
        """Return a lower-case word with a number of one or two digits, such as "viking 1"; None if there is none."""
        word = self.tokens[index].text.lower()
        common = is_stop_word(word) or word in _NO_NAMES or base_form(word) is not None
        is_word = word.isalpha() and not common and self._gap(index) in {" ", "-"}
        if is_word and self._is_digits(index + 1) and len(self.tokens[index + 1].text) <= 2:
            following = self.tokens[index + 2].text.lower() if index + 2 < len(self.tokens) else ""
            return None if following in UNITS else NameSpan(index, index + 1, is_numbered=True)
        return None

    def _name(self, first: int, last: int) -> NameSpan:
        words = " ".join(token.text.removesuffix("'s").removesuffix("’s") for token in self.tokens[first : last + 1])
        numbered = last > first and (self.tokens[last].is_number or self.tokens[last].text in ROMAN)
        return NameSpan(first, last, is_place=is_place(words), is_numbered=numbered)

    def _begins_name(self, index: int) -> bool:
        token = self.tokens[index]
        if not self._is_capitalised_word(index):
            return False
        if not self._opens_sentence(index) or token.text[1:] != token.text[1:].lower():
            return True
        if token.text.lower() in IMPERATIVES:
            return False
        followed = self._gap(index) in {" ", "-"} and self._continues_name(index + 1)
        return followed or is_place(token.text) or token.text.removesuffix("'s") in self._known_names

    def _continues_name(self, index: int) -> bool:
        if index >= len(self.tokens):
            return False
        token = self.tokens[index]
        return self._is_capitalised_word(index) or token.text in ROMAN or (token.is_number and not self._is_year(index))

    def _is_capitalised_word(self, index: int) -> bool:
        text = self.tokens[index].text
        if text == "I" or "'" in text[:2] or not any(character.isupper() for character in text):
            return False
        return not is_stop_word(text) or text in {"US", "U.S.", "UK"}

    def _is_possessive(self, index: int) -> bool:
        return self.tokens[index].text.endswith(("'s", "’s"))

    def _is_inner_of(self, index: int) -> bool:
        return (
            index + 1 < len(self.tokens)
            and self.tokens[index].text == "of"
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
        return word.lower() in MONTHS and (word[0].isupper() or beside_number) and (word != "May" or index > 0)

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
