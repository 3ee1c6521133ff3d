"""The calendar as it hangs on the wall, counted with `datetime` and `calendar` alone.

Nothing here shares code with the resolver that it checks; Easter is counted by the method that Butcher published in
1876.
"""

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Calendar:
    """The calendar as it hangs on the wall at a moment."""

    now: datetime
    seed: int

    @property
    def today(self) -> date:
        return self.now.date()

    def midnight(self, day: date) -> datetime:
        return datetime(day.year, day.month, day.day, tzinfo=self.now.tzinfo)

    def span(self, first: date, after: date) -> tuple[datetime, datetime]:
        return self.midnight(first), self.midnight(after)

    def moved(self, unit: str, count: int) -> datetime:
        """Now, so many units away by the clock on the wall."""
        if unit in ("minute", "hour"):
            return (self.now + timedelta(**{f"{unit}s": count})).replace(fold=self.now.fold)
        day = shift(self.today, unit, count)
        return self.now.replace(year=day.year, month=day.month, day=day.day)

    def pick(self, values: tuple[object, ...], salt: int = 0) -> object:
        return values[(self.seed * 7 + salt) % len(values)]


def add_months(day: date, count: int) -> date:
    index = 12 * day.year + day.month - 1 + count
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def shift(day: date, unit: str, count: int) -> date:
    in_days = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
    in_months = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
    return day + in_days[unit] * count * DAY if unit in in_days else add_months(day, in_months[unit] * count)


def month_span(year: int, month: int, count: int = 1) -> tuple[date, date]:
    first = date(year, month, 1)
    return first, add_months(first, count)


def whole(unit: str, day: date) -> tuple[date, date]:
    """The first day of the unit that holds a day, and the day after it."""
    if unit in ("day", "week", "fortnight", "weekend"):
        before, length = {"day": (0, 1), "weekend": (day.weekday() - 5, 2)}.get(unit, (day.weekday(), 7))
        return day - before * DAY, day + (length - before) * DAY
    if unit in ("month", "quarter"):
        width = {"month": 1, "quarter": 3}[unit]
        return month_span(day.year, (day.month - 1) // width * width + 1, width)
    width, offset = {"year": (1, 0), "decade": (10, 0), "century": (100, 1)}[unit]
    first = (day.year - offset) // width * width + offset
    return date(first, 1, 1), date(first + width, 1, 1)


def easter(year: int) -> date:
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (b - (b + 8) // 25 + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    l_ = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * l_) // 451
    month, day = divmod(h + l_ - 7 * m + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth of a month, the last for -1."""
    days = [date(year, month, number) for number in range(1, monthrange(year, month)[1] + 1)]
    return [day for day in days if day.weekday() == weekday][nth - 1 if nth > 0 else nth]


FEASTS: dict[str, Callable[[int], date]] = {
    "Easter": easter,
    "Good Friday": lambda year: easter(year) - 2 * DAY,
    "Easter Monday": lambda year: easter(year) + DAY,
    "Pentecost": lambda year: easter(year) + 49 * DAY,
    "Christmas": lambda year: date(year, 12, 25),
    "Christmas Eve": lambda year: date(year, 12, 24),
    "Boxing Day": lambda year: date(year, 12, 26),
    "New Year's Eve": lambda year: date(year, 12, 31),
    "New Year's Day": lambda year: date(year, 1, 1),
    "Valentine's Day": lambda year: date(year, 2, 14),
    "May Day": lambda year: date(year, 5, 1),
    "Halloween": lambda year: date(year, 10, 31),
    "Independence Day": lambda year: date(year, 7, 4),
    "Thanksgiving": lambda year: nth_weekday(year, 11, 3, 4),
    "Labor Day": lambda year: nth_weekday(year, 9, 0, 1),
    "Memorial Day": lambda year: nth_weekday(year, 5, 0, -1),
}
