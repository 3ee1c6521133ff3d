"""Compares quantities and dates, allowing for unit conversion, rounding and coarser dates. Pure functions."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from libs.contracts.dates import PartialDate
from libs.text.dates.document_dates import DateMention
from libs.text.numbers.finder import Number
from libs.text.numbers.units import CALENDAR_UNITS, TEMPERATURES, convert_value, dimension_of

ROUNDING = Decimal("0.02")
"""Relative tolerance for a converted quantity (by hand)."""
_CONVERTED: Final = frozenset(("length", "mass", "time", "speed", "volume", "power", "data", "temperature"))
"""Dimensions whose units are converted; quantities of the others are compared in the same unit only."""


def is_supported(claim: Number, evidence: Iterable[Number]) -> bool:
    """Whether one of the source's numbers supports the claimed quantity.

    A number without a unit matches any unit, unless the source has other numbers with the claimed unit.
    """
    numbers = list(evidence)
    of_unit = [number for number in numbers if number.unit == claim.unit]
    return any(_is_same_value(claim, number) for number in of_unit or numbers)


def _is_same_value(claim: Number, evidence: Number) -> bool:
    if claim.unit is None or evidence.unit is None or claim.unit == evidence.unit:
        return claim.value == evidence.value
    value = _convert(evidence, claim.unit)
    return value is not None and abs(claim.value - value) <= ROUNDING * max(abs(claim.value), abs(value))


def _convert(number: Number, unit: str) -> Decimal | None:
    """The source quantity in another unit; None if the units measure different things.

    Plain degrees match any scale. Months and years are not converted to days, since their lengths differ.
    """
    if "°" in (unit, number.unit) and {unit, number.unit} <= {"°", *TEMPERATURES}:
        return number.value
    if dimension_of(unit) not in _CONVERTED or (unit in CALENDAR_UNITS) != (number.unit in CALENDAR_UNITS):
        return None
    return convert_value(number.value, number.unit, unit)


def is_date_supported(claim: DateMention, evidence: Iterable[DateMention]) -> bool:
    """Whether a source date lies within the claimed day, month, year or period; a less precise one does not count."""
    return any(
        _not_before(date.first, claim.first) and _not_after(date.last, claim.last) and _as_exact(claim, date)
        for date in evidence
    )


def _as_exact(claim: DateMention, evidence: DateMention) -> bool:
    return bool(evidence.first.month or not claim.first.month) and bool(evidence.first.day or not claim.first.day)


def _not_before(date: PartialDate, bound: PartialDate) -> bool:
    return _truncate(date, bound) >= _known_parts(bound)


def _not_after(date: PartialDate, bound: PartialDate) -> bool:
    return _truncate(date, bound) <= _known_parts(bound)


def _known_parts(date: PartialDate) -> tuple[int, ...]:
    return tuple(part for part in (date.year, date.month, date.day) if part)


def _truncate(date: PartialDate, bound: PartialDate) -> tuple[int, ...]:
    return (date.year, date.month, date.day)[: len(_known_parts(bound))]
