"""Converts partial dates to day ranges, so that `1969`, `July 1969` and `20 July 1969` can be compared."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from libs.contracts.dates import PartialDate, TimeRange

_NOON = time(12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Days:
    """The days from `first` to `last`, inclusive."""

    first: date
    last: date

    def __contains__(self, other: "Days") -> bool:
        return self.first <= other.first and other.last <= self.last

    @property
    def length(self) -> int:
        """Number of days, at least 1."""
        return (self.last - self.first).days + 1


def days_of(start: PartialDate, end: PartialDate | None = None) -> Days:
    """All days that an event with these dates may cover."""
    return Days(start.first_day, (end or start).last_day)


def are_disjoint(first: Days, second: Days) -> bool:
    """Whether the two ranges share no day."""
    return first.last < second.first or second.last < first.first


def parse_partial_date(text: str) -> PartialDate | None:
    """Parse `1969-07-20`, `1969-07` or `1969`, optionally followed by a time; None for anything else."""
    parts = text.strip()[:10].split("-")
    try:
        numbers = [int(part) for part in parts if part.isascii() and part.isdigit()]
        if len(numbers) != len(parts) or not 1 <= len(numbers) <= 3 or len(parts[0]) != 4:
            return None
        day = PartialDate(*numbers)
        return day if day.first_day else None
    except ValueError:
        return None


def meets(days: Days, time_range: TimeRange) -> bool:
    """Whether a day of `days` lies in the range [start, end).

    Dates have no time zone, so a day is compared by its noon in UTC. This is correct for bounds at midnight in any zone
    within 11 hours of UTC. A bound that is no midnight, such as the moment of asking, lies within its day, which
    belongs to the range.
    """
    start, end = time_range.start, time_range.end
    begins_before = end is None or datetime.combine(days.first, _NOON) - end < _within_day(end)
    return begins_before and (start is None or start - datetime.combine(days.last, _NOON) <= _within_day(start))


def lies_within(days: Days, time_range: TimeRange) -> bool:
    """Whether all days of `days` lie in a range; compared as in `meets`."""
    return all(meets(Days(day, day), time_range) for day in (days.first, days.last))


def _within_day(bound: datetime) -> timedelta:
    """Half a day for a moment within the hour; nothing for the full hours, in which zones have their midnights."""
    return timedelta(hours=12) if bound.minute % 15 or bound.second or bound.microsecond else timedelta()
