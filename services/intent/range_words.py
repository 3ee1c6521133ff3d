"""Express an exact time range in English: `from 2 to 8 November 2026`, `in October 2026`, `since 1 May 2026`.

The phrase includes its preposition and fits after a verb or a noun. It names the range's last day, not the day after.
"""

from datetime import date, datetime, time, timedelta

from libs.contracts.dates import TimeRange

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_INCLUSIVE = frozenset({"until", "till", "up to", "up until", "by"})
_SHORT = timedelta(days=2)
"""A range that does not start and end at midnight is given with hours only if it is shorter than this."""


def in_words(time_range: TimeRange, word: str = "") -> str:
    """Return the range as a phrase.

    Args:
        time_range: the range, with at least one closed side, in the user's time zone.
        word: the preposition of the question; `since` gives only the start, `until` and `by` the last day.

    Raises:
        ValueError: both sides are open.
    """
    start, end = time_range.start, time_range.end
    if start is None and end is None:
        raise ValueError("a range without sides has no words")
    if start is None:
        return _before(end, word)
    if end is None:
        return f"from {_moment(start)} on"
    if word == "since":
        return f"since {_moment(start)}"
    if not (_is_midnight(start) and _is_midnight(end)) and end - start < _SHORT:
        return _hours(start, end)
    last = end.date() - timedelta(days=1) if _is_midnight(end) else end.date()
    return _days(start.date(), last)


def iso(time_range: TimeRange) -> str:
    """Return the range as an ISO 8601 interval `start/end`: dates for midnights, `..` for an open side."""
    return "/".join(".." if side is None else _iso(side) for side in (time_range.start, time_range.end))


def _iso(moment: datetime) -> str:
    return moment.date().isoformat() if _is_midnight(moment) else moment.isoformat(timespec="minutes")


def _is_midnight(moment: datetime) -> bool:
    return moment.time() == time()


def _before(end: datetime | None, word: str) -> str:
    assert end is not None
    if word in _INCLUSIVE and _is_midnight(end):
        return f"until {_day(end.date() - timedelta(days=1))}"
    return f"before {_moment(end)}"


def _moment(moment: datetime) -> str:
    return _day(moment.date()) if _is_midnight(moment) else f"{_day(moment.date())}, {moment:%H:%M}"


def _day(day: date) -> str:
    return f"{day.day} {_month(day)}"


def _month(day: date) -> str:
    return f"{_MONTHS[day.month - 1]} {day.year}"


def _hours(start: datetime, end: datetime) -> str:
    if start.date() == end.date():
        return f"on {_day(start.date())} from {start:%H:%M} to {end:%H:%M}"
    return f"from {_moment(start)} to {_moment(end)}"


def _days(first: date, last: date) -> str:
    if first == last:
        return f"on {_day(first)}"
    whole_months = first.day == 1 and (last + timedelta(days=1)).day == 1
    if whole_months and first.month == 1 and last.month == 12:
        return f"in {first.year}" if first.year == last.year else f"from {first.year} to {last.year}"
    if whole_months:
        return _months(first, last)
    if (first.year, first.month) == (last.year, last.month):
        return f"from {first.day} to {_day(last)}"
    if first.year == last.year:
        return f"from {first.day} {_MONTHS[first.month - 1]} to {_day(last)}"
    return f"from {_day(first)} to {_day(last)}"


def _months(first: date, last: date) -> str:
    if (first.year, first.month) == (last.year, last.month):
        return f"in {_month(first)}"
    if first.year == last.year:
        return f"from {_MONTHS[first.month - 1]} to {_month(last)}"
    return f"from {_month(first)} to {_month(last)}"
