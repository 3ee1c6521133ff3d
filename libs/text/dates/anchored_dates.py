"""Dates in documents that are relative to an anchor date: `20 July`, `last Tuesday`, `the next day`, `two years later`.

`20 July` and `July` are in the year that brings them nearest to the anchor. A bare weekday is the one at or before the
anchor. A week is given as its days, Monday to Sunday, a decade as a year.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from types import MappingProxyType
from typing import Final

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import PartialDate
from libs.language.topics.relative_time import AnchoredDates
from libs.text.dates.named_dates import read_named
from libs.text.dates.periods import DAY, DAYS_IN, MONTHS_IN
from libs.text.dates.phrases import NotMeantError, TimePhrase
from libs.text.dates.readings import DateReading, day_range, one_date

_Reader = Callable[[TimePhrase, PartialDate], DateReading | None]


def find_anchored(text: str, anchor: PartialDate, language: str) -> Iterator[tuple[int, int, DateReading]]:
    """Start, end and reading of each phrase for which the anchor is precise enough; phrases may overlap."""
    for kind, forms in AnchoredDates.of(language).forms.items():
        for match in (match for form in forms for match in form.finditer(text)):
            with suppress(NotMeantError, ValueError, OverflowError):
                if (reading := READERS[kind](TimePhrase(match, language), anchor)) is not None:
                    yield match.start(), match.end(), reading


def _read_yearly(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    """A month or day of the year that brings it nearest to the anchor, or after or before it if the phrase says so."""
    step, known = phrase.number_if_any("which"), anchor.day if phrase.text("day") else anchor.month
    here = _place(anchor if phrase.text("day") else PartialDate(anchor.year, anchor.month))
    readings = []
    for year in (anchor.year, anchor.year - 1, anchor.year + 1) if known else (anchor.year,):
        with suppress(ValueError):
            readings.append(read_named(phrase, year))
    if step and known:
        readings = [reading for reading in readings if step * (_place(reading.first) - here) > 0]
    return min(readings, key=lambda reading: abs(_place(reading.first) - here), default=None)


def _place(when: PartialDate) -> int:
    """Where a date stands in time: its day, or its month if it tells no day."""
    return date(when.year, when.month, when.day).toordinal() if when.day else 12 * when.year + when.month


def _read_weekday(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    if not anchor.day:
        return None
    day, step = date(anchor.year, anchor.month, anchor.day), phrase.number_if_any("which")
    back = (day.weekday() - phrase.number("weekday")) % 7
    moved = day + (7 - back if step == 1 else -(back or 7) if step == -1 else -back) * DAY
    return day_range(moved, moved)


def _read_units(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    """The unit at a distance; weeks that are counted lead to a day."""
    distance = phrase.distance()
    if distance is None or not (anchor.day or (distance[0] in MONTHS_IN and (anchor.month or distance[0] != "month"))):
        return None
    unit, steps = distance
    moved = date(anchor.year, anchor.month or 1, anchor.day or 1) + relativedelta(
        months=steps * MONTHS_IN.get(unit, 0), days=steps * DAYS_IN.get(unit, 0)
    )
    if unit in MONTHS_IN:
        return one_date(moved.year, moved.month if unit == "month" else None)
    monday = moved - moved.weekday() * DAY
    return day_range(monday, monday + 6 * DAY) if phrase.text("which") and unit == "week" else day_range(moved, moved)


READERS: Final[Mapping[str, _Reader]] = MappingProxyType(
    {"yearly": _read_yearly, "weekday": _read_weekday, "units": _read_units}
)
"""The kinds of `AnchoredDates.forms`, by the groups of `libs.text.dates.phrases` and `named_dates`."""
