"""Times that are relative to another time: `the week before Christmas`, `the first three months of 2021`.

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
from typing import Final

from libs.contracts.dates import TimeRange
from libs.text.calendar_words import ORDINALS, WEEKDAY, weekday_number
from libs.text.date_readings import Part, Why
from libs.text.number_words import small_number
from libs.text.time_stretches import day, days, half, part_of_day, shift, third, unit_around

_REACH: Final = 60
"""How many characters before a time are searched for words that modify it."""
_UNIT: Final = r"(?P<unit>day|week|fortnight|month|quarter|year|decade)"
_COUNT: Final = r"(?P<count>\d{1,4}|an?|a\s+couple\s+of|a\s+few|few|several|many|some|[a-z]{3,9}(?:-[a-z]{3,5})?)"
_ORDINAL: Final = "|".join(sorted(ORDINALS, key=len, reverse=True))
_NTH: Final = rf"(?P<nth>last|final|\d{{1,3}}(?:st|nd|rd|th)|{_ORDINAL})"
_PARTS: Final[dict[str, Part]] = {
    "early": "early",
    "beginning": "early",
    "start": "early",
    "mid": "mid",
    "middle": "mid",
    "late": "late",
    "end": "late",
}
_DAY_PART: Final = r"(?P<part>morning|afternoon|evening|night)"


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


@dataclass(frozen=True, slots=True)
class ComposedTime:
    """The longer phrase and its range; None if it has no exact range, for the reason in `why`."""

    start: int
    end: int
    range: TimeRange | None
    why: Why = ""


class _NotMeantError(Exception):
    """The words around a time do not modify it."""


_PhraseReader = Callable[[re.Match[str], Anchor], TimeRange | None]


def compose(text: str, start: int, end: int, time_range: TimeRange, now: datetime) -> ComposedTime | None:
    """The longer phrase around the time at `text[start:end]`; None if the adjacent words do not modify it."""
    if (
        time_range.start is None
        or time_range.end is None
        or not (_is_midnight(time_range.start) and _is_midnight(time_range.end))
    ):
        return None
    anchor = Anchor(time_range.start, time_range.end, now)
    for regex, read in _BEFORE:
        match = regex.search(text, max(0, start - _REACH), start)
        if match:
            with suppress(_NotMeantError):
                return _read_composed(match.start(), end, read, match, anchor)
    if anchor.is_day and (match := _DAY_PART_AFTER.match(text, end)):
        return _read_composed(start, match.end(), _read_part_of_day, match, anchor)
    return None


def _read_composed(start: int, end: int, read: _PhraseReader, match: re.Match[str], anchor: Anchor) -> ComposedTime:
    try:
        time_range = read(match, anchor)
    except OverflowError:
        return ComposedTime(start, end, None, "outside")
    except ValueError:
        return ComposedTime(start, end, None, "impossible")
    return ComposedTime(start, end, time_range, "" if time_range else "vague")


def _is_midnight(moment: datetime) -> bool:
    return (moment.hour, moment.minute, moment.second) == (0, 0, 0)


def _read_side(match: re.Match[str], anchor: Anchor) -> TimeRange | None:
    """`until the end of X`: the beginning or end of a period as the bound of a range."""
    word, moment = match["word"].lower(), anchor.end if match["side"].lower() == "end" else anchor.start
    if word == "since":
        if moment >= anchor.now:
            raise ValueError("since a time to come")
        return TimeRange(moment, anchor.now)
    return TimeRange(moment, None) if word == "after" else TimeRange(None, moment)


def _read_third(match: re.Match[str], anchor: Anchor) -> TimeRange | None:
    return third(anchor.now, anchor.first, anchor.after, _PARTS[match["part"].lower()])


def _read_half(match: re.Match[str], anchor: Anchor) -> TimeRange | None:
    return half(anchor.now, anchor.first, anchor.after, second=match["half"].lower() in ("second", "latter", "last"))


def _read_rest(match: re.Match[str], anchor: Anchor) -> TimeRange:
    if not anchor.holds_now:
        raise _NotMeantError
    return TimeRange(anchor.now, anchor.end)


def _read_earlier(match: re.Match[str], anchor: Anchor) -> TimeRange:
    if not anchor.start < anchor.now < anchor.end:
        raise _NotMeantError
    return TimeRange(anchor.start, anchor.now)


def _count_of(match: re.Match[str]) -> int | None:
    """The number of units; 1 if not stated, None for `a few`."""
    words = " ".join((match["count"] or "a").lower().split())
    return 2 if words == "a couple of" else small_number(words)


def _read_neighbour(match: re.Match[str], anchor: Anchor) -> TimeRange | None:
    """`the two weeks before X`: a period of the stated length, adjacent to X."""
    count = _count_of(match)
    if not count:
        _demand_vague(match)
        return None
    if match["way"].lower() in ("before", "preceding"):
        return TimeRange(shift(anchor.start, match["unit"].lower(), -count), anchor.start)
    return TimeRange(anchor.end, shift(anchor.end, match["unit"].lower(), count))


def _read_offset(match: re.Match[str], anchor: Anchor) -> TimeRange | None:
    """`two weeks before X`: the whole unit at that distance from X."""
    count, unit = _count_of(match), match["unit"].lower()
    if not count:
        _demand_vague(match)
        return None
    before = match["way"].lower() in ("before", "preceding")
    origin = anchor.start if before else anchor.end - timedelta(days=1)
    moment = shift(origin, unit, -count if before else count)
    return unit_around(anchor.now, moment.date(), "year" if unit == "decade" else unit)


def _demand_vague(match: re.Match[str]) -> None:
    if not _VAGUE_COUNT.fullmatch(match["count"] or ""):
        raise _NotMeantError


def _read_nth(match: re.Match[str], anchor: Anchor) -> TimeRange | None:
    """`the first three months of`, `the second week of`, `the last day of`: a part of X."""
    count, unit = _count_of(match), match["unit"].lower()
    if not count:
        _demand_vague(match)
        return None
    nth = _nth(match)
    if nth and match["count"] and nth != 1:
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


def _nth(match: re.Match[str]) -> int | None:
    """The ordinal as a number; None for the last."""
    word = match["nth"].lower()
    if word in ("last", "final"):
        return None
    return ORDINALS.get(word) or int(re.sub(r"\D", "", word))


def _read_nth_weekday(match: re.Match[str], anchor: Anchor) -> TimeRange:
    """`the second Tuesday of`, `the last Friday in` a month or another period."""
    weekday, nth = weekday_number(match["weekday"]), _nth(match)
    if nth is None:
        last = anchor.after - timedelta(days=1)
        result = last - timedelta(days=(last.weekday() - weekday) % 7)
    else:
        result = anchor.first + timedelta(days=(weekday - anchor.first.weekday()) % 7, weeks=nth - 1)
    if not anchor.first <= result < anchor.after:
        raise ValueError("it has no such day")
    return day(anchor.now, result)


def _read_numbered_day(match: re.Match[str], anchor: Anchor) -> TimeRange:
    """`the 5th of` a month."""
    if not timedelta(days=28) <= anchor.after - anchor.first <= timedelta(days=31):
        raise _NotMeantError
    return day(anchor.now, anchor.first.replace(day=int(match["day"] or ORDINALS[match["word"].lower()])))


def _read_unit_of(match: re.Match[str], anchor: Anchor) -> TimeRange:
    """`the week of 3 May`: the whole unit that contains it."""
    time_range = unit_around(anchor.now, anchor.first, match["unit"].lower())
    if time_range.end is None or time_range.end < anchor.end:
        raise _NotMeantError
    return time_range


def _read_part_of_day(match: re.Match[str], anchor: Anchor) -> TimeRange:
    if not anchor.is_day:
        raise _NotMeantError
    return part_of_day(anchor.now, anchor.first, match["part"].lower())


def _read_day_beside(match: re.Match[str], anchor: Anchor) -> TimeRange:
    """`the eve of X`: the day before it."""
    return days(anchor.now, anchor.first - timedelta(days=1), anchor.first)


def _ending(regex: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{regex})(?:the\s+)?\Z", re.IGNORECASE)


_VAGUE_COUNT: Final = re.compile(r"(?:a\s+)?few|several|many|some", re.I)
_DAY_PART_AFTER: Final = re.compile(rf"\s+{_DAY_PART}\b", re.I)
_WAY: Final = r"(?P<way>before|after|preceding|following)\s+"
_BEFORE: Final[tuple[tuple[re.Pattern[str], _PhraseReader], ...]] = (
    (
        _ending(
            r"(?P<word>since|until|till|by|before|after|through|up\s+to)\s+the\s+(?P<side>beginning|start|end)\s+of\s+"
        ),
        _read_side,
    ),
    (_ending(r"(?P<part>early|mid|late)(?:\s+in)?[\s-]+"), _read_third),
    (_ending(r"(?:the\s+)?(?:very\s+)?(?P<part>beginning|start|middle|end)\s+of\s+"), _read_third),
    (_ending(r"(?:the\s+)?(?P<half>first|second|latter|last)\s+half\s+of\s+"), _read_half),
    (_ending(r"(?:the\s+)?(?:rest|remainder)\s+of\s+|later\s+(?:in\s+)?"), _read_rest),
    (_ending(r"earlier\s+(?:in\s+)?"), _read_earlier),
    (_ending(rf"(?:the|within)\s+(?:{_COUNT}\s+)?{_UNIT}s?\s+{_WAY}"), _read_neighbour),
    (_ending(rf"{_COUNT}\s+{_UNIT}s?\s+{_WAY}"), _read_offset),
    (_ending(rf"(?:the\s+)?{_NTH}\s+(?:{_COUNT}\s+)?{_UNIT}s?\s+(?:of|in)\s+"), _read_nth),
    (_ending(rf"(?:the\s+)?{_NTH}\s+(?P<weekday>{WEEKDAY})\s+(?:of|in)\s+"), _read_nth_weekday),
    (
        _ending(r"(?:the\s+)?(?:(?P<day>\d{1,2})(?:st|nd|rd|th)|(?P<word>" + _ORDINAL + r"))\s+of\s+"),
        _read_numbered_day,
    ),
    (_ending(r"(?:the\s+)?(?P<unit>day|week|weekend|month|quarter|year|decade|century)\s+of\s+"), _read_unit_of),
    (_ending(rf"(?:the\s+)?{_DAY_PART}\s+of\s+"), _read_part_of_day),
    (_ending(r"(?:the\s+)?eve\s+of\s+"), _read_day_beside),
)
"""Phrases that may precede a time, and their readers."""
