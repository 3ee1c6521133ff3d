"""Finds months and days without a year: `on 21 April`, `in July`. The year was given before, or it is any year."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libs.text.calendar_words import MONTHS
from libs.text.dates import DateMention

_NAMES = "|".join(sorted((month.capitalize() for month in MONTHS), key=len, reverse=True))
_MONTH_DAY = re.compile(
    rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{_NAMES})\b\.?"
    rf"(?:\s+(?P<after>\d{{1,2}})(?:st|nd|rd|th)?\b(?![\d,.:]*\d))?(?!\s+[A-Z])"
)
_AMBIGUOUS = frozenset({"May", "March"})
_IN = re.compile(
    r"\b(?:in|of|since|until|till|by|early|late|mid|during|from|to|between|and|last|next|before|after)[\s-]\Z"
)


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A month, with a day or 0 for none."""

    month: int
    day: int
    text: str
    start: int
    end: int


def find_month_days(text: str, dates: Sequence[DateMention]) -> Iterator[MonthDay]:
    """Yield the month mentions outside of full dates, in order."""
    spans = [(date.start, date.end) for date in dates]
    for match in _MONTH_DAY.finditer(text):
        if any(start < match.end() and match.start() < end for start, end in spans):
            continue
        day = int(match["before"] or match["after"] or 0)
        is_month = day or match["month"] not in _AMBIGUOUS or _IN.search(text[: match.start()])
        if is_month and day <= 31:
            yield MonthDay(MONTHS[match["month"].lower()], day, match[0], match.start(), match.end())


def is_month_day_supported(claim: MonthDay, dates: Sequence[DateMention], month_days: Sequence[MonthDay]) -> bool:
    """Whether the source has the month, and the day if one is claimed, with or without a year."""
    source_days = {(day.month, day.day) for day in month_days}
    source_days |= {(end.month or 0, end.day or 0) for date in dates for end in (date.first, date.last)}
    if claim.day:
        return (claim.month, claim.day) in source_days
    within = any((date.first.month or 13) <= claim.month <= (date.last.month or 0) for date in dates)
    return within or any(month == claim.month for month, _ in source_days)
