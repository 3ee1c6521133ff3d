"""Conversion between units of the same dimension."""

from decimal import Decimal

import pytest

from libs.text.numbers.units import convert_value


@pytest.mark.parametrize(
    ("value", "unit", "target", "converted"),
    [
        ("1", "oz", "g", "28.349523125"),
        ("1", "light-year", "km", "9460730472580.8"),
        ("2", "gal", "l", "7.570823568"),
        ("1", "week", "hour", "168"),
        ("1", "century", "year", "100"),
        ("100", "°C", "°F", "212"),
        ("0", "K", "°C", "-273.15"),
        ("3", "USD", "USD", "3"),
        ("3", "USD", "EUR", None),
        ("3", "km", "kg", None),
        ("3", "km", None, None),
        ("3", "°C", "kg", None),
    ],
)
def test_a_value_is_converted_within_its_dimension(
    value: str, unit: str, target: str | None, converted: str | None
) -> None:
    assert convert_value(Decimal(value), unit, target) == (None if converted is None else Decimal(converted))
