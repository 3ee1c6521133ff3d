"""Resolves times in questions to exact ranges: `last week`, `since Easter`, `in July 1969`, `over the past decade`.

Every range is [start, end) in the time zone of `now`; one side is open (None) in `before 1970` and `after May 2004`.
How ambiguous phrases are interpreted:

- `last week`, `this month`, `next year` are whole calendar units (a week begins on Monday); `the past week`, `the last
  three months` end now; `the next two weeks` begin now.
- `last Tuesday` is the latest before today, `next Tuesday` the first after today, `this Tuesday` that of this week,
  `on Tuesday` the latest that is not in the future. The same holds for months, seasons, days and holidays without a
  year.
- `two weeks ago` is the whole week two weeks back, `five years ago` the whole year, `an hour ago` the hour.
- `since X` begins with X and ends now; `after X` begins when X is over; `before X` ends when X begins; `until X` and
  `by X` end with X.
- `early 2004` is its first four months, `late March` begins on the 21st. For times relative to another one (`the week
  before Christmas`) see `libs.text.dates.composed_times`, for units `libs.text.dates.calendar_periods`.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import TimeRange
from libs.language.topics.calendar import TimeLinks, TimeWords
from libs.language.topics.relative_time import RelativeTime
from libs.text.dates.calendar_periods import partial
from libs.text.dates.composed_times import compose
from libs.text.dates.date_readings import Why
from libs.text.dates.document_dates import DateMention, find_dates
from libs.text.dates.relative_patterns import TimePattern, time_patterns
from libs.text.dates.time_words import TimeMention, TimePhrase, read_time, words_of

_DIGIT = re.compile(r"\d")
_MAX_PREPOSITION = 20  # characters (taste)
_IN_PHRASES_ONLY = "unit of now"
"""`the year` is a time only within a phrase such as `the rest of the year`."""
_CYCLES = {"weekday": relativedelta(weeks=1), "month": relativedelta(years=1), "day of a month": relativedelta(years=1)}
"""How far a range's start moves back if it lies after the end: in May, `from March to July` is all of last year's."""


def find_time_ranges(text: str, now: datetime, language: str) -> tuple[TimeMention, ...]:
    """The times of a question, in order and without overlaps.

    Args:
        text: a question, in any case.
        now: when it is asked; time zone aware. All ranges are in its time zone.
        language: the question's language, ISO 639-1.

    Raises:
        ValueError: `now` has no time zone.
    """
    if now.tzinfo is None:
        raise ValueError("now must have a time zone")
    # Lower-case months and weekdays are capitalised first, which keeps all offsets; `may` and `march` only if the
    # context shows that they are months.
    text_with_capitals = RelativeTime.of(language).lower_names.sub(lambda match: match[0].capitalize(), text)
    times = [*_find_relative(text_with_capitals, now, language), *_find_dated(text_with_capitals, now, language)]
    whole_mentions = list(_compose_all(text_with_capitals, list(_without_overlaps(times)), now, language))
    mentions = list(_join_ranges(text_with_capitals, whole_mentions, language))
    return tuple(
        _with_text(text, _with_preposition(text_with_capitals, mention, now, language)) for mention in mentions
    )


def _find_relative(text: str, now: datetime, language: str) -> Iterator[TimeMention]:
    is_telling = _DIGIT.search(text) or RelativeTime.of(language).telling.search(text.lower())
    for pattern in time_patterns(language) if is_telling else ():
        for match in pattern.regex.finditer(text):
            yield _read_pattern(pattern, TimePhrase(match, language), now)


def _read_pattern(pattern: TimePattern, phrase: TimePhrase, now: datetime) -> TimeMention:
    time_range, why = read_time(pattern.read, phrase, now)
    match = phrase.match
    return TimeMention(match[0], match.start(), match.end(), time_range, pattern.name, why)


def _find_dated(text: str, now: datetime, language: str) -> Iterator[TimeMention]:
    for mention in find_dates(text, language=language):
        side = TimeLinks.of(language).side_of.match(mention.text)
        if side is None:
            yield TimeMention(mention.text, mention.start, mention.end, _range_of(mention, now), "date")
        else:
            whole = _range_of(replace(mention, part=""), now)
            yield TimeMention("", mention.start + side.end(), mention.end, whole, "date")


def _range_of(mention: DateMention, now: datetime) -> TimeRange:
    return partial(now, mention.first, mention.last, mention.precision, mention.part)


def _without_overlaps(mentions: list[TimeMention]) -> Iterator[TimeMention]:
    """Of overlapping phrases keep the first, then the longest, then one with a range, then an absolute one."""
    end_of_last = 0
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end, m.range is None, m.kind != "date")):
        if mention.start >= end_of_last:
            end_of_last = mention.end
            yield mention


def _compose_all(text: str, mentions: list[TimeMention], now: datetime, language: str) -> list[TimeMention]:
    """Extend each time by the surrounding words that modify it; drop times that these words cover."""
    results: list[TimeMention] = []
    for mention in mentions:
        whole = compose(text, mention, now, language)
        while whole.start < mention.start and (wider := compose(text, whole, now, language)).start < whole.start:
            whole = wider
        while results and results[-1].end > whole.start:
            results.pop()
        if whole.kind != _IN_PHRASES_ONLY:
            results.append(whole)
    return results


def _join_ranges(text: str, mentions: list[TimeMention], language: str) -> Iterator[TimeMention]:
    """Join `between A and B` or `from A to B` to one range from the beginning of A to the end of B."""
    position = 0
    while position < len(mentions):
        mention = mentions[position]
        position += 1
        if position < len(mentions) and (time_range := _join(text, mention, mentions[position], language)):
            mention = time_range
            position += 1
        yield mention


def _join(text: str, first: TimeMention, second: TimeMention, language: str) -> TimeMention | None:
    links = TimeLinks.of(language)
    opening = links.opening.search(text, max(0, first.start - _MAX_PREPOSITION), first.start)
    connector = links.connector.match(text[first.end : second.start])
    if not (opening and connector and first.range and second.range):
        return None
    if bool(opening["between"]) != bool(connector["and"]) or first.range.start is None or second.range.end is None:
        return None
    start = first.range.start
    if start >= second.range.end and first.kind == second.kind and first.kind in _CYCLES:
        start -= _CYCLES[first.kind]
    forward = start < second.range.end
    time_range = TimeRange(start, second.range.end) if forward else None
    why: Why = "" if forward else "impossible"
    return TimeMention(text[opening.start() : second.end], opening.start(), second.end, time_range, "range", why)


def _with_preposition(text: str, mention: TimeMention, now: datetime, language: str) -> TimeMention:
    if mention.range is None:
        return mention
    links = TimeLinks.of(language)
    onward = links.onward.match(text, mention.end)
    opening = links.opening.search(text, max(0, mention.start - _MAX_PREPOSITION), mention.start)
    if onward and opening and not opening["between"]:
        return _with_text(text, TimeMention("", opening.start(), onward.end(), TimeRange(mention.range.start), "from"))
    preposition = links.bound.search(text, max(0, mention.start - _MAX_PREPOSITION), mention.start)
    if preposition is None:
        return mention
    bound = TimeWords.of(language).bounds[words_of(preposition["word"])]
    time_range = _apply_bound(bound, mention.range, now)
    why: Why = "" if time_range else "impossible"
    return TimeMention("", preposition.start(), mention.end, time_range, bound, why)


def _apply_bound(bound: str, stretch: TimeRange, now: datetime) -> TimeRange | None:
    """Apply `since`, `from`, `before`, `after` or `until` to a period; None for `since` a time in the future."""
    if bound == "since":
        return TimeRange(stretch.start, now) if stretch.start and stretch.start < now else None
    if bound == "from":
        return TimeRange(stretch.start, None)
    if bound == "before":
        return TimeRange(None, stretch.start)
    return TimeRange(stretch.end, None) if bound == "after" else TimeRange(None, stretch.end)


def _with_text(text: str, mention: TimeMention) -> TimeMention:
    return replace(mention, text=text[mention.start : mention.end])
