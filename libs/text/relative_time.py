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
  before Christmas`) see `libs.text.composed_times`, for units `libs.text.time_stretches`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from dateutil.relativedelta import relativedelta

from libs.contracts.dates import TimeRange
from libs.text.calendar_words import MONTHS, WEEKDAYS
from libs.text.composed_times import compose
from libs.text.date_readings import Why
from libs.text.dates import DateMention, find_dates
from libs.text.relative_patterns import PATTERNS, TELLING, TimePattern
from libs.text.time_stretches import partial

# Lower-case months and weekdays are capitalised first, which keeps all offsets; `may` and `march` only if the context
# shows that they are months.
_CLEAR_NAMES = "|".join(name for name in (*MONTHS, *WEEKDAYS) if len(name) > 4 and name != "march")
_ANY_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_BEFORE_A_MONTH = "|".join(
    rf"(?<=\b{word})"
    for word in ("in ", "of ", "since ", "until ", "last ", "next ", "early ", "late ", "mid-", "mid ")
)
_NAMES = re.compile(
    rf"\b(?:{_CLEAR_NAMES}|june|july|(?:{_ANY_MONTH})(?=\.?,?\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+|of\s+)?[12]\d\d\d\b)"
    rf"|(?:{_BEFORE_A_MONTH})(?:{_ANY_MONTH}))\b"
)
_PREPOSITION = re.compile(
    r"\b(?P<word>(?i:since|before|prior\s+to|earlier\s+than|after|later\s+than|until|till|up\s+(?:to|until)|by))"
    r"\s+(?:the\s+)?\Z"
)
_OPENING = re.compile(r"\b(?:(?P<between>(?i:between))|(?i:from))\s+(?:the\s+)?\Z")
_CONNECTOR = re.compile(r"\s+(?:(?P<and>and)|to|until|till|through)\s+(?:the\s+)?\Z|\s*[-–—]\s*\Z")
_SIDE_OF = re.compile(r"(?:the\s+)?(?:beginning|start|middle|end)\s+of\s+(?:the\s+)?", re.I)
_ONWARD = re.compile(r"\s+on(?:wards?)?\b")
_LONGEST_PREPOSITION = 20
_IN_PHRASES_ONLY = "unit of now"
"""`the year` is a time only within a phrase such as `the rest of the year`."""
_CYCLES = {"weekday": relativedelta(weeks=1), "month": relativedelta(years=1), "day of a month": relativedelta(years=1)}
"""How far a range's start moves back if it lies after the end: in May, `from March to July` is all of last year's."""


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time phrase in a question and its exact meaning: `text == question[start:end]`."""

    text: str
    start: int
    end: int
    range: TimeRange | None
    """None if the phrase has no exact meaning, for the reason in `why`."""
    kind: str
    """The kind of phrase, for display: `unit`, `ago`, `weekday`, `date` …"""
    why: Why = ""
    """`vague` (recently, the past few months), `impossible` (31 February) or `outside` the years 1 to 9999 (44 BC)."""


def find_time_ranges(text: str, now: datetime) -> tuple[TimeMention, ...]:
    """The times of a question, in order and without overlaps.

    Args:
        text: a question, in any case.
        now: when it is asked; time zone aware. All ranges are in its time zone.

    Raises:
        ValueError: `now` has no time zone.
    """
    if now.tzinfo is None:
        raise ValueError("now must have a time zone")
    capitalised = _NAMES.sub(lambda match: match[0].capitalize(), text)
    separate = list(_without_overlaps([*_find_relative(capitalised, now), *_find_dated(capitalised, now)]))
    extended = list(_compose_all(capitalised, separate, now))
    mentions = list(_join_ranges(capitalised, extended))
    return tuple(_with_text(text, _with_preposition(capitalised, mention, now)) for mention in mentions)


def _find_relative(text: str, now: datetime) -> Iterator[TimeMention]:
    for pattern in PATTERNS if TELLING.search(text.lower()) else ():
        for match in pattern.regex.finditer(text):
            yield _read_pattern(pattern, match, now)


def _read_pattern(pattern: TimePattern, match: re.Match[str], now: datetime) -> TimeMention:
    why: Why = ""
    try:
        time_range = pattern.read(match, now)
        why = "" if time_range else "vague"
    except OverflowError:
        time_range, why = None, "outside"
    except ValueError:
        time_range, why = None, "impossible"
    return TimeMention(match[0], match.start(), match.end(), time_range, pattern.name, why)


def _find_dated(text: str, now: datetime) -> Iterator[TimeMention]:
    for mention in find_dates(text):
        side = _SIDE_OF.match(mention.text)
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


def _compose_all(text: str, mentions: list[TimeMention], now: datetime) -> list[TimeMention]:
    """Extend each time by the surrounding words that modify it; drop times that these words cover."""
    extended: list[TimeMention] = []
    for mention in mentions:
        whole = _compose(text, mention, now)
        while whole.start < mention.start and (wider := _compose(text, whole, now)).start < whole.start:
            whole = wider
        while extended and extended[-1].end > whole.start:
            extended.pop()
        if whole.kind != _IN_PHRASES_ONLY:
            extended.append(whole)
    return extended


def _compose(text: str, mention: TimeMention, now: datetime) -> TimeMention:
    if mention.range is None:
        return mention
    composed = compose(text, mention.start, mention.end, mention.range, now)
    if composed is None:
        return mention
    return TimeMention("", composed.start, composed.end, composed.range, "composed", composed.why)


def _join_ranges(text: str, mentions: list[TimeMention]) -> Iterator[TimeMention]:
    """Join `between A and B` or `from A to B` to one range from the beginning of A to the end of B."""
    position = 0
    while position < len(mentions):
        mention = mentions[position]
        position += 1
        if position < len(mentions) and (time_range := _join(text, mention, mentions[position])):
            mention = time_range
            position += 1
        yield mention


def _join(text: str, first: TimeMention, second: TimeMention) -> TimeMention | None:
    opening = _OPENING.search(text, max(0, first.start - _LONGEST_PREPOSITION), first.start)
    connector = _CONNECTOR.match(text[first.end : second.start])
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


def _with_preposition(text: str, mention: TimeMention, now: datetime) -> TimeMention:
    if mention.range is None:
        return mention
    onward = _ONWARD.match(text, mention.end)
    opening = _OPENING.search(text, max(0, mention.start - _LONGEST_PREPOSITION), mention.start)
    if onward and opening and not opening["between"]:
        return _with_text(text, TimeMention("", opening.start(), onward.end(), TimeRange(mention.range.start), "from"))
    preposition = _PREPOSITION.search(text, max(0, mention.start - _LONGEST_PREPOSITION), mention.start)
    if preposition is None:
        return mention
    word = " ".join(preposition["word"].lower().split())
    time_range = _apply_preposition(word, mention.range, now)
    why: Why = "" if time_range else "impossible"
    return TimeMention("", preposition.start(), mention.end, time_range, word, why)


def _apply_preposition(word: str, stretch: TimeRange, now: datetime) -> TimeRange | None:
    """Apply `since`, `before`, `after` or `until` to a period; None for `since` a time in the future."""
    if word == "since":
        return TimeRange(stretch.start, now) if stretch.start and stretch.start < now else None
    if word in ("before", "prior to", "earlier than"):
        return TimeRange(None, stretch.start)
    if word in ("after", "later than"):
        return TimeRange(stretch.end, None)
    return TimeRange(None, stretch.end)


def _with_text(text: str, mention: TimeMention) -> TimeMention:
    return replace(mention, text=text[mention.start : mention.end])
