"""Times that are parts of another time, or next to it: `the week before Christmas`, `the first three months of 2021`.

How ambiguous phrases are interpreted:

- `early`, `mid`, `late`, `the beginning of`, `the middle of`, `the end of` a period are its thirds, `the first half
  of` its half (of a month: 15 days); for a week or a day they are vague. After `since`, `by`, `until`, `before` or
  `after`, the beginning and the end are moments.
- `the two weeks before X` end when X begins; `two weeks before X` is the whole week two weeks earlier, like `two weeks
  ago`. Weeks after X are counted from its last day.
- `the first week of March` is its first seven days; `the last two weeks of 2020` end with the year.
- `the rest of` and `later` begin now; `earlier` ends now.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, time, timedelta
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final

from libs.contracts.dates import TimeRange
from libs.language.topics.calendar import TimeWords
from libs.language.topics.relative_time import ComposedTimes
from libs.text.dates import relative_times
from libs.text.dates.periods import DAY, half, shift, third, unit_around
from libs.text.dates.phrases import NotMeantError, TimePhrase
from libs.text.dates.relative_times import Origin, Reader
from libs.text.dates.time_mentions import TimeMention, bounded, mention_of

_REACH: Final = 60
"""How many characters before a time are searched for words that modify it (taste)."""
COMPOSED: Final = "composed"
"""The kind of these times."""


def compose(text: str, mention: TimeMention, now: datetime, language: str) -> TimeMention:
    """The longer phrase around a time, without its text; the time itself if the adjacent words do not modify it."""
    start, end = (mention.range.start, mention.range.end) if mention.range else (None, None)
    if start is None or end is None or not start.time() == end.time() == time():
        return mention
    origin = Origin(start, end, now)
    for regex, read in _patterns(language):
        if match := regex.search(text, max(0, mention.start - _REACH), mention.start):
            with suppress(NotMeantError):
                phrase = TimePhrase(match, language)
                return mention_of(match.start(), mention.end, COMPOSED, partial(read, phrase, origin))
    if match := ComposedTimes.of(language).part_after.match(text, mention.end):
        with suppress(NotMeantError):
            reader = partial(READERS["part_of_day"], TimePhrase(match, language), origin)
            return mention_of(mention.start, match.end(), COMPOSED, reader)
    return mention


@lru_cache(maxsize=64)  # taste
def _patterns(language: str) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    """The patterns of words before a time, and their readers."""
    rules = ComposedTimes.of(language)
    return tuple(
        (re.compile(rf"(?<!\w)(?:{form.pattern}){rules.article.pattern}\Z", re.IGNORECASE), READERS[kind])
        for kind, forms in rules.forms.items()
        for form in forms
    )


def _side(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`until the end of X`: the beginning or end of a period as the bound of a range."""
    words = TimeWords.of(phrase.language)
    moment = origin.end if phrase.words("side") in words.period_ends else origin.start
    return bounded(words.bounds[phrase.words("word")], TimeRange(moment, moment), origin.now)


def _rest(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`the rest of X`, or with the group `earlier` what is over of it."""
    is_earlier = phrase.text("earlier") != ""
    if not origin.start <= origin.now < origin.end or (is_earlier and origin.start == origin.now):
        raise NotMeantError
    return TimeRange(origin.start, origin.now) if is_earlier else TimeRange(origin.now, origin.end)


def _nth(phrase: TimePhrase, origin: Origin) -> TimeRange | None:
    """`the first three months of`, `the second week of`, `the last day of`, `the second Tuesday of`: a part of X."""
    if (count := phrase.count()) is None:
        return None
    unit = "week" if phrase.text("weekday") else phrase.unit()
    nth = None if phrase.words("nth") in TimeWords.of(phrase.language).last else phrase.number("nth")
    if nth and phrase.text("count") and nth != 1:
        raise NotMeantError
    start = shift(origin.end, unit, -count) if nth is None else shift(origin.start, unit, nth - 1)
    end = shift(start, unit, count) if nth else origin.end
    if phrase.text("weekday"):
        start += (phrase.number("weekday") - start.weekday()) % 7 * DAY
        end = start + DAY
    if not origin.start <= start < end <= origin.end:
        raise ValueError("it has no such part")
    return TimeRange(start, end)


def _numbered_day(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`the 5th of` a month, of 28 to 31 days."""
    if not timedelta(days=28) <= origin.end - origin.start <= timedelta(days=31):
        raise NotMeantError
    return unit_around(origin.start.replace(day=phrase.number("day")), "day")


def _unit_of(phrase: TimePhrase, origin: Origin) -> TimeRange:
    """`the week of 3 May`: the whole unit that contains it."""
    time_range = unit_around(origin.start, phrase.unit())
    if time_range.end is None or time_range.end < origin.end:
        raise NotMeantError
    return time_range


READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        "side": _side,
        "third": lambda phrase, origin: third(origin.start, origin.end, phrase.period_part()),
        "half": lambda phrase, origin: half(origin.start, origin.end, second=phrase.number("half") == 2),
        "rest": _rest,
        "rolling": relative_times.READERS["rolling"],
        "whole": relative_times.READERS["whole"],
        "nth": _nth,
        "numbered_day": _numbered_day,
        "unit_of": _unit_of,
        "part_of_day": relative_times.READERS["part_of_day"],
        "eve": lambda _, origin: TimeRange(origin.start - DAY, origin.start),
    }
)
"""The kinds of `ComposedTimes.forms`; its patterns are tried in its order."""
