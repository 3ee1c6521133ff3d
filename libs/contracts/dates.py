"""Dates with the precision of their source: some to the day, some only to the year."""

from dataclasses import dataclass
from datetime import datetime
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

    def __str__(self) -> str:
        """ISO 8601 without the unknown parts: `1969-07-20`, `1969-07`, `1969`."""
        parts = [f"{self.year:04d}"] + [f"{part:02d}" for part in (self.month, self.day) if part]
        return "-".join(parts)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A range of time [start, end), both aware datetimes; None leaves that side open."""

    start: datetime | None = None
    end: datetime | None = None
