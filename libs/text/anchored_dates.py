"""Dates in documents that are relative to an anchor date: `20 July`, `last Tuesday`, `the next day`, `two years later`.

`20 July` and `July` are in the year that brings them nearest to the anchor. A bare weekday is the one at or before the
anchor, unless it is part of a name (`Good Friday`). A week is given as its days, Monday to Sunday.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from libs.contracts.dates import PartialDate, Precision
from libs.text.calendar_words import DAY, MONTH, WEEKDAY, WEEKDAY_NAME, is_day, month_number, weekday_number
from libs.text.date_readings import DateReading, one_day, one_month, one_year
from libs.text.number_words import small_number


@dataclass(frozen=True, slots=True)
class _Pattern:
    regex: re.Pattern[str]
    read: Callable[[re.Match[str], PartialDate], DateReading | None]


def find_anchored(text: str, anchor: PartialDate) -> Iterator[tuple[int, int, DateReading]]:
    """Start, end and reading of each phrase for which the anchor is precise enough; phrases may overlap."""
    for pattern in _PATTERNS:
        for match in pattern.regex.finditer(text):
            if (reading := pattern.read(match, anchor)) is not None:
                yield match.start(), match.end(), reading


def _as_day(anchor: PartialDate) -> date | None:
    exact = is_day(anchor.year, anchor.month, anchor.day)
    return date(anchor.year, anchor.month, anchor.day) if exact else None


def _partial_date(day: date) -> PartialDate:
    return PartialDate(day.year, day.month, day.day)


def _shift_days(anchor: PartialDate, days: int) -> DateReading | None:
    day = _as_day(anchor)
    try:
        return one_day(_partial_date(day + timedelta(days=days))) if day else None
    except OverflowError:
        return None


def _read_day_of_month(match: re.Match[str], anchor: PartialDate) -> DateReading | None:
    month, day = month_number(match["month"]), int(re.sub(r"\D", "", match["day"]))
    here = _as_day(anchor)
    years = [anchor.year, anchor.year - 1, anchor.year + 1] if here else [anchor.year]
    dates = [date(year, month, day) for year in years if is_day(year, month, day)]
    return one_day(_partial_date(min(dates, key=lambda d: abs(d - here) if here else timedelta()))) if dates else None


def _read_month(match: re.Match[str], anchor: PartialDate) -> DateReading | None:
    month = month_number(match["month"])
    if not anchor.month:
        return one_month(anchor.year, month)
    year = anchor.year + {"next": month <= anchor.month, "last": -(month >= anchor.month)}.get(
        (match["which"] or "").lower(), _years_to_nearest(month - anchor.month)
    )
    return one_month(year, month)


def _years_to_nearest(months: int) -> int:
    return -1 if months > 6 else 1 if months < -6 else 0


_DAY_STEPS = {"yesterday": -1, "last": -1, "tomorrow": 1}
"""By the first word of a phrase; all other words mean the same day."""
_STEPS = {"last": -1, "previous": -1, "this": 0, "same": 0, "that": 0, "next": 1, "following": 1}


def _read_same_day(match: re.Match[str], anchor: PartialDate) -> DateReading | None:
    return _shift_days(anchor, _STEPS[match["which"].lower()])


def _read_word_for_day(match: re.Match[str], anchor: PartialDate) -> DateReading | None:
    if match[0][0].isupper() and _WITHIN_SENTENCE.search(match.string, 0, match.start()):
        return None
    return _shift_days(anchor, _DAY_STEPS.get(match[0].lower().split()[0], 0))


def _read_weekday(match: re.Match[str], anchor: PartialDate) -> DateReading | None:
    day = _as_day(anchor)
    if day is None or _DAY_OF_NAME.search(match.string, 0, match.start()):
        return None
    back = (day.weekday() - weekday_number(match["weekday"])) % 7
    qualifier = (match["which"] or "").lower()
    if qualifier == "next":
        return _shift_days(anchor, 7 - back)
    return _shift_days(anchor, -(back or 7) if qualifier == "last" else -back)


_WITHIN_SENTENCE = re.compile(r"[\w’',]\s+\Z")
"""Before a capitalised word: it is part of a name (`The World Tonight`), not the start of a sentence."""
_DAY_OF_NAME = re.compile(
    r"\b(?:Ash|Black|Bloody|Cyber|Easter|Fat|Giving|Good|Holy|Maundy|Palm|Shrove|Spy|Super|Whit)\s+\Z"
)
"""Before a weekday: part of a holiday or another name, not a day of the week."""


def _read_unit(match: re.Match[str], anchor: PartialDate) -> DateReading | None:
    return _shift_units(anchor, match["unit"].lower(), _STEPS[(match["which"] or match["which_of"]).lower()])


def _read_count(match: re.Match[str], anchor: PartialDate) -> DateReading | None:
    count = small_number(match["count"])
    if count is None:
        return None
    sign = -1 if match["way"].lower() in ("ago", "earlier", "before") else 1
    unit = match["unit"].lower()
    if unit == "week":
        return _shift_days(anchor, sign * 7 * count)
    return _shift_units(anchor, unit, sign * count)


def _shift_units(anchor: PartialDate, unit: str, steps: int) -> DateReading | None:
    """The unit that is `steps` units away; a decade is given as a year. None if the anchor is too coarse."""
    if unit == "day":
        return _shift_days(anchor, steps)
    if unit == "week":
        return _week(anchor, steps)
    if unit == "month":
        months = 12 * anchor.year + anchor.month - 1 + steps
        return one_month(months // 12, months % 12 + 1) if anchor.month else None
    year = anchor.year + steps * (10 if unit == "decade" else 1)
    return one_year(year) if 1 <= year <= 9999 else None


def _week(anchor: PartialDate, steps: int) -> DateReading | None:
    day = _as_day(anchor)
    if day is None:
        return None
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=steps)
    return DateReading(_partial_date(monday), _partial_date(monday + timedelta(days=6)), Precision.DAY)


_COUNT = r"(?P<count>\d{1,3}|an?|(?:twenty|thirty|forty|fifty)(?:-[a-z]+)?|[a-z]{3,9})"
_RECURS = rf"\s+(?:of\s+(?:every|each|the\s+(?:week|month|quarter|year))\b|(?:of|in)\s+{MONTH})"
"""After a weekday: it recurs, as in `The first Saturday of each month`."""
_NOT_ONE_OF_MANY = "".join(
    rf"(?<!(?i:{word})\s)" for word in ("every", "each", "other", "first", "second", "third", "fourth", "fifth")
)
"""Excludes recurring days: `Every Saturday`."""
_TITLE = r"(?:Express|Herald|Mail|Mirror|Night|Post|Telegraph|Times)\b"
"""After a weekday: part of the name of a newspaper or show."""
_PATTERNS = (
    _Pattern(
        re.compile(
            rf"(?<![\w\-/.,])(?:{WEEKDAY},?\s+)?(?P<day>{DAY})(?:\s+of)?\s+(?P<month>{MONTH})(?!\w|,?\s+\d{{4}})"
        ),
        _read_day_of_month,
    ),
    _Pattern(
        re.compile(
            rf"(?<![\w\-])(?:{WEEKDAY},?\s+)?(?P<month>{MONTH})\s+(?P<day>{DAY})(?!\w|[.:]\d|,?\s+\d{{4}}|\s?%)"
        ),
        _read_day_of_month,
    ),
    _Pattern(
        re.compile(
            rf"(?<!\w)(?:(?P<which>[Ll]ast|[Tt]his|[Nn]ext)\s+|(?:(?<=[Ii]n )|(?<=[Ss]ince )|(?<=[Dd]uring )))"
            rf"(?P<month>{MONTH})(?!\w|,?\s+\d)"
        ),
        _read_month,
    ),
    _Pattern(re.compile(rf"(?<=\b[Tt]he )(?P<which>(?!))?(?P<month>{MONTH})(?=\s+[a-z])"), _read_month),
    _Pattern(
        re.compile(rf"\b(?i:early|mid|late|by|until|from)[ -](?P<which>(?!))?(?P<month>{MONTH})(?!\w|,?\s+\d)"),
        _read_month,
    ),
    _Pattern(
        re.compile(
            r"\b(?i:(?:earlier|later)\s+today|(?:yesterday|today|tomorrow)(?:\s+(?:morning|afternoon|evening|night))?|"
            r"this\s+(?:morning|afternoon|evening)|tonight|last\s+night)\b"
        ),
        _read_word_for_day,
    ),
    _Pattern(re.compile(r"\b(?i:the\s+(?P<which>same|next|following|previous)\s+day)\b"), _read_same_day),
    _Pattern(
        re.compile(
            rf"(?<!\w)(?:(?P<which>(?i:last|this|next))\s+|(?<=[Oo]n ))(?P<weekday>{WEEKDAY})(?!\w|,?\s+\d|{_RECURS})"
        ),
        _read_weekday,
    ),
    _Pattern(
        re.compile(
            rf"(?<![\w’'-]){_NOT_ONE_OF_MANY}(?P<which>(?!))?"
            rf"(?P<weekday>{WEEKDAY_NAME})(?!\w|,?\s+\d|,?\s+{MONTH}|\s+{_TITLE}|{_RECURS})"
        ),
        _read_weekday,
    ),
    _Pattern(
        re.compile(
            r"\b(?i:(?:(?P<which>last|this|next|that)|the\s+(?P<which_of>same|previous|following|next))\s+"
            r"(?P<unit>week|month|year))\b"
        ),
        _read_unit,
    ),
    _Pattern(
        re.compile(
            rf"\b(?i:{_COUNT}\s+(?P<unit>day|week|month|year|decade)s?\s+(?P<way>ago|earlier|before|later|after))\b"
        ),
        _read_count,
    ),
)
