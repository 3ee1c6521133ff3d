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
from itertools import zip_longest

from libs.language.topics.numbers import Numbers
from libs.runtime.threads import raise_if_cancelled
from libs.text.memoize import memoized
from libs.text.numbers.patterns import number_patterns
from libs.text.numbers.units import unit_named
from libs.text.numbers.words import value_of_words

_BEFORE_CLUE = 12
"""Most characters of a number before its first digit or number word: `US$ minus 5` (taste)."""


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
