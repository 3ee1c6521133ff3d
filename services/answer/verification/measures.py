"""Compares quantities and dates, allowing for unit conversion, rounding and coarser dates."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from libs.contracts.dates import PartialDate
from libs.text.dates import DateMention
from libs.text.numbers import Number
from services.answer.verification.claims import Quantity

ROUNDING = Decimal("0.02")
"""Relative tolerance for a converted quantity."""
HEDGED_ROUNDING = Decimal("0.06")
"""Relative tolerance for a quantity with `about`, `nearly` or `more than`."""

_FACTORS: tuple[dict[str, str], ...] = (
    {"km": "1000", "m": "1", "cm": ".01", "mm": ".001", "nm": "1e-9", "mi": "1609.344", "ft": ".3048", "in": ".0254",
     "yd": ".9144", "au": "149597870700", "light-year": "9.4607e15"},
    {"kg": "1", "g": ".001", "mg": "1e-6", "t": "1000", "lb": ".45359237", "oz": ".0283495"},
    {"millisecond": ".001", "second": "1", "minute": "60", "hour": "3600", "day": "86400", "week": "604800"},
    {"month": "1", "year": "12", "decade": "120", "century": "1200"},
    {"km/h": "1", "m/s": "3.6", "km/s": "3600", "mph": "1.609344"},
    {"l": "1", "ml": ".001", "gal": "3.785", "m³": "1000"},
    {"W": "1", "kW": "1000", "MW": "1e6", "GW": "1e9"},
    {"kB": "1", "MB": "1e3", "GB": "1e6", "TB": "1e9"},
)  # fmt: skip
_TEMPERATURES = ("°C", "°F", "K", "°")


def borne_out(claimed: Quantity, told: Iterable[Number]) -> bool:
    """Whether one of the source's numbers supports the claimed quantity.

    A number without a unit matches any unit, unless the source has other numbers with the claimed unit.
    """
    numbers = list(told)
    of_unit = [number for number in numbers if number.unit == claimed.number.unit]
    return any(_same(claimed, number) for number in of_unit or numbers)


def _same(claimed: Quantity, told: Number) -> bool:
    unit = claimed.number.unit
    if unit is None or told.unit is None or unit == told.unit:
        rounded = claimed.hedged and _rounded(claimed.number.value, told.value)
        return _near(claimed.number.value, told.value, HEDGED_ROUNDING if rounded else Decimal(0))
    converted = _converted(told, unit)
    tolerance = HEDGED_ROUNDING if claimed.hedged else ROUNDING
    return converted is not None and _near(claimed.number.value, converted, tolerance)


def _rounded(claimed: Decimal, told: Decimal) -> bool:
    """Whether the claimed number is a rounding of the other, up or down: 16,000 for 15,700, but not for 17,000."""
    step = Decimal(1).scaleb(claimed.normalize().adjusted() - _digits(claimed) + 1)
    return _digits(claimed) < _digits(told) and abs(claimed - told) < step


def _digits(value: Decimal) -> int:
    """The number of significant digits: 2 of 16,000, 3 of 16,500."""
    return len(value.normalize().as_tuple().digits)


def _near(one: Decimal, other: Decimal, tolerance: Decimal) -> bool:
    return abs(one - other) <= tolerance * max(abs(one), abs(other))


def _converted(told: Number, unit: str) -> Decimal | None:
    """The source quantity in another unit; None if the units measure different things."""
    if unit in _TEMPERATURES and told.unit in _TEMPERATURES:
        return _temperature(told, unit)
    for factors in _FACTORS:
        if unit in factors and told.unit in factors:
            return told.value * Decimal(factors[told.unit]) / Decimal(factors[unit])
    return None


def _temperature(told: Number, unit: str) -> Decimal:
    if "°" in (unit, told.unit):  # plain degrees match any scale
        return told.value
    celsius = {
        "°C": told.value,
        "°F": (told.value - 32) * 5 / 9,
        "K": told.value - Decimal("273.15"),
    }[told.unit or "°C"]
    return {"°C": celsius, "°F": celsius * 9 / 5 + 32, "K": celsius + Decimal("273.15")}[unit]


def date_borne_out(claimed: DateMention, told: Iterable[DateMention]) -> bool:
    """Whether a source date lies within the claimed day, month, year or period; a less precise one does not count."""
    return any(
        _not_before(date.first, claimed.first) and _not_after(date.last, claimed.last) and _as_exact(claimed, date)
        for date in told
    )


def ends_borne_out(claimed: DateMention, told: Sequence[DateMention]) -> bool:
    """Like `date_borne_out`, but a period that names its two ends (`from 1997 to 2006`) needs both of them."""
    if not _STRETCH.search(claimed.text):
        return date_borne_out(claimed, told)
    starts = any(_cut(date.first, claimed.first) == _known(claimed.first) for date in told)
    return starts and any(_cut(date.last, claimed.last) == _known(claimed.last) for date in told)


_STRETCH = re.compile(r"\d\s*(?:[-–—]|\b(?:to|and|until|till|through)\b)\D*\d")


def _as_exact(claimed: DateMention, told: DateMention) -> bool:
    return bool(told.first.month or not claimed.first.month) and bool(told.first.day or not claimed.first.day)


def _not_before(date: PartialDate, bound: PartialDate) -> bool:
    return _cut(date, bound) >= _known(bound)


def _not_after(date: PartialDate, bound: PartialDate) -> bool:
    return _cut(date, bound) <= _known(bound)


def _known(date: PartialDate) -> tuple[int, ...]:
    return tuple(part for part in (date.year, date.month, date.day) if part)


def _cut(date: PartialDate, bound: PartialDate) -> tuple[int, ...]:
    return (date.year, date.month, date.day)[: len(_known(bound))]
