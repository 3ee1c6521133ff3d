"""Finds dates in documents: absolute ones and, if an anchor date is given, relative ones.

Found: days, months, seasons, quarters, years, decades, centuries, and ranges of them, with bare years from 1000 to
2200. Not found: dates BC, quantities that look like years (1,500; 1500 km), impossible days (31 February). `2004-05` is
a month and `2004–05` two years. No I/O; WorkCancelled is raised in a thread whose work nobody waits for.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from libs.contracts.dates import PartialDate, Precision
from libs.language.topics.calendar import TimeLinks, WrittenDates
from libs.runtime.threads import raise_if_cancelled
from libs.text.dates.absolute_dates import absolute_patterns
from libs.text.dates.anchored_dates import find_anchored
from libs.text.dates.bare_years import find_bare_years
from libs.text.dates.date_readings import DateReading, Part
from libs.text.dates.time_words import TimePhrase
from libs.text.memoize import memoized

_MAX_CONNECTOR = 16  # characters between the parts of a date (taste)
_YEAR_CLUE = re.compile(r"(?:1\d|2[0-2])\d\d")
"""In every date of a language without rules."""
_REACH = 80
"""How many characters around a year a date phrase may extend (taste)."""

_DatePhrase = tuple[int, int, DateReading | None]


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date phrase and what it covers: `text == source[start:end]`, first <= last."""

    text: str
    start: int
    end: int
    first: PartialDate
    last: PartialDate
    """Equal to `first` for a single day, month or year."""
    precision: Precision
    part: Part = ""
    """`early`, `mid` or `late` if only that third of the period is meant."""
    relative: bool = False
    """Counted from the anchor: `the next day`, `in July`."""


@memoized(texts=2048, longest=1000)  # taste
def find_dates(text: str, anchor: PartialDate | None = None, *, language: str) -> tuple[DateMention, ...]:
    """The dates of a text, in order and without overlaps.

    Args:
        text: prose.
        anchor: the date from which `yesterday`, `last Tuesday` or `20 July` are counted: the document's date, or the
            one mentioned just before. Phrases that need a more precise anchor are skipped; without an anchor, all are.
        language: the text's language, ISO 639-1.
    """
    if anchor is None and not _clue(language).search(text):
        return ()
    phrases = _absolute(text, language)
    mentions = list(_join_ranges(text, [(start, end, reading) for start, end, reading in phrases if reading], language))
    if anchor is not None:
        absolute = [(start, end, None) for start, end, _ in phrases]
        anchored_dates = find_anchored(text, anchor, language)
        relative = [item for item in _without_overlaps([*absolute, *anchored_dates]) if item[2] is not None]
        mentions += [_mention(text, start, end, reading, relative=True) for start, end, reading in relative if reading]
    return tuple(sorted(mentions, key=lambda mention: mention.start))


@memoized(texts=256, longest=1000)  # taste
def _absolute(text: str, language: str) -> tuple[_DatePhrase, ...]:
    """The absolute dates; cached separately, since a sentence is often read with several anchors in a row."""
    return tuple(_without_overlaps(_find_absolute(text, language)))


@lru_cache(maxsize=64)  # taste
def _clue(language: str) -> re.Pattern[str]:
    """What every date contains."""
    rules = WrittenDates.of(language)
    return rules.clue if rules.forms else _YEAR_CLUE


def _find_absolute(text: str, language: str) -> Iterator[_DatePhrase]:
    ends = set()
    patterns = absolute_patterns(language)
    for start, end in _windows(text, language):
        for pattern in patterns:
            if pattern.might_match(text, start, end):
                for match in pattern.regex.finditer(text, start, end):
                    raise_if_cancelled()
                    ends.add(match.end())
                    yield match.start(), match.end(), pattern.read(TimePhrase(match, language))
    yield from find_bare_years(text, ends, language)


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


def _without_overlaps(phrases: Iterator[_DatePhrase] | list[_DatePhrase]) -> Iterator[_DatePhrase]:
    """Keep the first, then longest, of overlapping phrases; phrases without a reading take their place too."""
    end_of_last = 0
    for start, end, reading in sorted(phrases, key=lambda item: (item[0], -item[1])):
        if start >= end_of_last:
            end_of_last = end
            yield start, end, reading


def _join_ranges(text: str, phrases: list[tuple[int, int, DateReading]], language: str) -> Iterator[DateMention]:
    """Join two dates connected by `to`, a dash, or `between … and …` to one range."""
    position = 0
    while position < len(phrases):
        start, end, reading = phrases[position]
        position += 1
        if position < len(phrases) and (date_range := _join(text, phrases[position - 1], phrases[position], language)):
            start, end, reading = date_range
            position += 1
        yield _mention(text, start, end, reading)


def _join(
    text: str, first: tuple[int, int, DateReading], second: tuple[int, int, DateReading], language: str
) -> tuple[int, int, DateReading] | None:
    if second[0] - first[1] > _MAX_CONNECTOR:
        return None
    links = TimeLinks.of(language)
    connector = links.connector.match(text[first[1] : second[0]])
    opening = links.opening.search(text[max(0, first[0] - _MAX_CONNECTOR) : first[0]])
    has_between = opening is not None and opening["between"] is not None
    if connector is None or has_between != (connector["and"] is not None) or first[2].last > second[2].last:
        return None
    start = first[0] - (len(opening[0]) if opening else 0)
    coarser = max(first[2].precision, second[2].precision, key=list(Precision).index)
    return start, second[1], DateReading(first[2].first, second[2].last, coarser)


def _mention(text: str, start: int, end: int, reading: DateReading, relative: bool = False) -> DateMention:
    return DateMention(
        text[start:end], start, end, reading.first, reading.last, reading.precision, reading.part, relative
    )
