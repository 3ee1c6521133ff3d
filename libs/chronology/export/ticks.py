"""Ticks of a time axis: as many round dates of the timeline's unit as fit."""

from calendar import month_abbr
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice

from libs.chronology.days import Days
from libs.contracts.timeline import Granularity

_YEARS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120)
_DAYS = (1, 2, 7, 14, 28, 56)


@dataclass(frozen=True, slots=True)
class Tick:
    """A date on the axis and its label."""

    day: date
    label: str


def ticks_of(days: Days, granularity: Granularity, most: int) -> list[Tick]:
    """At most `most` ticks within `days`; at least one if `most` is positive and a round date is in range."""
    steps, ticks = _BY_UNIT[granularity]
    for step in steps:
        candidates = list(islice(ticks(days, step), max(0, most) + 1))
        if len(candidates) <= most:
            return candidates
    return candidates[: max(0, most)]


def _years(days: Days, step: int) -> Iterator[Tick]:
    for year in range(-(-days.first.year // step) * step or step, days.last.year + 1, step):
        if date(year, 1, 1) >= days.first:
            yield Tick(date(year, 1, 1), str(year))


def _months(days: Days, step: int) -> Iterator[Tick]:
    first = 12 * days.first.year + days.first.month - 1
    for month in range(-(-first // step) * step, 12 * days.last.year + days.last.month, step):
        day = date(month // 12, month % 12 + 1, 1)
        if day >= days.first:
            yield Tick(day, f"{month_abbr[day.month]} {day.year}")


def _single_days(days: Days, step: int) -> Iterator[Tick]:
    first = days.first if step < 7 else days.first + timedelta(days=-days.first.weekday() % 7)
    for number in range(0, (days.last - first).days + 1, step):
        day = first + timedelta(days=number)
        yield Tick(day, f"{day.day} {month_abbr[day.month]} {day.year}")


_Ticks = Callable[[Days, int], Iterator[Tick]]
_BY_UNIT: dict[Granularity, tuple[tuple[int, ...], _Ticks]] = {
    Granularity.YEAR: (_YEARS, _years),
    Granularity.SEASON: (_MONTHS[2:], _months),
    Granularity.MONTH: (_MONTHS, _months),
    Granularity.WEEK: (_DAYS[2:], _single_days),
    Granularity.DAY: (_DAYS, _single_days),
}
