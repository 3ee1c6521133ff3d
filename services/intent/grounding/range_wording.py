"""Express an exact time range in a language: `from 2 to 8 November 2026`, `im Oktober 2026`, `since 1 May 2026`.

The phrase includes its preposition and fits after a verb or a noun. It names the range's last day, not the day after.
"""

from datetime import date, datetime, time, timedelta
from typing import Final

from libs.contracts.dates import TimeRange
from libs.language.topics.scope import QuestionTimes

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
        language: a language with `QuestionTimes.ranges`, ISO 639-1.

    Raises:
        ValueError: both sides are open.
    """
    start, end, times = time_range.start, time_range.end, QuestionTimes.of(language)
    if end is None or (start and kind == SINCE):
        if start is None:
            raise ValueError("a range without sides has no words")
        return times.ranges["since" if end else "open_end"].format(start=_moment(start, times))
    if start is None:
        if kind == UNTIL and _is_midnight(end):
            return times.ranges["until"].format(end=_filled("day", _last_day(end), times))
        return times.ranges["before"].format(end=_moment(end, times))
    if not (_is_midnight(start) and _is_midnight(end)) and end - start < _SHORT:
        return _hours(start, end, times)
    return _days(start.date(), _last_day(end), times)


def _last_day(end: datetime) -> date:
    return (end - timedelta.resolution).date()


def _hours(start: datetime, end: datetime, times: QuestionTimes) -> str:
    if start.date() != end.date():
        return times.ranges["days"].format(start=_moment(start, times), end=_moment(end, times))
    day = _filled("day", start, times)
    return times.ranges["on_day_hours"].format(day=day, start=f"{start:%H:%M}", end=f"{end:%H:%M}")


def _days(first: date, last: date, times: QuestionTimes) -> str:
    """Whole years, months or days, the first without what the last one says as well."""
    form, one, several = "day", "on_day", "days"
    if first.day == 1 and (last + timedelta(days=1)).day == 1:
        form, one, several = "month", "in_month", "months"
        if first.month == 1 and last.month == 12:
            form, one = "year", "in_year"
    start, end = _filled(form, first, times), _filled(form, last, times)
    if start == end:
        return times.ranges[one].format(day=end, month=end, year=end)
    words = start.split()
    heads = (" ".join(words[:count]) for count in range(1, len(words) + 1))
    start = next(head for head in heads if end.endswith(start.removeprefix(head)))
    return times.ranges[several].format(start=start, end=end)


def _moment(moment: datetime, times: QuestionTimes) -> str:
    day = _filled("day", moment, times)
    return day if _is_midnight(moment) else times.ranges["moment"].format(day=day, time=f"{moment:%H:%M}")


def _filled(form: str, day: date, times: QuestionTimes) -> str:
    return times.ranges[form].format(day=day.day, month=times.month_names[day.month - 1], year=day.year)
