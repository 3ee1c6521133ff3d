"""Dates with the precision of their source: some to the day, some only to the year."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class Precision(StrEnum):
    """The precision of a date."""

    DAY = "DAY"
    MONTH = "MONTH"
    SEASON = "SEASON"
    YEAR = "YEAR"
    DECADE = "DECADE"
    CENTURY = "CENTURY"


@dataclass(frozen=True, slots=True, order=True)
class PartialDate:
    """A day, month or year of the proleptic Gregorian calendar; 0 stands for an unknown month or day."""

    year: int
    month: int = 0
    day: int = 0

    @property
    def first_day(self) -> date:
        """The first day that it may mean; ValueError if the calendar has no such day."""
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def last_day(self) -> date:
        """The last day that it may mean."""
        month = self.month or 12
        return date(self.year, month, self.day or monthrange(self.year, month)[1])

    def __str__(self) -> str:
        """ISO 8601 without the unknown parts: `1969-07-20`, `1969-07`, `1969`."""
        parts = [f"{self.year:04d}"] + [f"{part:02d}" for part in (self.month, self.day) if part]
        return "-".join(parts)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A range of time [start, end), both aware datetimes; None leaves that side open."""

    start: datetime | None = None
    end: datetime | None = None
