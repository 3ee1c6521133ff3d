"""Functions over numbers with units. A result has the unit of the first argument."""

from collections.abc import Sequence
from decimal import Decimal

from gateway.functions.faults import FunctionFailed
from gateway.functions.quantities import Quantity, converted


def is_greater(one: Quantity, other: Quantity) -> str:
    """`yes` or `no`."""
    return "yes" if one.value > converted(other, one.unit).value else "no"


def is_less(one: Quantity, other: Quantity) -> str:
    """`yes` or `no`."""
    return "yes" if one.value < converted(other, one.unit).value else "no"


def greatest(*named: tuple[str, Quantity]) -> str:
    """The name with the greatest number.

    Raises:
        FunctionFailed: two numbers are the same, or of different sorts.
    """
    return _outermost(named, least=False)


def least(*named: tuple[str, Quantity]) -> str:
    """The name with the least number.

    Raises:
        FunctionFailed: as `greatest`.
    """
    return _outermost(named, least=True)


def add(*terms: Quantity) -> str:
    """The sum."""
    unit = terms[0].unit
    return str(Quantity(sum((converted(term, unit).value for term in terms), Decimal()), unit))


def subtract(one: Quantity, other: Quantity) -> str:
    """The first less the second."""
    return str(Quantity(one.value - converted(other, one.unit).value, one.unit))


def multiply(one: Quantity, other: Quantity) -> str:
    """The product; one of the two must be a bare number.

    Raises:
        FunctionFailed: both have a unit.
    """
    if one.unit and other.unit:
        raise FunctionFailed(f"{one} and {other} both have a unit")
    return str(Quantity(one.value * other.value, one.unit or other.unit))


def divide(one: Quantity, other: Quantity) -> str:
    """How many times the second the first is; with a bare second number, the first in so many parts.

    Raises:
        FunctionFailed: the second is 0, or of another sort.
    """
    if other.value == 0:
        raise FunctionFailed("nothing can be divided by 0")
    if other.unit is None:
        return str(Quantity(one.value / other.value, one.unit))
    return str(Quantity(one.value / converted(other, one.unit).value))


def convert(quantity: Quantity, unit: str) -> str:
    """In another unit."""
    return str(converted(quantity, unit))


def count(*named: str) -> str:
    """How many different answers there are."""
    return str(len({" ".join(name.lower().split()) for name in named}))


def _outermost(named: Sequence[tuple[str, Quantity]], least: bool) -> str:
    best_name, best = named[0]
    for name, quantity in named[1:]:
        value = converted(quantity, best.unit).value
        if value == best.value:
            raise FunctionFailed(f"“{best_name}” and “{name}” are the same in this")
        if (value < best.value) is least:
            best_name, best = name, quantity
    return best_name
