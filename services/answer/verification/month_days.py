"""Finds months and days without a year: `on 21 April`, `in July`. The year was given before, or it is any year."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libs.language.topics.calendar import Calendar, MonthDays
from libs.text.dates import DateMention


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A month, with a day or 0 for none."""

    month: int
    day: int
    text: str
    start: int
    end: int


def find_month_days(text: str, dates: Sequence[DateMention], language: str) -> Iterator[MonthDay]:
    """Yield the month mentions outside of full dates, in order."""
    forms, months = MonthDays.of(language), Calendar.of(language).months
    spans = [(date.start, date.end) for date in dates]
    for match in forms.month_day.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in spans):
            continue
        day = int(match["before"] or match["after"] or 0)
        is_month = day or match["month"] not in forms.other_words or forms.before_month.search(text[: match.start()])
        if is_month and day <= 31:
            yield MonthDay(months[match["month"].lower()], day, match[0], match.start(), match.end())


def is_month_day_supported(claim: MonthDay, dates: Sequence[DateMention], month_days: Sequence[MonthDay]) -> bool:
    """Whether the source has the month, and the day if one is claimed, with or without a year."""
    source_days = {(day.month, day.day) for day in month_days}
    source_days |= {(end.month or 0, end.day or 0) for date in dates for end in (date.first, date.last)}
    if claim.day:
        return (claim.month, claim.day) in source_days
    within = any((date.first.month or 13) <= claim.month <= (date.last.month or 0) for date in dates)
    return within or any(month == claim.month for month, _ in source_days)
