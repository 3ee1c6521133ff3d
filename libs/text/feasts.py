"""Holidays that questions refer to, as days of a year."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from types import MappingProxyType

from dateutil.easter import easter
from dateutil.relativedelta import MO, TH, relativedelta


def _fixed_date(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _after_easter(days: int) -> Callable[[int], date]:
    def feast(year: int) -> date:
        sunday: date = easter(year)
        return sunday + timedelta(days=days)

    return feast


def _relative_date(month: int, day: int, offset: relativedelta) -> Callable[[int], date]:
    def feast(year: int) -> date:
        day_of_feast: date = date(year, month, day) + offset
        return day_of_feast

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
        "labor day": _relative_date(9, 1, relativedelta(weekday=MO(1))),
        "memorial day": _relative_date(5, 31, relativedelta(weekday=MO(-1))),
        "independence day": _fixed_date(7, 4),
        "halloween": _fixed_date(10, 31),
        "thanksgiving": _relative_date(11, 1, relativedelta(weekday=TH(4))),
        "christmas eve": _fixed_date(12, 24),
        "christmas day": _fixed_date(12, 25),
        "christmas": _fixed_date(12, 25),
        "boxing day": _fixed_date(12, 26),
    }
)
"""The day in a year (from 1583 on). Easter is the Western one; `labor day`, `memorial day`, `independence day` and
`thanksgiving` are the US holidays."""
