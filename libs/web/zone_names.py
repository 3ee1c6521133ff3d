"""The zones that dates of mails name by letters ("CEST", "JST"), by the time zone database. Reads it once a year."""

from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones


def offset_of(name: str, year: int) -> timedelta | None:
    """The offset from UTC that a zone's abbreviation has in a year; None if no place uses it, or places differ."""
    offsets = _offsets(year).get(name.upper(), frozenset())
    return next(iter(offsets)) if len(offsets) == 1 else None


@lru_cache(maxsize=64)
def _offsets(year: int) -> dict[str, frozenset[timedelta]]:
    """The offsets of each abbreviation, in winter and summer; two days a year show both."""
    offsets: dict[str, set[timedelta]] = {}
    for zone in map(ZoneInfo, sorted(available_timezones())):
        for month in (1, 7):
            moment = datetime(year, month, 1, tzinfo=zone)
            name, offset = moment.tzname(), moment.utcoffset()
            if name and offset is not None:
                offsets.setdefault(name.upper(), set()).add(offset)
    return {name: frozenset(found) for name, found in offsets.items()}
