"""Numbers with units in short answers, and pure functions over them, whose result has the first one's unit."""

from dataclasses import dataclass
from decimal import Decimal

from gateway.graph.faults import FunctionFailed
from libs.text.dates.document_dates import find_dates
from libs.text.numbers.finder import find_numbers
from libs.text.numbers.units import convert_value, unit_named


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and its unit; unit None means a bare number."""

    value: Decimal
    unit: str | None = None

    def __str__(self) -> str:
        """Format it for messages of errors."""
        return f"{self.value:f} {self.unit or ''}".rstrip()

    def compare(self, other: "Quantity") -> int:
        """Return -1 if it is less than another one, 1 if it is greater, and 0 if both are the same.

        Raises:
            FunctionFailed: they have different dimensions.
        """
        value = convert(other, self.unit).value
        return (self.value > value) - (self.value < value)


def read_quantity(text: str, language: str) -> Quantity:
    """Return the first number of a short answer that is not part of a date, with its unit.

    Args:
        text: the answer.
        language: of the answer, ISO 639-1.

    Raises:
        FunctionFailed: the answer contains no such number.
    """
    dates = find_dates(text, language=language)
    for number in find_numbers(text, language):
        if not any(date.start < number.end and number.start < date.end for date in dates):
            return Quantity(number.value, number.unit)
    raise FunctionFailed(f"“{text}” is not a number")


def read_unit(text: str, language: str) -> str:
    """Return the unit for a word or symbol of a language.

    Raises:
        FunctionFailed: the unit is unknown.
    """
    unit = unit_named(text.strip(), language)
    if unit is None:
        raise FunctionFailed(f"“{text}” is not a known unit")
    return unit


def convert(quantity: Quantity, unit: str | None) -> Quantity:
    """Return the same quantity in another unit of its dimension.

    Raises:
        FunctionFailed: the units have different dimensions, or one of the two is missing.
    """
    value = convert_value(quantity.value, quantity.unit, unit)
    if value is None:
        raise FunctionFailed(f"{quantity} cannot be converted to {unit or 'a bare number'}")
    return Quantity(value, unit)


def add(*terms: Quantity) -> Quantity:
    """Return the sum."""
    unit = terms[0].unit
    return Quantity(sum((convert(term, unit).value for term in terms), Decimal()), unit)


def subtract(one: Quantity, other: Quantity) -> Quantity:
    """Return the first minus the second."""
    return Quantity(one.value - convert(other, one.unit).value, one.unit)


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
    return Quantity(one.value / convert(other, one.unit).value)


def count(*names: str) -> Quantity:
    """Return the number of distinct answers, ignoring case and white space."""
    return Quantity(Decimal(len({" ".join(name.lower().split()) for name in names})))
