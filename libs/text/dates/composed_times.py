"""Times relative to another time: `the week before Christmas`, `the first three months of 2021`. No I/O of its own.

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
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

from libs.contracts.dates import TimeRange
from libs.language.topics.calendar import TimeWords
from libs.language.topics.relative_time import ComposedTimes
from libs.text.dates.calendar_periods import day, days, half, part_of_day, shift, third, unit_around
from libs.text.dates.time_words import TimeMention, TimePhrase, read_time

_REACH: Final = 60
"""How many characters before a time are searched for words that modify it (taste)."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A time that was found: whole days from midnight `start` to midnight `end`."""

    start: datetime
    end: datetime
    now: datetime

    @property
    def first(self) -> date:
        """The first day."""
        return self.start.date()

    @property
    def after(self) -> date:
        """The day after the last one."""
        return self.end.date()

    @property
    def is_day(self) -> bool:
        """Whether it is a single day."""
        return self.after - self.first == timedelta(days=1)

    @property
    def holds_now(self) -> bool:
        """Whether it includes now."""
        return self.start <= self.now < self.end


class _NotMeantError(Exception):
    """The words around a time do not modify it."""


COMPOSED: Final = "composed"
"""The kind of these times."""
_PhraseReader = Callable[[TimePhrase, Anchor], TimeRange | None]


def compose(text: str, mention: TimeMention, now: datetime, language: str) -> TimeMention:
    """The longer phrase around a time, without its text; the time itself if the adjacent words do not modify it."""
    time_range, start, end = mention.range or TimeRange(), mention.start, mention.end
    if not (time_range.start and time_range.end and _is_midnight(time_range.start) and _is_midnight(time_range.end)):
        return mention
    anchor = Anchor(time_range.start, time_range.end, now)
    for regex, read in _patterns(language):
        match = regex.search(text, max(0, start - _REACH), start)
        if match:
            with suppress(_NotMeantError):
                composed_range, why = read_time(read, TimePhrase(match, language), anchor)
                return TimeMention("", match.start(), end, composed_range, COMPOSED, why)
    if anchor.is_day and (match := ComposedTimes.of(language).part_after.match(text, end)):
        composed_range, why = read_time(_read_part_of_day, TimePhrase(match, language), anchor)
        return TimeMention("", start, match.end(), composed_range, COMPOSED, why)
    return mention


@lru_cache(maxsize=64)  # taste
def _patterns(language: str) -> tuple[tuple[re.Pattern[str], _PhraseReader], ...]:
    """The patterns of words before a time, and their readers."""
    rules = ComposedTimes.of(language)
    forms = ((rules.forms[kind].pattern, read) for kind, read in KINDS if kind in rules.forms)
    article = rules.article.pattern
    return tuple((re.compile(rf"(?<!\w)(?:{form}){article}\Z", re.IGNORECASE), read) for form, read in forms)


def _is_midnight(moment: datetime) -> bool:
    return (moment.hour, moment.minute, moment.second) == (0, 0, 0)


def _read_side(phrase: TimePhrase, anchor: Anchor) -> TimeRange | None:
    """`until the end of X`: the beginning or end of a period as the bound of a range."""
    words = TimeWords.of(phrase.language)
    moment = anchor.end if phrase.words("side") in words.period_ends else anchor.start
    bound = words.bounds[phrase.words("word")]
    if bound == "since":
        if moment >= anchor.now:
            raise ValueError("since a time to come")
        return TimeRange(moment, anchor.now)
    return TimeRange(moment, None) if bound in ("after", "from") else TimeRange(None, moment)


def _read_third(phrase: TimePhrase, anchor: Anchor) -> TimeRange | None:
    return third(anchor.now, anchor.first, anchor.after, phrase.period_part())


def _read_half(phrase: TimePhrase, anchor: Anchor) -> TimeRange | None:
    is_second = TimeWords.of(phrase.language).halves[phrase.words("half")] == 2
    return half(anchor.now, anchor.first, anchor.after, second=is_second)


def _read_rest(phrase: TimePhrase, anchor: Anchor) -> TimeRange:
    if not anchor.holds_now:
        raise _NotMeantError
    return TimeRange(anchor.now, anchor.end)


def _read_earlier(phrase: TimePhrase, anchor: Anchor) -> TimeRange:
    if not anchor.start < anchor.now < anchor.end:
        raise _NotMeantError
    return TimeRange(anchor.start, anchor.now)


