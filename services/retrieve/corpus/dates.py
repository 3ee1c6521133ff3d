"""Dates of documents as time ranges that a filter can be compared with."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from libs.contracts.dates import TimeRange
from libs.text.memoize import memoized

_ISO = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](.+))?)?)?\Z")

EARLIEST, LATEST = -(2**62), 2**62
"""Stand for an open side of a range, beyond every date."""


@dataclass(frozen=True, slots=True)
class Seconds:
    """A range [first, last] of whole seconds since 1970, UTC; `2024` is all of that year."""

    first: int
    last: int

    def overlaps(self, other: "Seconds") -> bool:
        """Whether the two have a second in common."""
        return self.first <= other.last and other.first <= self.last


@memoized(texts=2048, longest=40)
def seconds_of_date(date: str) -> Seconds:
    """The range of an ISO 8601 date (year, year-month, day, or moment; UTC unless it has an offset).

    Raises:
        ValueError: it is no such date.
    """
    match = _ISO.match(date.strip())
    if not match:
        raise ValueError(f"not an ISO 8601 date: {date[:40]!r}")
    if match[4]:
        moment = _epoch(_aware(datetime.fromisoformat(date.strip())))
        return Seconds(moment, moment)
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    first = datetime(year, month, day, tzinfo=UTC)
    return Seconds(_epoch(first), _epoch(_following(first, bool(match[2]), bool(match[3]))) - 1)


def seconds_of_range(dates: TimeRange) -> Seconds:
    """A range as whole seconds; its end is exclusive."""
    return Seconds(
        EARLIEST if dates.start is None else _epoch(_aware(dates.start)),
        LATEST if dates.end is None else _epoch(_aware(dates.end)) - 1,
    )


def _following(first: datetime, has_month: bool, has_day: bool) -> datetime:
    """The beginning of the next day, month or year."""
    if has_day:
        return (
            first + timedelta(days=1)
            if first < datetime(9999, 12, 31, tzinfo=UTC)
            else datetime.max.replace(tzinfo=UTC)
        )
    if not has_month:
        return first.replace(year=first.year + 1) if first.year < 9999 else datetime.max.replace(tzinfo=UTC)
    if first.month < 12:
        return first.replace(month=first.month + 1)
    return _following(first.replace(month=1), has_month=False, has_day=False)


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _epoch(moment: datetime) -> int:
    return int((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
