"""The kinds of time phrases in questions: each has a name, a pattern, and a function that reads it.

To add a kind, add a row to `PATTERNS` and its reader to `libs.text.relative_readers`. Patterns ignore case, except for
names of months and weekdays, which are capitalised beforehand.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from libs.contracts.dates import TimeRange
from libs.text import calendar_readers as named
from libs.text import relative_readers as read
from libs.text.calendar_words import MONTH, SEASONS, WEEKDAY, YEAR
from libs.text.feasts import FEASTS

Reader = Callable[[re.Match[str], datetime], TimeRange | None]


@dataclass(frozen=True, slots=True)
class TimePattern:
    """A kind of time phrase and its reader."""

    name: str
    regex: re.Pattern[str]
    read: Reader


def _kind(name: str, reader: Reader, regex: str) -> TimePattern:
    return TimePattern(name, re.compile(rf"(?<!\w)(?:{regex})(?!\w)", re.IGNORECASE), reader)


def _any_of(phrases: "tuple[str, ...] | list[str]") -> str:
    """A pattern of the phrases, longest first, with any white space and either apostrophe."""
    longest_first = sorted(phrases, key=len, reverse=True)
    return "|".join(phrase.replace("'", "['’]").replace(" ", r"\s+") for phrase in longest_first)


_LONG_UNIT = r"week|month|quarter|year|decade"
_PARTS_OF_DAY = r"morning|afternoon|evening|night"
_PART_OF_DAY = rf"(?P<part>{_PARTS_OF_DAY})"
_UNITS = rf"second|minute|hour|day|fortnight|{_LONG_UNIT}|century|centurie"
_UNIT = rf"(?P<unit>{_UNITS})"
_COUNT = r"(?P<count>\d{1,5}|an?|(?:a\s+)?couple\s+of|a\s+few|few|several|many|some|[a-z]{3,9}(?:-[a-z]{3,5})?)"
_HALVED = r"(?P<halved>hour|day|year|decade|century|centurie)"
_FULL_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_WHICH = r"(?P<which>this|last|next)"
_WHICH_UNIT = r"(?P<which>(?<!the )(?:this\s+past|this|last|next)|(?:the\s+)?(?:previous|current|coming))"
_OF_YEAR = rf"\s+(?:of\s+)?{_WHICH}\s+year"
_MONTH = rf"(?P<month>(?-i:{MONTH}))"
_DAY = r"(?P<day>\d{1,2}(?:st|nd|rd|th)?)"
_YEAR = rf"(?P<year>{YEAR})"
_NO_YEAR = r"(?!,?\s+(?:of\s+)?(?:\d|(?:this|last|next)\s+year))"
_AFTER_PREPOSITION = (
    "|".join(
        rf"(?<=\b{word} )"
        for word in (
            *(
                "in",
                "on",
                "of",
                "by",
                "since",
                "until",
                "till",
                "before",
                "after",
                "from",
                "to",
                "during",
                "between",
                "and",
            ),
            *("through", "in the", "of the", "since the", "before the", "after the", "until the", "during the"),
            *("early", "late", "mid", "early in", "late in"),
        )
    )
    + r"|(?<=\bmid-)"
)
_EARLY_OR_LATE = r"(?<=\bearly )|(?<=\bmid )|(?<=\bmid-)|(?<=\blate )"
_AFTER_A_PART = "|".join(
    rf"(?<=\b{part} of )" for part in ("beginning", "start", "middle", "end", "rest", "remainder", "half")
)
_TOLD = rf"(?:{_WHICH}\s+|{_AFTER_PREPOSITION})"
"""`this`, `last`, `next`, or a preceding preposition, which make a bare name a time."""
_VAGUE = [
    "this time last year",
    "the other day",
    "one of these days",
    "recently",
    "lately",
    "nowadays",
    "these days",
    "soon",
    "back then",
    "in the future",
]
_NAMED = _any_of([*SEASONS, *FEASTS, *read.NEAR_DAYS, *named.DECADES, *_VAGUE])
TELLING = re.compile(
    rf"\d|\b(?:{_UNITS}|{_PARTS_OF_DAY}|tonight|ago|past|recent|{MONTH.lower()}|{WEEKDAY.lower()}|{_NAMED.lower()})"
)
"""Every time phrase contains one of these in lower case; most questions have none and need no search."""

PATTERNS: tuple[TimePattern, ...] = (
    _kind("day near today", read.read_near_day, _any_of(list(read.NEAR_DAYS))),
    _kind(
        "part of a day",
        read.read_part_of_day,
        rf"(?P<day>this|last|yesterday|tomorrow)\s+{_PART_OF_DAY}|(?P<tonight>tonight)|the\s+night\s+(?P<before>before\s+last)",
    ),
    _kind("unit", read.read_unit, rf"{_WHICH_UNIT}\s+(?P<unit>weekend|century|{_LONG_UNIT})"),
    _kind(
        "unit but one", read.read_unit_but_one, rf"the\s+(?P<unit>{_LONG_UNIT})\s+(?P<way>before\s+last|after\s+next)"
    ),
    _kind(
        "unit of now",
        read.read_unit_of_now,
        rf"(?:{_AFTER_A_PART})the\s+(?P<unit>weekend|century|{_LONG_UNIT})(?!\s+\d)",
    ),
    _kind("weekend", read.read_latest_weekend, r"(?:(?<=on )|(?<=at )|(?<=over ))the\s+weekend"),
    _kind(
        "to date",
        read.read_to_date,
        rf"so\s+far\s+this\s+(?P<unit>{_LONG_UNIT})|this\s+(?P<unit_before>{_LONG_UNIT})\s+so\s+far"
        rf"|(?P<unit_to>{_LONG_UNIT})[\s-]+to[\s-]+date",
    ),
    _kind(
        "past so many",
        read.read_rolling_past,
        rf"(?:the\s+|these\s+)?(?:last|past|previous|preceding)\s+{_COUNT}\s+{_UNIT}s?",
    ),
    _kind("past half", read.read_half_units_past, rf"(?:the\s+)?(?:last|past)\s+half[\s-]+(?:an?\s+)?{_HALVED}"),
    _kind("half ago", read.read_half_units_ago, rf"half\s+an?\s+{_HALVED}\s+ago"),
    _kind("half ago", read.read_half_units_ago, rf"{_COUNT}\s+and\s+a\s+half\s+{_HALVED}s?\s+ago"),
    _kind("half ago", read.read_half_units_ago, rf"(?P<count>an?)\s+{_HALVED}\s+and\s+a\s+half\s+ago"),
    _kind("past one", read.read_rolling_past, rf"(?:the\s+last|(?:the\s+)?past)\s+(?P<count>){_UNIT}"),
    _kind("next so many", read.read_rolling_future, rf"(?:the\s+)?(?:next|coming|following)\s+{_COUNT}\s+{_UNIT}s?"),
    _kind("ago", read.read_distance, rf"{_COUNT}\s+{_UNIT}s?\s+(?P<way>ago|from\s+now)"),
    _kind("day ago", read.read_days_ago, rf"{_COUNT}\s+{_UNIT}s?\s+ago\s+(?P<from>today|yesterday)"),
    _kind("weekdays ago", read.read_weekdays_ago, rf"{_COUNT}\s+(?P<weekday>(?-i:{_FULL_WEEKDAY}))s\s+ago"),
    _kind("weekday but one", read.read_weekday_but_one, rf"the\s+(?P<weekday>(?-i:{WEEKDAY}))\s+before\s+last"),
    _kind("time to come", read.read_distance, rf"in\s+{_COUNT}\s+{_UNIT}s?['’]?s?\s+(?P<way>time)"),
    _kind("less long ago", read.read_rolling_past, rf"(?:less|fewer)\s+than\s+{_COUNT}\s+{_UNIT}s?\s+ago"),
    _kind("longer ago", read.read_beyond, rf"(?:more\s+than|over|at\s+least)\s+{_COUNT}\s+{_UNIT}s?\s+ago"),
    _kind("weekday", read.read_weekday, rf"{_TOLD}(?P<weekday>(?-i:{WEEKDAY}))(?!,?\s+\d)"),
    _kind(
        "weekday of a week ago",
        read.read_weekday_of_week_ago,
        rf"(?:on\s+)?(?P<weekday>(?-i:{WEEKDAY}))\s+{_COUNT}\s+weeks?\s+ago",
    ),
    _kind(
        "weekday of a week ago",
        read.read_weekday_of_week_ago,
        rf"{_COUNT}\s+weeks?\s+ago\s+on\s+(?P<weekday>(?-i:{WEEKDAY}))",
    ),
    _kind(
        "weeks from a weekday",
        read.read_weeks_from_weekday,
        rf"{_COUNT}\s+weeks?\s+from\s+(?P<weekday>(?-i:{WEEKDAY}))",
    ),
    _kind(
        "weekday of a week",
        read.read_weekday_of_week,
        rf"(?P<weekday>(?-i:{WEEKDAY}))\s+(?:of\s+)?{_WHICH}\s+week",
    ),
    _kind("month", named.read_month, rf"{_TOLD}{_MONTH}{_NO_YEAR}"),
    _kind("month of a year", named.read_month_of_year, rf"{_MONTH}{_OF_YEAR}"),
    _kind("season", named.read_season, rf"{_TOLD}(?P<season>{_any_of(list(SEASONS))}){_NO_YEAR}"),
    _kind("day of a month", named.read_day_of_month, rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}{_NO_YEAR}"),
    _kind("day of a month", named.read_day_of_month, rf"{_MONTH}\s+(?:the\s+)?{_DAY}(?!:|,?\s+{YEAR})"),
    _kind("day of a year", named.read_named_day, rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}"),
    _kind("day of a year", named.read_named_day, rf"{_MONTH}\s+(?:the\s+)?{_DAY},?\s+{_YEAR}"),
    _kind(
        "quarter",
        named.read_quarter,
        rf"(?:Q(?P<digit>[1-4])|the\s+(?P<ordinal>first|second|third|fourth)\s+quarter)(?:{_OF_YEAR}|{_NO_YEAR})",
    ),
    _kind(
        "half",
        named.read_half,
        rf"(?:H(?P<digit>[12])|the\s+(?P<ordinal>first|second)\s+half)(?:\s+(?:of\s+)?{_YEAR}|{_OF_YEAR})",
    ),
    _kind("iso week", named.read_iso_week, rf"(?:calendar\s+)?week\s+(?P<week>\d{{1,2}})(?:\s+(?:of\s+)?{_YEAR})?"),
    _kind(
        "day of a relative year", named.read_day_of_relative_year, rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}{_OF_YEAR}"
    ),
    _kind("day of a relative year", named.read_day_of_relative_year, rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_OF_YEAR}"),
    _kind("season of a year", named.read_season_of_year, rf"(?P<season>{_any_of(list(SEASONS))}){_OF_YEAR}"),
    _kind("winter", named.read_winter, rf"winter\s+(?:of\s+)?{_YEAR}[/–-](?P<tail>\d{{2}}(?:\d{{2}})?)"),
    _kind("feast of a year", named.read_feast_of_year, rf"(?P<feast>{_any_of(list(FEASTS))}){_OF_YEAR}"),
    _kind(
        "day of the month",
        named.read_day_of_this_month,
        r"(?<=\bon )the\s+(?P<day>\d{1,2})(?:st|nd|rd|th)(?=\s*(?:[?.!,;]|\Z|and\b|at\b))",
    ),
    _kind(
        "days of a month",
        named.read_days_of_month,
        rf"(?:between\s+{_DAY}\s+and|from\s+(?P<first>\d{{1,2}}(?:st|nd|rd|th)?)\s+(?:to|until|till|through))"
        rf"\s+(?P<last>\d{{1,2}}(?:st|nd|rd|th)?)\s+(?:of\s+)?{_MONTH}{_NO_YEAR}",
    ),
    _kind(
        "months of a year", named.read_months_of_year, rf"{_MONTH}\s+and\s+(?P<last>(?-i:{MONTH}))\s+(?:of\s+)?{_YEAR}"
    ),
    _kind("quarter", named.read_quarter_after_year, rf"{_YEAR}(?:\s+|\s*-\s*)Q(?P<digit>[1-4])"),
    _kind("month in digits", named.read_numeric_month, rf"(?<![\d/])(?P<digits>0[1-9]|1[0-2])/{_YEAR}(?!/)"),
    _kind("day in digits", named.read_numeric_day, rf"{_YEAR}-(?P<digits>\d\d)-(?P<day>\d\d)(?![-\d])"),
    _kind("day in digits", named.read_numeric_day, rf"(?P<day>\d\d?)[./](?P<digits>\d\d?)[./]{_YEAR}"),
    _kind("year of our era", named.read_early_year, r"AD\s+(?P<early>\d{1,3})|(?P<early_after>\d{1,3})\s+(?:AD|CE)"),
    _kind(
        "before our era", read.outside, r"(?:\d{1,5}|(?:the\s+)?\d{1,2}(?:st|nd|rd|th)\s+century)\s+(?:BC|BCE|B\.C\.)"
    ),
    _kind("feast", named.read_feast, rf"(?:{_WHICH}\s+)?(?P<feast>{_any_of(list(FEASTS))})(?:\s+(?:of\s+)?{_YEAR})?"),
    _kind(
        "decade",
        named.read_decade_word,
        rf"(?:the\s+|{_EARLY_OR_LATE})(?:['’]?(?P<tens>\d0)s|(?P<word>{_any_of(list(named.DECADES))}))",
    ),
    _kind(
        "vague",
        read.vague,
        _any_of(_VAGUE)
        + r"|in\s+the\s+past(?!\s+\w)|(?:(?:this|last|next|the\s+current)\s+)?(?:fiscal|financial)\s+year(?:\s+\d{4})?"
        + r"|in\s+recent\s+(?:days|weeks|months|years|times)"
        + r"|(?:(?:a\s+)?long(?:\s+time)?|a\s+while|some\s+time)\s+ago",
    ),
)
