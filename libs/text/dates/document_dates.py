"""Finds dates in documents: absolute ones and, if an anchor date is given, relative ones.

Found: days, months, seasons, quarters, years, decades, centuries, and ranges of them, with bare years from 1000 to
2200. Not found: dates BC, quantities that look like years (1,500; 1500 km), impossible days (31 February). `2004-05` is
a month and `2004–05` two years. No I/O; WorkCancelled is raised in a thread whose work nobody waits for.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial

from libs.contracts.dates import PartialDate, Precision
from libs.contracts.spans import Span
from libs.language.topics.calendar import WrittenDates
from libs.runtime.threads import raise_if_cancelled
from libs.text.dates.anchored_dates import find_anchored
from libs.text.dates.named_dates import year_of
from libs.text.dates.phrases import NotMeantError, TimePhrase
from libs.text.dates.readings import DateReading
from libs.text.dates.written_dates import DateReader, written_patterns
from libs.text.memoize import memoized
from libs.text.spans import joined, without_overlaps

_MAX_CONNECTOR = 20  # characters between the parts of a date (taste)
_YEAR_CLUE = re.compile(r"(?:1\d|2[0-2])\d\d")
"""In every date of a language without rules."""
_REACH = 80
"""How many characters around a year a date phrase may extend (taste)."""


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


@lru_cache(maxsize=64)  # taste
def _clue(language: str) -> re.Pattern[str]:
    """What every date contains."""
    rules = WrittenDates.of(language)
    return rules.clue if rules.forms else _YEAR_CLUE


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
    for clue in _clue(language).finditer(text):
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
