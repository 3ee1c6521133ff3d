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
  before Christmas`) see `libs.text.dates.composed_times`, for units `libs.text.dates.periods`.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import lru_cache, partial

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import TimeRange
from libs.language.topics.calendar import TimeLinks, TimeWords
from libs.language.topics.relative_time import RelativeTime
from libs.text.dates.composed_times import compose
from libs.text.dates.document_dates import DateMention, find_dates, written_phrases
from libs.text.dates.periods import midnights, third
from libs.text.dates.phrases import NotMeantError, TimePhrase, words_of
from libs.text.dates.readings import YEAR, Part, bounds
from libs.text.dates.relative_times import IN_PHRASES_ONLY, READERS, UNREAD, WEEKDAY, YEARLY, Origin
from libs.text.dates.time_mentions import TimeMention, bounded, mention_of
from libs.text.spans import joined, without_overlaps

_MAX_PREPOSITION = 20  # characters (taste)
_MONTH_IN_DIGITS = rf"(?<![\d/])(?P<month>0[1-9]|1[0-2])/(?P<year>{YEAR})(?!/)"
_CYCLES = {WEEKDAY: relativedelta(weeks=1), YEARLY: relativedelta(years=1)}
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
    apart = list(without_overlaps(times, better=lambda time: 2 * (time.range is None) + (time.kind != "date")))
    whole_mentions = _compose_all(text_with_capitals, apart, now, language)
    links = TimeLinks.of(language)
    mentions = joined(whole_mentions, lambda first, second: _join(text_with_capitals, first, second, links))
    with_prepositions = (_with_preposition(text_with_capitals, mention, now, language) for mention in mentions)
    return tuple(replace(mention, text=text[mention.start : mention.end]) for mention in with_prepositions)


def _find_relative(text: str, now: datetime, language: str) -> Iterator[TimeMention]:
    for kind, regex in _patterns(language):
        for match in regex.finditer(text):
            if why := UNREAD.get(kind):
                yield TimeMention(match.start(), match.end(), None, kind, why)
                continue
            with suppress(NotMeantError):
                read = partial(READERS[kind], TimePhrase(match, language), Origin(now, now, now))
                yield mention_of(match.start(), match.end(), kind, read)


@lru_cache(maxsize=64)  # taste
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The kinds and patterns of a language; only months in digits for a language without rules."""
    forms = [(kind, form.pattern) for kind, group in RelativeTime.of(language).forms.items() for form in group]
    regexes = (*forms, ("dated", _MONTH_IN_DIGITS))
    return tuple((kind, re.compile(rf"(?<!\w)(?:{regex})(?!\w)", re.IGNORECASE)) for kind, regex in regexes)


def _find_dated(text: str, now: datetime, language: str) -> Iterator[TimeMention]:
    for date in find_dates(text, language=language):
        side = TimeLinks.of(language).side_of.match(date.text)
        start = date.start + side.end() if side else date.start
        yield mention_of(start, date.end, "date", partial(_range_of, date, "" if side else date.part, now))
    for phrase in written_phrases(text, language):
        if phrase.reading is None:
            yield TimeMention(phrase.start, phrase.end, None, "date", "impossible")


def _range_of(date: DateMention, part: Part, now: datetime) -> TimeRange | None:
    start, end = midnights(now.tzinfo, *bounds(date.first, date.last))
    return third(start, end, part) if part else TimeRange(start, end)


def _compose_all(text: str, mentions: list[TimeMention], now: datetime, language: str) -> list[TimeMention]:
    """Extend each time by the surrounding words that modify it; drop times that these words cover."""
    results: list[TimeMention] = []
    for mention in mentions:
        whole = compose(text, mention, now, language)
        while whole.start < mention.start and (wider := compose(text, whole, now, language)).start < whole.start:
            whole = wider
        while results and results[-1].end > whole.start:
            results.pop()
        if whole.kind != IN_PHRASES_ONLY:
            results.append(whole)
    return results


def _join(text: str, first: TimeMention, second: TimeMention, links: TimeLinks) -> TimeMention | None:
    """`between A and B` or `from A to B` as one range from the beginning of A to the end of B."""
    opening = links.opening.search(text, max(0, first.start - _MAX_PREPOSITION), first.start)
    connector = links.connector.match(text[first.end : second.start])
    if not (opening and connector and first.range and second.range):
        return None
    start, end = first.range.start, second.range.end
    if bool(opening["between"]) != bool(connector["and"]) or start is None or end is None:
        return None
    if start >= end and first.kind == second.kind and first.kind in _CYCLES:
        start -= _CYCLES[first.kind]
    time_range = TimeRange(start, end) if start < end else None
    return TimeMention(opening.start(), second.end, time_range, "range", "" if time_range else "impossible")


def _with_preposition(text: str, mention: TimeMention, now: datetime, language: str) -> TimeMention:
    """A time with the words that make it the bound of a range."""
    period, links = mention.range, TimeLinks.of(language)
    if period is None:
        return mention
    reach = max(0, mention.start - _MAX_PREPOSITION)
    onward = links.onward.match(text, mention.end)
    opening = links.opening.search(text, reach, mention.start)
    if onward and opening and not opening["between"]:
        return TimeMention(opening.start(), onward.end(), TimeRange(period.start), "from")
    preposition = links.bound.search(text, reach, mention.start)
    if preposition is None:
        return mention
    bound = TimeWords.of(language).bounds[words_of(preposition["word"])]
    return mention_of(preposition.start(), mention.end, bound, lambda: bounded(bound, period, now))
