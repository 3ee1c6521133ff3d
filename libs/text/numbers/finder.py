"""Finds numbers with their values and units: `1,500 km`, `3.5 million`, `$2.4bn`, `12 %`, `twenty-one days`.

Decimal marks and separators of thousands are those of the language (`libs.language.topics.numbers`). Numbers inside
words and codes (`COVID-19`, `x86`, `1.2.3`) are ignored, as is a bare `one`, which is mostly a pronoun. Digits of dates
are found too; callers that don't want them exclude the spans of `libs.text.dates.document_dates`. WorkCancelled is
raised in a thread whose work nobody waits for.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import zip_longest

from libs.language.patterns import NEVER, any_of
from libs.language.topics.numbers import Numbers, Units
from libs.runtime.threads import raise_if_cancelled
from libs.text.memoize import memoized
from libs.text.numbers.units import MONEY_SIGNS, SYMBOLS, unit_named
from libs.text.numbers.words import number_words, value_of_words

_THIN_SPACES = "[\u00a0\u2009\u202f]"
_BEFORE_CLUE = 12
"""Most characters of a number before its first digit or number word: `US$ minus 5` (taste)."""


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


@dataclass(frozen=True, slots=True)
class Number:
    """A quantity with its span, which includes the unit and currency sign."""

    value: Decimal
    unit: str | None
    """A unit name of `libs.text.numbers.units`; None for a bare count."""
    start: int
    end: int


@memoized(texts=2048, longest=1000)  # taste
def find_numbers(text: str, language: str) -> tuple[Number, ...]:
    """The numbers of a text, in order and without overlaps.

    In a range (`10-20 km`, `five to ten days`) the first number takes the second one's unit.
    """
    return tuple(_with_shared_units(text, list(_read_all(text, language)), language))


def _read_all(text: str, language: str) -> Iterator[Number]:
    """Search only near digits and number words, since the pattern is slow."""
    patterns, position = number_patterns(language), 0
    while clue := patterns.clue.search(text, position):
        raise_if_cancelled()
        match = patterns.number.search(text, max(position, clue.start() - _BEFORE_CLUE))
        if match is None:
            break
        number = _read(match, language)
        # A following word that is not a unit may be the next number: `Voyager 2 nine degrees`.
        position = number.end if number else _end_of_value(match)
        if number:
            yield number


def _read(match: re.Match[str], language: str) -> Number | None:
    """The number; None if the match is a pronoun or an article."""
    numbers, magnitude = Numbers.of(language), match["magnitude"]
    value, unit = _value(match, language), unit_named(" ".join((match["unit"] or "").split()), language)
    end = match.end("unit") if unit else _end_of_value(match)
    if magnitude and len(magnitude) == 1 and not match["money"]:
        # `5 m` is metres and `5 k` has no known unit, while `$5m` is millions.
        unit, end = unit_named(magnitude, language), match.end("magnitude")
        magnitude, end = None, end if unit else match.end("value")
    if magnitude:
        value *= {**numbers.multipliers, **numbers.scales, **numbers.short_scales}[magnitude.lower()]
    if match["money"]:
        unit, end = unit_named(match["money"].strip()[-1], language), _end_of_value(match)
    words = (match["words"] or "").lower()
    is_pronoun = words in (*numbers.halves, *numbers.pronouns) and not (unit or magnitude)
    return None if is_pronoun or words in numbers.articles else Number(value, unit, match.start(), end)


def _value(match: re.Match[str], language: str) -> Decimal:
    if match["words"]:
        return value_of_words(match["words"], language)
    numbers = Numbers.of(language)
    digits = re.sub(rf"[\s{re.escape(numbers.thousands_marks)}]", "", match["digits"] or match["range_end"])
    value = Decimal(digits.replace(numbers.decimal_mark or ",", "."))
    return -value if match["sign"] and match["sign"] != "+" else value


def _end_of_value(match: re.Match[str]) -> int:
    return max(match.end("magnitude"), match.end("value"))


def _with_shared_units(text: str, numbers: list[Number], language: str) -> Iterator[Number]:
    range_to = number_patterns(language).range_to
    for number, following in zip_longest(numbers, numbers[1:]):
        gap = text[number.end : following.start] if following else ""
        if following and number.unit is None and following.unit and range_to.match(gap):
            yield Number(number.value, following.unit, number.start, number.end)
        else:
            yield number
