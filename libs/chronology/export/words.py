"""Formats the dates of events as English text, for all formats of export. No I/O."""

from calendar import month_name

from libs.contracts.dates import PartialDate, Precision
from libs.contracts.timeline import TimelineEvent

_SEASONS = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}  # by the first of three months
CONTROL = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0)} - {ord("\t"), ord("\n")})
"""Characters that no format holds, for `str.translate`: control characters but tab and line feed."""
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def date_in_words(event: TimelineEvent) -> str:
    """Format a date: `20 July 1969`, `July 1969`, `summer 1962`, `1970s`, `19th century`, `April 2009 – May 2009`."""
    if event.end is None:
        return _words(event.start)
    if event.precision is Precision.SEASON and event.start.month in _SEASONS and _months(event) == 2:
        return f"{_SEASONS[event.start.month]} {event.start.year}"
    years = event.end.year - event.start.year
    if event.precision is Precision.DECADE and years == 9:
        return f"{event.start.year}s"
    if event.precision is Precision.CENTURY and years == 99:
        return f"{ordinal(event.end.year // 100)} century" if event.start.year % 100 else f"{event.start.year}s"
    return f"{_words(event.start)} – {_words(event.end)}"


def _months(event: TimelineEvent) -> int:
    assert event.end is not None
    return 12 * (event.end.year - event.start.year) + event.end.month - event.start.month


def _words(date: PartialDate) -> str:
    parts = [str(date.day) if date.day else "", month_name[date.month] if date.month else "", str(date.year)]
    return " ".join(part for part in parts if part)


def ordinal(number: int) -> str:
    """Such as `1st`, `12th`, `22nd`; for a number that is not negative."""
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else _SUFFIXES.get(number % 10, 'th')}"
