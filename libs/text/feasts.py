"""Holidays that questions refer to, as days of a year."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from types import MappingProxyType

from dateutil.easter import easter


def _fixed_date(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _after_easter(days: int) -> Callable[[int], date]:
    def feast(year: int) -> date:
        sunday: date = easter(year)
        return sunday + timedelta(days=days)

    return feast


def _nth_weekday(month: int, weekday: int, n: int) -> Callable[[int], date]:
    """The n-th weekday (Monday is 0, Sunday 6) of a month."""

    def feast(year: int) -> date:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))

    return feast


FEASTS: Mapping[str, Callable[[int], date]] = MappingProxyType(
    {
        "new year's eve": _fixed_date(12, 31),
        "new year's day": _fixed_date(1, 1),
        "new year": _fixed_date(1, 1),
        "valentine's day": _fixed_date(2, 14),
        "good friday": _after_easter(-2),
        "easter sunday": _after_easter(0),
        "easter monday": _after_easter(1),
        "easter": _after_easter(0),
        "whitsun": _after_easter(49),
        "pentecost": _after_easter(49),
        "labour day": _fixed_date(5, 1),
        "may day": _fixed_date(5, 1),
        "labor day": _nth_weekday(9, 0, 1),
        "memorial day": lambda year: date(year, 5, 31) - timedelta(days=date(year, 5, 31).weekday()),
        "independence day": _fixed_date(7, 4),
        "halloween": _fixed_date(10, 31),
        "thanksgiving": _nth_weekday(11, 3, 4),
        "christmas eve": _fixed_date(12, 24),
        "christmas day": _fixed_date(12, 25),
        "christmas": _fixed_date(12, 25),
        "boxing day": _fixed_date(12, 26),
    }
)
"""The day in a year (from 1583 on). Easter is the Western one; `labor day`, `memorial day`, `independence day` and
`thanksgiving` are the US holidays."""
