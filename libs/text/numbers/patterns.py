"""The pattern of a quantity in a language: digits or words, then scale and unit. Repeats of up to 20: taste."""

import re
from dataclasses import dataclass
from functools import lru_cache

from libs.language.patterns import NEVER, any_of
from libs.language.topics.numbers import Numbers, Units
from libs.text.numbers.units import MONEY_SIGNS, SYMBOLS
from libs.text.numbers.words import number_words

_THIN_SPACES = "[\u00a0\u2009\u202f]"


@dataclass(frozen=True, slots=True)
class NumberPatterns:
    """The patterns of numbers in a language."""

    number: re.Pattern[str]
    range_to: re.Pattern[str]
    """What is between the ends of a range."""
    clue: re.Pattern[str]
    """A digit or word with which a number begins."""


@lru_cache(maxsize=64)  # taste
def number_patterns(language: str) -> NumberPatterns:
    """The patterns of a language."""
    numbers, words = Numbers.of(language), number_words(language)
    openings = any_of(words | {half.split()[0] for half in numbers.halves})
    ending = "" if numbers.joined else r"(?![^\W\d_])"
    return NumberPatterns(
        _number(numbers, Units.of(language), words),
        re.compile(rf"\s?(?:[-–—]|{any_of(numbers.range_words)})\s?\Z"),
        re.compile(rf"\d|(?<![^\W\d_])(?i:{openings}){ending}"),
    )


def _number(numbers: Numbers, units: Units, words: frozenset[str]) -> re.Pattern[str]:
    digits, scale = _digits(numbers), any_of({*numbers.multipliers, *numbers.scales})
    magnitude = any_of({*numbers.multipliers, *numbers.scales, *numbers.short_scales})
    return re.compile(
        rf"""
        (?P<money>(?:US|A|C)?[{MONEY_SIGNS}]\s?)?
        (?P<value>
          (?<![\w.,/:\-–]) (?P<sign>[-−+](?=[\d.])|(?i:{any_of(numbers.minus)})[ ](?=[\d.]))?
          (?P<digits>{digits}) (?!\d|[.,/:]\d|-\d+-\d|-[^\W\d_]+\d)
        | (?<=\d[-–—]) (?<!\d-\d\d-) (?P<range_end>{digits}) (?!\d|[.,/:\-–]\d)
        | (?<![\w\-]) (?P<words>(?i:{_spelled(numbers, words, scale)})) (?!\w)
        )
        (?:[ \u00a0-]?(?P<magnitude>(?i:{magnitude})(?!\w)))?
        (?:[ \u00a0-]?(?P<unit>{_unit(units)}))?
        """,
        re.VERBOSE,
    )


def _digits(numbers: Numbers) -> str:
    """Digits with separators."""
    decimal = re.escape(numbers.decimal_mark)
    fraction = rf"{decimal}\d+" if decimal else r"[.,](?!\d{3}(?!\d))\d+"
    marks = [*map(re.escape, numbers.thousands_marks), _THIN_SPACES]
    with_separators = "|".join(rf"\d{{1,3}}(?:{mark}\d{{3}})+(?:{fraction})?" for mark in marks)
    return rf"{with_separators}|\d+(?:{fraction})?|{fraction}"


def _spelled(numbers: Numbers, words: frozenset[str], scale: str) -> str:
    """A number in words."""
    word, conjunction, half = any_of(words), any_of(numbers.conjunctions), any_of(numbers.halves)
    opening = rf"{half}(?=[ ][^\W\d_])(?![ ]{scale})|(?:(?:{half}|{any_of(numbers.articles)})[ ](?={scale}))?"
    if numbers.joined:
        return rf"{opening}{word}(?:(?:[ -]|{conjunction})?{word}){{0,20}}"
    after_scale = "|".join(f"(?<={re.escape(name)})" for name in (*numbers.multipliers, *numbers.scales)) or NEVER
    return rf"{opening}{word}(?:(?:[ -]|(?:{after_scale})[ ]{conjunction}[ ]){word})*"


def _unit(units: Units) -> str:
    """A symbol or phrase with a character that is no letter, or any word: which are units, the table says."""
    phrases = {phrase for spellings in units.spellings.values() for phrase in spellings if not phrase.isalpha()}
    symbols = {symbol for symbol in SYMBOLS if not symbol.isalpha()}
    return rf"(?:{any_of(symbols)}|(?i:{any_of(phrases)}))(?!\w)|[^\W\d_]+"