def _read_neighbour(phrase: TimePhrase, anchor: Anchor) -> TimeRange | None:
    """`the two weeks before X`: a period of the stated length, adjacent to X."""
    if not (count := _count(phrase)):
        return None
    if phrase.direction() < 0:
        return TimeRange(shift(anchor.start, phrase.unit(), -count), anchor.start)
    return TimeRange(anchor.end, shift(anchor.end, phrase.unit(), count))


def _read_offset(phrase: TimePhrase, anchor: Anchor) -> TimeRange | None:
    """`two weeks before X`: the whole unit at that distance from X."""
    if not (count := _count(phrase)):
        return None
    unit, direction = phrase.unit(), phrase.direction()
    origin = anchor.start if direction < 0 else anchor.end - timedelta(days=1)
    moment = shift(origin, unit, direction * count)
    return unit_around(anchor.now, moment.date(), "year" if unit == "decade" else unit)


def _count(phrase: TimePhrase) -> int:
    """The number of units; 0 if it is vague. Words that are no number do not modify the time."""
    count = phrase.count() or 0
    if not count and not phrase.is_vague:
        raise _NotMeantError
    return count


def _read_nth(phrase: TimePhrase, anchor: Anchor) -> TimeRange | None:
    """`the first three months of`, `the second week of`, `the last day of`: a part of X."""
    if not (count := _count(phrase)):
        return None
    unit, nth = phrase.unit(), _nth(phrase)
    if nth and phrase.text("count") and nth != 1:
        raise _NotMeantError
    if nth is None:
        time_range = TimeRange(shift(anchor.end, unit, -count), anchor.end)
    else:
        time_range = TimeRange(shift(anchor.start, unit, nth - 1), shift(anchor.start, unit, nth - 1 + count))
    assert time_range.start
    assert time_range.end
    if time_range.start < anchor.start or time_range.end > anchor.end:
        raise ValueError("it has no such part")
    return time_range


def _nth(phrase: TimePhrase) -> int | None:
    """The ordinal as a number; None for the last."""
    return None if phrase.words("nth") in TimeWords.of(phrase.language).last else phrase.ordinal("nth")


def _read_nth_weekday(phrase: TimePhrase, anchor: Anchor) -> TimeRange:
    """`the second Tuesday of`, `the last Friday in` a month or another period."""
    weekday, nth = phrase.weekday(), _nth(phrase)
    if nth is None:
        last = anchor.after - timedelta(days=1)
        result = last - timedelta(days=(last.weekday() - weekday) % 7)
    else:
        result = anchor.first + timedelta(days=(weekday - anchor.first.weekday()) % 7, weeks=nth - 1)
    if not anchor.first <= result < anchor.after:
        raise ValueError("it has no such day")
    return day(anchor.now, result)


def _read_numbered_day(phrase: TimePhrase, anchor: Anchor) -> TimeRange:
    """`the 5th of` a month, of 28 to 31 days."""
    if not timedelta(days=28) <= anchor.after - anchor.first <= timedelta(days=31):
        raise _NotMeantError
    return day(anchor.now, anchor.first.replace(day=phrase.ordinal("day")))


def _read_unit_of(phrase: TimePhrase, anchor: Anchor) -> TimeRange:
    """`the week of 3 May`: the whole unit that contains it."""
    time_range = unit_around(anchor.now, anchor.first, phrase.unit())
    if time_range.end is None or time_range.end < anchor.end:
        raise _NotMeantError
    return time_range


def _read_part_of_day(phrase: TimePhrase, anchor: Anchor) -> TimeRange:
    if not anchor.is_day:
        raise _NotMeantError
    return part_of_day(anchor.now, anchor.first, phrase.day_part())


def _read_day_beside(phrase: TimePhrase, anchor: Anchor) -> TimeRange:
    """`the eve of X`: the day before it."""
    return days(anchor.now, anchor.first - timedelta(days=1), anchor.first)


KINDS: Final[tuple[tuple[str, _PhraseReader], ...]] = (
    ("side", _read_side),
    ("third", _read_third),
    ("third_of", _read_third),
    ("half", _read_half),
    ("rest", _read_rest),
    ("earlier", _read_earlier),
    ("neighbour", _read_neighbour),
    ("offset", _read_offset),
    ("nth", _read_nth),
    ("nth_weekday", _read_nth_weekday),
    ("numbered_day", _read_numbered_day),
    ("unit_of", _read_unit_of),
    ("part_of_day", _read_part_of_day),
    ("eve", _read_day_beside),
)
"""The kinds of `ComposedTimes.forms`. Their groups: `word` (see `TimeWords.bounds`) and `side`; `part`; `half`;
`count`, `unit` and `way`; `nth`; `weekday`; `day`, an ordinal number in digits or words."""
