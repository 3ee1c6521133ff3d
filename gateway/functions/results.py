"""The result of a function as a short answer in words."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, TypeAlias

from gateway.functions.quantities import Quantity
from libs.language.known import ENGLISH, language_of
from libs.language.topics.numbers import Numbers, Units

_DIGITS: Final = 6
"""Significant digits of a result that is not an integer."""
_PERCENT: Final = "%"


@dataclass(frozen=True, slots=True)
class WholeUnits:
    """A number of whole units, from `least` to `most` if it is uncertain."""

    least: int
    most: int
    unit: str


Result: TypeAlias = bool | str | Quantity | WholeUnits
"""A truth value, a name or year, or a number."""


def in_words(result: Result, language: str) -> str:
    """Return a result in a language, ISO 639-1; in one whose words for it are unknown, the English words."""
    match result:
        case bool():
            known = language_of(language)
            words = known if known.affirmations and known.denials else language_of(ENGLISH)
            return words.affirmations[0] if result else words.denials[0]
        case str():
            return result
        case WholeUnits(least, most, unit):
            number = str(least) if least == most else f"{least} {_range_word(language)} {most}"
            return f"{number} {_unit(unit, Decimal(most), language)}"
        case Quantity(value, unit):
            number = _number(value, language)
            return f"{number} {_unit(unit, value, language)}" if unit else number


def _number(value: Decimal, language: str) -> str:
    """Format a number with thousands separators; one that is not an integer has at most six significant digits."""
    rounded = value if value == value.to_integral_value() else Decimal(f"{value:.{_DIGITS}g}")
    digits = f"{rounded:,f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    numbers = Numbers.of(language)
    marks = (numbers.thousands_marks[:1], numbers.decimal_mark) if numbers.decimal_mark else (",", ".")
    return "".join({",": marks[0], ".": marks[1]}.get(character, character) for character in digits)


def _range_word(language: str) -> str:
    return next(iter(Numbers.of(language).range_words or Numbers.of(ENGLISH).range_words))


def _unit(unit: str, value: Decimal, language: str) -> str:
    """Return `years` for `year`: units that are words have a plural."""
    if unit == "percent":
        return _PERCENT
    words = Units.of(language)
    if not words.several:
        words = Units.of(ENGLISH)
    return (words.one if abs(value) == 1 else words.several).get(unit, unit)
