"""Functions over numbers with units. A result has the unit of the first argument."""

from collections.abc import Sequence
from decimal import Decimal

from gateway.functions.faults import FunctionFailed
from gateway.functions.quantities import Quantity, converted


def is_greater(one: Quantity, other: Quantity) -> bool:
    """Whether the first number is greater."""
    return one.value > converted(other, one.unit).value


def is_less(one: Quantity, other: Quantity) -> bool:
    """Whether the first number is less."""
    return one.value < converted(other, one.unit).value


def greatest(*quantities: tuple[str, Quantity]) -> str:
    """Return the name with the greatest number.

    Raises:
        FunctionFailed: two numbers are the same, or have different dimensions.
    """
    return _outermost(quantities, least=False)


def least(*quantities: tuple[str, Quantity]) -> str:
    """Return the name with the least number.

    Raises:
        FunctionFailed: as `greatest`.
    """
    return _outermost(quantities, least=True)


def add(*terms: Quantity) -> Quantity:
    """Return the sum."""
    unit = terms[0].unit
    return Quantity(sum((converted(term, unit).value for term in terms), Decimal()), unit)


def subtract(one: Quantity, other: Quantity) -> Quantity:
    """Return the first minus the second."""
    return Quantity(one.value - converted(other, one.unit).value, one.unit)


def multiply(one: Quantity, other: Quantity) -> Quantity:
    """Return the product; at least one of the two must be a bare number.

    Raises:
        FunctionFailed: both have a unit.
    """
    if one.unit and other.unit:
        raise FunctionFailed(f"{one} and {other} both have a unit")
    return Quantity(one.value * other.value, one.unit or other.unit)


def divide(one: Quantity, other: Quantity) -> Quantity:
    """Return the ratio of the two; if the second is a bare number, the result keeps the first one's unit.

    Raises:
        FunctionFailed: the second is 0, or has another dimension.
    """
    if other.value == 0:
        raise FunctionFailed("nothing can be divided by 0")
    if other.unit is None:
        return Quantity(one.value / other.value, one.unit)
    return Quantity(one.value / converted(other, one.unit).value)


def convert(quantity: Quantity, unit: str) -> Quantity:
    """Return the quantity in another unit."""
    return converted(quantity, unit)


def count(*names: str) -> Quantity:
    """Return the number of distinct answers, ignoring case and white space."""
    return Quantity(Decimal(len({" ".join(name.lower().split()) for name in names})))


def _outermost(quantities: Sequence[tuple[str, Quantity]], least: bool) -> str:
    best_name, best = quantities[0]
    for name, quantity in quantities[1:]:
        value = converted(quantity, best.unit).value
        if value == best.value:
            raise FunctionFailed(f"“{best_name}” and “{name}” are the same in this")
        if (value < best.value) is least:
            best_name, best = name, quantity
    return best_name
