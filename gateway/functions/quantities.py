"""Numbers with units in short answers, and conversion between units.

Factors are those of the SI brochure (9th edition) and of NIST Special Publication 811 for feet, miles, pounds and
ounces; a month and a year are the Gregorian calendar's means, 30.436875 and 365.2425 days. Money is never converted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from gateway.functions.faults import FunctionFailed
from libs.text.dates import find_dates
from libs.text.numbers import find_numbers
from libs.text.units import unit_named

_FACTORS: Mapping[str, Mapping[str, str]] = {
    "length": {
        "nm": "1e-9", "mm": "0.001", "cm": "0.01", "m": "1", "km": "1000", "in": "0.0254", "ft": "0.3048",
        "yd": "0.9144", "mi": "1609.344", "au": "149597870700", "light-year": "9460730472580800",
    },
    "mass": {
        "mg": "0.000001", "g": "0.001", "kg": "1", "t": "1000", "lb": "0.45359237", "oz": "0.028349523125",
    },
    "time": {
        "millisecond": "0.001", "second": "1", "minute": "60", "hour": "3600", "day": "86400", "week": "604800",
        "month": "2629746", "year": "31556952", "decade": "315569520", "century": "3155695200",
    },
    "area": {"m²": "1", "km²": "1000000", "ha": "10000", "acre": "4046.8564224"},
    "volume": {"ml": "0.000001", "l": "0.001", "m³": "1", "gal": "0.003785411784"},
    "speed": {"m/s": "1", "km/s": "1000", "km/h": "0.2777777777777777777777777778", "mph": "0.44704"},
    "power": {"W": "1", "kW": "1000", "MW": "1000000", "GW": "1000000000"},
    "frequency": {"Hz": "1", "MHz": "1000000", "GHz": "1000000000"},
    "data": {"kB": "1000", "MB": "1000000", "GB": "1000000000", "TB": "1000000000000"},
}  # fmt: skip
_SIZES = MappingProxyType(
    {unit: (sort, Decimal(factor)) for sort, units in _FACTORS.items() for unit, factor in units.items()}
)
"""Maps a unit of `libs.text.units` to its dimension and its size in the dimension's base unit."""
_KELVIN_AT_0_C, _F_AT_0_C, _F_A_DEGREE = Decimal("273.15"), Decimal(32), Decimal("1.8")
_TEMPERATURES = frozenset(("°C", "°F", "K"))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and its unit; unit None means a bare number."""

    value: Decimal
    unit: str | None = None

    def __str__(self) -> str:
        """Format it for messages of errors."""
        return f"{self.value:f} {self.unit or ''}".rstrip()


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
    raise FunctionFailed(f"“{text}” is no number")


def read_unit(text: str, language: str) -> str:
    """Return the unit for a word or symbol of a language.

    Raises:
        FunctionFailed: the unit is unknown.
    """
    unit = unit_named(text.strip(), language)
    if unit is None:
        raise FunctionFailed(f"“{text}” is no unit")
    return unit


def converted(quantity: Quantity, unit: str | None) -> Quantity:
    """Return the same quantity in another unit of its dimension.

    Raises:
        FunctionFailed: the units have different dimensions, or one of the two is missing.
    """
    if quantity.unit == unit:
        return quantity
    if quantity.unit in _TEMPERATURES and unit in _TEMPERATURES:
        return Quantity(_from_celsius(_in_celsius(quantity), unit), unit)
    sort, size = _SIZES.get(quantity.unit or "", ("", Decimal(1)))
    other_sort, other_size = _SIZES.get(unit or "", ("none", Decimal(1)))
    if sort != other_sort:
        raise FunctionFailed(f"{quantity} can't be told in {unit or 'a bare number'}")
    return Quantity(quantity.value * size / other_size, unit)


def _in_celsius(quantity: Quantity) -> Decimal:
    if quantity.unit == "°F":
        return (quantity.value - _F_AT_0_C) / _F_A_DEGREE
    return quantity.value - (_KELVIN_AT_0_C if quantity.unit == "K" else 0)


def _from_celsius(value: Decimal, unit: str | None) -> Decimal:
    if unit == "°F":
        return value * _F_A_DEGREE + _F_AT_0_C
    return value + (_KELVIN_AT_0_C if unit == "K" else 0)
