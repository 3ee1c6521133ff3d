"""Finds dates in documents: absolute ones and, if an anchor date is given, relative ones.

Found: days, months, seasons, quarters, years, decades, centuries, and ranges of them, with bare years from 1000 to
2200. Not found: dates BC, quantities that look like years (1,500; 1500 km), impossible days (31 February). `2004-05` is
a month and `2004–05` two years. No I/O; WorkCancelled is raised in a thread whose work nobody waits for.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import TypeVar

from libs.contracts.dates import PartialDate, Precision
from libs.contracts.spans import Span
from libs.language.topics.calendar import AnchoredDates, WrittenDates
from libs.runtime.threads import raise_if_cancelled
from libs.text.dates.named_dates import read_named, year_of
from libs.text.dates.phrases import NotMeantError, TimePhrase
from libs.text.dates.readings import DateReading, bounds, months_in, period
from libs.text.dates.relative_times import DATED, READERS, YEARLY, Origin
from libs.text.dates.written_dates import DateReader, written_patterns
from libs.text.memoize import memoized

_MAX_CONNECTOR = 20  # characters between the parts of a date (taste)
_YEAR_CLUE = re.compile(r"(?:1\d|2[0-2])\d\d")
"""In every date of a language without rules."""
_REACH = 80
"""How many characters around a year a date phrase may extend (taste)."""
_S = TypeVar("_S", bound=Span)


@dataclass(frozen=True, slots=True)
class DatePhrase(Span):
    """A date phrase in a text."""

    reading: DateReading | None = None
    """None if the calendar has no such date."""


@dataclass(frozen=True, slots=True)
class DateMention(DateReading):
    """A date phrase and what it covers: `text == source[start:end]`, first <= last."""

    text: str = ""
    start: int = 0
    end: int = 0


@memoized(texts=2048, longest=1000)  # taste
def find_dates(text: str, anchor: PartialDate | None = None, *, language: str) -> tuple[DateMention, ...]:
    """The dates of a text, in order and without overlaps.

    Args:
        text: prose.
        anchor: the date from which `yesterday`, `last Tuesday` or `20 July` are counted: the document's date, or the
            one mentioned just before. Phrases that need a more precise anchor are skipped; without an anchor, all are.
        language: the text's language, ISO 639-1.
    """
    phrases = written_phrases(text, language)
    if anchor is not None:
        relative = (DatePhrase(*phrase) for phrase in find_anchored(text, anchor, language))
        phrases = tuple(without_overlaps([*phrases, *relative]))
    dated = (phrase for phrase in sorted(phrases) if phrase.reading)
    return tuple(
        DateMention(dates.first, dates.last, dates.precision, dates.part, phrase.of(text), phrase.start, phrase.end)
        for phrase in joined(dated, partial(_join, text, language))
        if (dates := phrase.reading)
    )


@memoized(texts=256, longest=1000)  # taste
def written_phrases(text: str, language: str) -> tuple[DatePhrase, ...]:
    """The absolute dates; cached separately, since a sentence is often read with several anchors in a row."""
    return tuple(without_overlaps(_find_written(text, language)))


def _find_written(text: str, language: str) -> Iterator[DatePhrase]:
    for start, end in _windows(text, language):
        for regex, read in written_patterns(language):
            for match in regex.finditer(text, start, end):
                raise_if_cancelled()
                with suppress(NotMeantError):
                    yield DatePhrase(match.start(), match.end(), _reading(read, TimePhrase(match, language)))


def _reading(read: DateReader, phrase: TimePhrase) -> DateReading | None:
    try:
        return read(phrase, year_of(phrase))
    except ValueError:
        return None


def _windows(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Spans around possible years, decades and centuries: only there are the patterns tried."""
    start = end = 0
    rules = WrittenDates.of(language)
    for clue in (rules.clue if rules.forms else _YEAR_CLUE).finditer(text):
        if clue.start() - _REACH > end:
            if end:
                yield start, end
            start = clue.start() - _REACH
        end = min(len(text), clue.end() + _REACH)
    if end:
        yield start, end


def start_of_range(text: str, first: Span, second: Span, language: str) -> int | None:
    """Where `between A and B`, `from A to B` or `A–B` begins; None if the words between A and B make no range."""
    links = WrittenDates.of(language)
    connector = links.range_connector.match(text[first.end : second.start])
    if connector is None or second.start - first.end > _MAX_CONNECTOR:
        return None
    opening = links.range_opening.search(text, max(0, first.start - _MAX_CONNECTOR), first.start)
    if bool(opening and opening["between"]) != bool(connector["and"]):
        return None
    return opening.start() if opening else first.start


def _join(text: str, language: str, first: DatePhrase, second: DatePhrase) -> DatePhrase | None:
    if first.reading is None or second.reading is None or first.reading.last > second.reading.last:
        return None
    if (start := start_of_range(text, first, second, language)) is None:
        return None
    coarser = max(first.reading.precision, second.reading.precision, key=list(Precision).index)
    return DatePhrase(start, second.end, DateReading(first.reading.first, second.reading.last, coarser))


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


def without_overlaps(phrases: Iterable[_S], better: Callable[[_S], int] = lambda _: 0) -> Iterator[_S]:
    """Of overlapping phrases the first, then the longest, then the one for which `better` returns least."""
    end_of_last = 0
    for phrase in sorted(phrases, key=lambda item: (item.start, -item.end, better(item))):
        if phrase.start >= end_of_last:
            end_of_last = phrase.end
            yield phrase


def joined(phrases: Iterable[_S], join: Callable[[_S, _S], _S | None]) -> Iterator[_S]:
    """The phrases in order, with two adjacent ones replaced by what `join` makes of them."""
    last = None
    for phrase in phrases:
        whole = None if last is None else join(last, phrase)
        if last is not None:
            yield whole or last
        last = None if whole else phrase
    if last is not None:
        yield last
