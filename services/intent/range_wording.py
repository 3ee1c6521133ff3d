"""Express an exact time range in a language: `from 2 to 8 November 2026`, `im Oktober 2026`, `since 1 May 2026`.

The phrase includes its preposition and fits after a verb or a noun. It names the range's last day, not the day after.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from libs.contracts.dates import TimeRange
from libs.language.topics.scope import RangePhrases

SINCE: Final = "since"
UNTIL: Final = "until"
_SHORT: Final = timedelta(days=2)
"""A range that does not start and end at midnight is given with hours only if it is shorter than this (taste)."""


def iso(time_range: TimeRange) -> str:
    """Return the range as an ISO 8601 interval `start/end`: dates for midnights, `..` for an open side."""
    return "/".join(".." if side is None else _iso(side) for side in (time_range.start, time_range.end))


def _iso(moment: datetime) -> str:
    return moment.date().isoformat() if _is_midnight(moment) else moment.isoformat(timespec="minutes")


def _is_midnight(moment: datetime) -> bool:
    return moment.time() == time()


def in_words(time_range: TimeRange, kind: str, language: str) -> str:
    """Return the range as a phrase.

    Args:
        time_range: the range, with at least one closed side, in the user's time zone.
        kind: how the question gives it (`TimeMention.kind`): `SINCE` gives only the start, `UNTIL` the last day.
        language: a language with `RangePhrases`, ISO 639-1.

    Raises:
        ValueError: both sides are open.
    """
    start, end, wording = time_range.start, time_range.end, _Wording(RangePhrases.of(language))
    if start is None and end is None:
        raise ValueError("a range without sides has no words")
    if start is None:
        return wording.before(end, kind)
    if end is None:
        return wording.phrases.open_end.format(start=wording.moment(start))
    if kind == SINCE:
        return wording.phrases.since.format(start=wording.moment(start))
    if not (_is_midnight(start) and _is_midnight(end)) and end - start < _SHORT:
        return wording.hours(start, end)
    last = end.date() - timedelta(days=1) if _is_midnight(end) else end.date()
    return wording.days(start.date(), last)


@dataclass(frozen=True, slots=True)
class _Wording:
    """Fills the templates of a language."""

    phrases: RangePhrases

    def before(self, end: datetime | None, kind: str) -> str:
        assert end is not None
        if kind == UNTIL and _is_midnight(end):
            return self.phrases.until.format(end=self._day(end.date() - timedelta(days=1)))
        return self.phrases.before.format(end=self.moment(end))

    def moment(self, moment: datetime) -> str:
        day = self._day(moment.date())
        return day if _is_midnight(moment) else self.phrases.moment.format(day=day, time=f"{moment:%H:%M}")

    def hours(self, start: datetime, end: datetime) -> str:
        if start.date() != end.date():
            return self.phrases.days.format(start=self.moment(start), end=self.moment(end))
        day = self._day(start.date())
        return self.phrases.on_day_hours.format(day=day, start=f"{start:%H:%M}", end=f"{end:%H:%M}")

    def days(self, first: date, last: date) -> str:
        if first == last:
            return self.phrases.on_day.format(day=self._day(first))
        whole_months = first.day == 1 and (last + timedelta(days=1)).day == 1
        if whole_months and first.month == 1 and last.month == 12:
            return self._years(first.year, last.year)
        if whole_months:
            return self._months(first, last)
        return self.phrases.days.format(start=self._first_day(first, last), end=self._day(last))

    def _years(self, first: int, last: int) -> str:
        if first == last:
            return self.phrases.in_year.format(year=first)
        return self.phrases.years.format(start=first, end=last)

    def _months(self, first: date, last: date) -> str:
        if (first.year, first.month) == (last.year, last.month):
            return self.phrases.in_month.format(month=self._month(first))
        start = self._name(first) if first.year == last.year else self._month(first)
        return self.phrases.months.format(start=start, end=self._month(last))

    def _first_day(self, first: date, last: date) -> str:
        """Return the first day without what the last one says."""
        if first.year != last.year:
            return self._day(first)
        template = self.phrases.day_of_month if first.month == last.month else self.phrases.day_of_year
        return template.format(day=first.day, month=self._name(first))

    def _day(self, day: date) -> str:
        return self.phrases.day.format(day=day.day, month=self._name(day), year=day.year)

    def _month(self, day: date) -> str:
        return self.phrases.month.format(month=self._name(day), year=day.year)

    def _name(self, day: date) -> str:
        return self.phrases.month_names[day.month - 1]
