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
- `early`, `mid`, `late`, `the beginning of`, `the middle of`, `the end of` a period are its thirds: `early 2004` is its
  first four months, `late March` begins on the 21st.
- `the two weeks before X` end when X begins; `two weeks before X` is the whole week two weeks earlier, like `two weeks
  ago`. Weeks after X are counted from its last day.
- `the first week of March` is its first seven days; `the last two weeks of 2020` end with the year. Parts of a day are
  read as the day.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, time
from functools import lru_cache, partial
from typing import Final, Literal

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import TimeRange
from libs.contracts.spans import Span
from libs.language.topics.calendar import RelativeTime, TimeWords, WrittenDates
from libs.text.dates.document_dates import (
    DateMention,
    find_dates,
    joined,
    start_of_range,
    without_overlaps,
    written_phrases,
)
from libs.text.dates.phrases import NotMeantError, TimePhrase
from libs.text.dates.readings import bounds, midnights, third
from libs.text.dates.relative_times import READERS, WEEKDAY, YEARLY, Origin

COMPOSED: Final = "composed"
"""The kind of a time that is told by another one: `the week before Christmas`."""
_REACH: Final = 60
"""How many characters before a time are searched for words that modify it (taste)."""
_MAX_PREPOSITION: Final = 20  # characters (taste)
_CYCLES: Final = {WEEKDAY: relativedelta(weeks=1), YEARLY: relativedelta(years=1)}
"""How far a range's start moves back if it lies after the end: in May, `from March to July` is all of last year's."""


@dataclass(frozen=True, slots=True)
class TimeMention(Span):
    """A time phrase in a question and its exact meaning: `text == question[start:end]`."""

    range: TimeRange | None = None
    """None if the phrase has no exact meaning, for the reason in `why`."""
    kind: str = ""
    """The kind of phrase: `whole`, `weekday`, `date`, `since` …"""
    why: Literal["", "vague", "impossible"] = ""
    """`vague` (recently, the past few months), or `impossible` (31 February, 9000 years ago)."""
    text: str = ""


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
    apart = list(without_overlaps(times, better=lambda time: 2 * (time.range is None) + (time.kind != "date")))
    whole_mentions = _compose_all(text_with_capitals, apart, language)
    mentions = joined(whole_mentions, partial(_join, text_with_capitals, language))
    with_prepositions = (_with_preposition(text_with_capitals, mention, now, language) for mention in mentions)
    return tuple(replace(mention, text=text[mention.start : mention.end]) for mention in with_prepositions)


def _mention(start: int, end: int, kind: str, read: Callable[[], TimeRange | None]) -> TimeMention:
    """A phrase, without its text, with the range that a reader returns, or the reason why it has no exact one."""
    try:
        time_range = read()
    except (OverflowError, ValueError):
        return TimeMention(start, end, None, kind, "impossible")
    return TimeMention(start, end, time_range, kind, "" if time_range else "vague")


def _find_relative(text: str, now: datetime, language: str) -> Iterator[TimeMention]:
    for kind, regex in _patterns(language, False):
        for match in regex.finditer(text):
            with suppress(NotMeantError):
                read = partial(READERS[kind], TimePhrase(match, language), Origin(now, now))
                yield _mention(match.start(), match.end(), kind, read)


@lru_cache(maxsize=64)  # taste
def _patterns(language: str, is_before: bool) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The kinds and patterns of times, or of words before one."""
    rules = RelativeTime.of(language)
    kinds, ending = (rules.composed, rf"{rules.article.pattern}\Z") if is_before else (rules.forms, r"(?!\w)")
    return tuple(
        (kind, re.compile(rf"(?<!\w)(?:{form.pattern}){ending}", re.IGNORECASE))
        for kind, forms in kinds.items()
        for form in forms
    )


def _find_dated(text: str, now: datetime, language: str) -> Iterator[TimeMention]:
    for date in find_dates(text, language=language):
        yield _mention(date.start, date.end, "date", partial(_range_of, date, now))
    for phrase in written_phrases(text, language):
        if phrase.reading is None:
            yield TimeMention(phrase.start, phrase.end, None, "date", "impossible")


def _range_of(date: DateMention, now: datetime) -> TimeRange:
    start, end = midnights(now.tzinfo, *bounds(date))
    return third(start, end, date.part) if date.part else TimeRange(start, end)


def _compose_all(text: str, mentions: list[TimeMention], language: str) -> list[TimeMention]:
    """Extend each time by the words before it that modify it; drop times that these words cover."""
    results: list[TimeMention] = []
    for mention in mentions:
        whole = mention
        while (wider := _compose(text, whole, language)) is not None:
            whole = wider
        while results and results[-1].end > whole.start:
            results.pop()
        results.append(whole)
    return results


def _compose(text: str, mention: TimeMention, language: str) -> TimeMention | None:
    """The longer phrase around a time of whole days; None if the words before do not modify it."""
    start, end = (mention.range.start, mention.range.end) if mention.range else (None, None)
    if start is None or end is None or not start.time() == end.time() == time():
        return None
    for kind, regex in _patterns(language, True):
        if match := regex.search(text, max(0, mention.start - _REACH), mention.start):
            with suppress(NotMeantError):
                reader = partial(READERS[kind], TimePhrase(match, language), Origin(start, end))
                return _mention(match.start(), mention.end, COMPOSED, reader)
    return None


def _join(text: str, language: str, first: TimeMention, second: TimeMention) -> TimeMention | None:
    """`between A and B` or `from A to B` as one range from the beginning of A to the end of B."""
    opening = start_of_range(text, first, second, language)
    if opening is None or opening == first.start or not first.range or not second.range:
        return None
    start, end = first.range.start, second.range.end
    if start is None or end is None:
        return None
    if start >= end and first.kind == second.kind and first.kind in _CYCLES:
        start -= _CYCLES[first.kind]
    time_range = TimeRange(start, end) if start < end else None
    return TimeMention(opening, second.end, time_range, "range", "" if time_range else "impossible")


def _with_preposition(text: str, mention: TimeMention, now: datetime, language: str) -> TimeMention:
    """A time with the words that make it the bound of a range."""
    period, links = mention.range, WrittenDates.of(language)
    if period is None:
        return mention
    reach = max(0, mention.start - _MAX_PREPOSITION)
    onward = links.onward.match(text, mention.end)
    opening = links.range_opening.search(text, reach, mention.start)
    if onward and opening and not opening["between"]:
        return TimeMention(opening.start(), onward.end(), TimeRange(period.start), "from")
    preposition = links.bound.search(text, reach, mention.start)
    if preposition is None:
        return mention
    bound = TimeWords.of(language).bounds[TimePhrase(preposition, language).words("word")]
    return _mention(preposition.start(), mention.end, bound, partial(_bounded, bound, period, now))


def _bounded(bound: str, period: TimeRange, now: datetime) -> TimeRange:
    """Apply `since`, `from`, `before`, `after` or `until` to a period.

    Raises:
        ValueError: the time since which something lasts is in the future.
    """
    if bound == "since":
        if period.start is None or period.start >= now:
            raise ValueError("since a time to come")
        return TimeRange(period.start, now)
    if bound in ("from", "after"):
        return TimeRange(period.start if bound == "from" else period.end, None)
    return TimeRange(None, period.start if bound == "before" else period.end)
