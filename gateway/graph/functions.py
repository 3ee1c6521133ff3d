"""Runs a node's function over short answers, and says the result in words. Pure functions.

The arguments are parsed by the function's signature (`libs.graph.signatures`).
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from itertools import cycle
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from gateway.graph import dates, quantities
from gateway.graph.dates import Stretch, WholeUnits, read_stretch
from gateway.graph.faults import FunctionFailed
from gateway.graph.quantities import Quantity, read_quantity, read_unit
from libs.contracts.query import FunctionCall
from libs.graph.signatures import SIGNATURES, ArgumentKind, fault_of
from libs.language.known import ENGLISH, language_of
from libs.language.topics.numbers import Numbers, Units

Result: TypeAlias = bool | str | Quantity | WholeUnits
"""A truth value, a name or year, or a number."""

V = TypeVar("V", Stretch, Quantity)


def _outermost(*named_values: tuple[str, V], last: bool) -> str:
    """Return the name with the latest date or the greatest number, or with the earliest or least one.

    Raises:
        FunctionFailed: two values are the same, or cannot be compared.
    """
    best_name, best = named_values[0]
    for name, value in named_values[1:]:
        order = best.compare(value)
        if order == 0:
            kind = "date" if isinstance(value, Stretch) else "value"
            raise FunctionFailed(f"“{best_name}” and “{name}” have the same {kind}")
        if (order < 0) is last:
            best_name, best = name, value
    return best_name


def _comes_first(one: V, other: V) -> bool:
    return one.compare(other) < 0


def _comes_last(one: V, other: V) -> bool:
    return one.compare(other) > 0


FUNCTIONS: Final[Mapping[str, Callable[..., Result]]] = MappingProxyType(
    {
        "date_difference": dates.date_difference,
        "is_before": _comes_first,
        "is_after": _comes_last,
        "earliest": partial(_outermost, last=False),
        "latest": partial(_outermost, last=True),
        "year_of": dates.year_of,
        "is_greater": _comes_last,
        "is_less": _comes_first,
        "greatest": partial(_outermost, last=True),
        "least": partial(_outermost, last=False),
        "add": quantities.add,
        "subtract": quantities.subtract,
        "multiply": quantities.multiply,
        "divide": quantities.divide,
        "count": quantities.count,
        "convert": quantities.convert,
    }
)
"""One function for each name in `libs.graph.signatures`."""
_DIGITS: Final = 6
"""Significant digits of a result that is not an integer: taste."""
_PERCENT: Final = "%"


def _name(text: str, _language: str) -> str:
    name = text.strip()
    if not name:
        raise FunctionFailed("a name is missing")
    return name


_READERS: Final[Mapping[ArgumentKind, Callable[[str, str], Any]]] = MappingProxyType(
    {
        ArgumentKind.NAME: _name,
        ArgumentKind.DATE: read_stretch,
        ArgumentKind.NUMBER: read_quantity,
        ArgumentKind.UNIT: read_unit,
    }
)


def compute(call: FunctionCall, language: str) -> str:
    """Return a function's result as a short answer; its arguments are text with every `#id` filled in.

    Args:
        call: the function and its arguments.
        language: of the arguments and the result, ISO 639-1.

    Raises:
        FunctionFailed: the function isn't registered, or its arguments are too few, too many, unparsable, or
            incompatible with it.
    """
    if fault := fault_of(call):
        raise FunctionFailed(fault)
    kinds = SIGNATURES[call.name].arguments
    values = [_READERS[kind](argument, language) for kind, argument in zip(cycle(kinds), call.arguments, strict=False)]
    width = len(kinds)
    if SIGNATURES[call.name].repeats and width > 1:
        values = [tuple(values[start : start + width]) for start in range(0, len(values), width)]
    return in_words(FUNCTIONS[call.name](*values), language)


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
            to = next(iter(Numbers.of(language).range_words or Numbers.of(ENGLISH).range_words))
            number = str(least) if least == most else f"{least} {to} {most}"
            return f"{number} {_unit(unit, Decimal(most), language)}"
        case Quantity(value, unit):
            number = _number(value, language)
            return f"{number} {_unit(unit, value, language)}" if unit else number


def _number(value: Decimal, language: str) -> str:
    """Format a number with thousands separators; one that is not an integer has at most `_DIGITS` digits."""
    rounded = value if value == value.to_integral_value() else Decimal(f"{value:.{_DIGITS}g}")
    digits = f"{rounded:,f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    numbers = Numbers.of(language)
    marks = (numbers.thousands_marks[:1], numbers.decimal_mark) if numbers.decimal_mark else (",", ".")
    return "".join({",": marks[0], ".": marks[1]}.get(character, character) for character in digits)


def _unit(unit: str, value: Decimal, language: str) -> str:
    """Return `years` for `year`: units that are words have a plural."""
    if unit == "percent":
        return _PERCENT
    words = Units.of(language)
    if not words.several:
        words = Units.of(ENGLISH)
    return (words.one if abs(value) == 1 else words.several).get(unit, unit)
