"""Dates in documents that are relative to an anchor date: `20 July`, `last Tuesday`, `the next day`, `two years later`.

`20 July` and `July` are in the year that brings them nearest to the anchor; all others are counted as those of
questions are, from the anchor.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime

from libs.contracts.dates import PartialDate
from libs.language.topics.calendar import AnchoredDates
from libs.text.dates.named_dates import read_named
from libs.text.dates.periods import months_in
from libs.text.dates.phrases import NotMeantError, TimePhrase
from libs.text.dates.readings import DateReading, bounds, period
from libs.text.dates.relative_times import DATED, READERS, YEARLY, Origin


def find_anchored(text: str, anchor: PartialDate, language: str) -> Iterator[tuple[int, int, DateReading]]:
    """Start, end and reading of each phrase for which the anchor is precise enough; phrases may overlap."""
    for kind, forms in AnchoredDates.of(language).forms.items():
        for match in (match for form in forms for match in form.finditer(text)):
            with suppress(NotMeantError, ValueError, OverflowError):
                phrase = TimePhrase(match, language)
                reading = _nearest(phrase, anchor) if kind == YEARLY else _counted(kind, phrase, anchor)
                if reading is not None:
                    yield match.start(), match.end(), reading


def _nearest(phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    """A month or day of the year that brings it nearest to the anchor, or after or before it if the phrase says so."""
    step, known = phrase.number_if_any("which"), anchor.day if phrase.text("day") else anchor.month
    here = date(anchor.year, anchor.month or 1, (anchor.day if phrase.text("day") else 0) or 1)
    readings = []
    for year in (anchor.year, anchor.year - 1, anchor.year + 1) if known else (anchor.year,):
        with suppress(ValueError):
            readings.append(read_named(phrase, year))
    if step and known:
        readings = [
            reading for reading in readings if (bounds(reading)[0] > here if step > 0 else bounds(reading)[1] <= here)
        ]
    return min(readings, key=lambda reading: abs(bounds(reading)[0] - here), default=None)


def _counted(kind: str, phrase: TimePhrase, anchor: PartialDate) -> DateReading | None:
    """The unit at a distance; None if it is shorter than what the anchor tells."""
    months = 12 if kind == DATED else months_in(phrase.unit())
    if not (anchor.day or months > 1 or (months and anchor.month)):
        return None
    moment = datetime(anchor.year, anchor.month or 1, anchor.day or 1, tzinfo=UTC)
    time_range = READERS[kind](phrase, Origin(moment, moment))
    if time_range is None or time_range.start is None or time_range.end is None:
        return None
    return period(time_range.start.date(), time_range.end.date())
