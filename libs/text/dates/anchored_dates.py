"""Dates in documents that are relative to an anchor date: `20 July`, `last Tuesday`, `the next day`, `two years later`.

`20 July` and `July` are in the year that brings them nearest to the anchor. A bare weekday is the one at or before the
anchor, unless it is part of a name (`Good Friday`). A week is given as its days, Monday to Sunday. No I/O of its own.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Final

from libs.contracts.dates import PartialDate, Precision
from libs.language.topics.calendar import TimeWords
from libs.language.topics.relative_time import AnchoredDates
from libs.text.dates.date_readings import DateReading, is_day, one_day, one_month, one_year
from libs.text.dates.time_words import TimePhrase

_REACH: Final = 40
"""How many characters before a phrase are searched for words that make it something else (taste)."""

_Reader = Callable[[TimePhrase, PartialDate], DateReading | None]


def find_anchored(text: str, anchor: PartialDate, language: str) -> Iterator[tuple[int, int, DateReading]]:
    """Start, end and reading of each phrase for which the anchor is precise enough; phrases may overlap."""
    forms = AnchoredDates.of(language).forms
    for kind, read in KINDS:
        for match in forms[kind].finditer(text) if kind in forms else ():
            if (reading := read(TimePhrase(match, language), anchor)) is not None:
                yield match.start(), match.end(), reading


def _as_day(anchor: PartialDate) -> date | None:
    exact = is_day(anchor.year, anchor.month, anchor.day)
    return date(anchor.year, anchor.month, anchor.day) if exact else None


def _partial_date(day: date) -> PartialDate:
    return PartialDate(day.year, day.month, day.day)


def _shift_days(anchor: PartialDate, days: int) -> DateReading | None:
    day = _as_day(anchor)
    try:
        return one_day(_partial_date(day + timedelta(days=days))) if day else None
    except OverflowError:
        return None


def _read_day_of_month(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    month, day = phrase.month(), phrase.number("day")
    here = _as_day(anchor)
    years = [anchor.year, anchor.year - 1, anchor.year + 1] if here else [anchor.year]
    dates = [date(year, month, day) for year in years if is_day(year, month, day)]
    return one_day(_partial_date(min(dates, key=lambda d: abs(d - here) if here else timedelta()))) if dates else None


def _read_month(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    month, step = phrase.month(), phrase.step()
    if not anchor.month:
        return one_month(anchor.year, month)
    if step == 1:
        return one_month(anchor.year + (month <= anchor.month), month)
    if step == -1:
        return one_month(anchor.year - (month >= anchor.month), month)
    return one_month(anchor.year + _years_to_nearest(month - anchor.month), month)


def _years_to_nearest(months: int) -> int:
    return -1 if months > 6 else 1 if months < -6 else 0


def _read_same_day(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    return _shift_days(anchor, phrase.step("which", "which_of") or 0)


def _follows(regex: re.Pattern[str], match: re.Match[str]) -> bool:
    """Whether the text just before a match ends with another one."""
    return regex.search(match.string, max(0, match.start() - _REACH), match.start()) is not None


def _read_near_day(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    match = phrase.match
    if match[0][0].isupper() and _follows(AnchoredDates.of(phrase.language).within_sentence, match):
        return None
    return _shift_days(anchor, TimeWords.of(phrase.language).day_steps.get(match[0].lower().split()[0], 0))


def _read_weekday(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    match, day = phrase.match, _as_day(anchor)
    if day is None or _follows(AnchoredDates.of(phrase.language).name_before_weekday, match):
        return None
    back, step = (day.weekday() - phrase.weekday()) % 7, phrase.step()
    if step == 1:
        return _shift_days(anchor, 7 - back)
    return _shift_days(anchor, -(back or 7) if step == -1 else -back)


def _read_unit(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    return _shift_units(anchor, phrase.unit(), phrase.step("which", "which_of") or 0)


def _read_count(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    count = phrase.count()
    if count is None:
        return None
    unit, steps = phrase.unit(), phrase.direction() * count
    return _shift_days(anchor, 7 * steps) if unit == "week" else _shift_units(anchor, unit, steps)


def _shift_units(anchor: PartialDate, unit: str, steps: int) -> DateReading | None:
    """The unit that is `steps` units away; a decade is given as a year. None if the anchor is too coarse."""
    if unit == "day":
        return _shift_days(anchor, steps)
    if unit == "week":
        return _week(anchor, steps)
    if unit == "month":
        months = 12 * anchor.year + anchor.month - 1 + steps
        return one_month(months // 12, months % 12 + 1) if anchor.month else None
    year = anchor.year + steps * (10 if unit == "decade" else 1)
    return one_year(year) if 1 <= year <= 9999 else None


def _week(anchor: PartialDate, steps: int) -> DateReading | None:
    day = _as_day(anchor)
    if day is None:
        return None
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=steps)
    return DateReading(_partial_date(monday), _partial_date(monday + timedelta(days=6)), Precision.DAY)


KINDS: Final[tuple[tuple[str, _Reader], ...]] = (
    ("day_of_month", _read_day_of_month),
    ("day_of_month_reversed", _read_day_of_month),
    ("day_of_month_in_digits", _read_day_of_month),
    ("month", _read_month),
    ("month_attribute", _read_month),
    ("month_part", _read_month),
    ("near_day", _read_near_day),
    ("same_day", _read_same_day),
    ("weekday", _read_weekday),
    ("weekday_alone", _read_weekday),
    ("unit", _read_unit),
    ("count", _read_count),
    ("count_before", _read_count),
)
"""The kinds of `AnchoredDates.forms`. Their groups: `day`, `month`, `weekday`, `unit`; `which` or `which_of` as a step;
`count` and `way`."""
