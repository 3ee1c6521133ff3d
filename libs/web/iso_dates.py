"""Converts dates from hosts, pages, mails and files to ISO 8601, the format of the corpus.

Pure but for the time zone database, which is read when a date names its zone by letters.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timezone
from email.utils import parsedate_to_datetime
from itertools import takewhile
from typing import Final

from libs.chronology.days import parse_partial_date
from libs.language.files import known_languages
from libs.language.topics.calendar import WrittenDates
from libs.text.dates.document_dates import find_dates
from libs.web.zone_names import offset_of

_OFFSET: Final = re.compile(r"(?:\b(?:GMT|UTC?)\s*|\s)([+-])(\d{1,2})(?::?(\d{2}))?(?=\s*(?:\(|\Z))")
"""An offset as `+01:00`, `GMT+1` or `GMT +0100`, at the end."""
_JOINED_DAY: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)([- ]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_PARTED_WEEK: Final = re.compile(r"(?<=\d) (?=W\d\d\b)")
_ZONE: Final = re.compile(r"\d{2}:\d{2}(?::\d{2})?\s+([A-Z]{1,5})\b")


def iso_stamp(raw_date: str) -> str:
    """A date as ISO 8601 (year, month, day or moment); empty if it cannot be parsed.

    Accepts ISO 8601, the format of mails and HTTP ("Tue, 05 Mar 2024 10:00:00 GMT"), and dates as texts have them
    ("March 5, 2024", "05.03.2024"); of several days ("2024-W10") the month or year. Of a moment in a zone whose name no
    place has, or several have, only the day is certain.
    """
    text = raw_date.strip()
    day = parse_partial_date(text)
    try:
        if day and str(day) == text:
            return text
        if day and str(day) == text[:10]:
            return moment_stamp(datetime.fromisoformat(text.replace(" ", "T", 1)))
        return _mail_stamp(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return next((stamp for stamp, words in _told(text) if words == text), "")


def stamp_of_name(words: str) -> str:
    """The one day or month that a name in words tells, as ISO 8601; empty if it tells none, or several."""
    text = _PARTED_WEEK.sub("-", _JOINED_DAY.sub(r" \1-\3-\4 ", words))
    stamps = {stamp for stamp, told in _told(text) if len(stamp) > len("2024") or "W" in told}
    return stamps.pop() if len(stamps) == 1 else ""


def _told(text: str) -> Iterator[tuple[str, str]]:
    """The dates of a text in each language whose months are known, as ISO 8601, with their words."""
    for language in filter(lambda language: WrittenDates.of(language).forms, known_languages()):
        for mention in find_dates(text, language=language):
            first, last = (str(end).split("-") for end in (mention.first, mention.last))
            same = takewhile(lambda parts: parts[0] == parts[1], zip(first, last, strict=True))
            if stamp := "-".join(part for part, _ in same):
                yield stamp, mention.text


def _mail_stamp(text: str) -> str:
    text = _OFFSET.sub(lambda match: f" {match[1]}{match[2]:0>2}{match[3] or '00'}", text)
    moment, zone = parsedate_to_datetime(text), _ZONE.search(text)
    if moment.tzinfo or zone is None:  # RFC 5322 fixes some names, whatever they mean elsewhere
        return moment_stamp(moment)
    offset = offset_of(zone[1], moment.year)
    return moment.date().isoformat() if offset is None else moment_stamp(moment.replace(tzinfo=timezone(offset)))


def moment_stamp(moment: datetime | None) -> str:
    """A moment as ISO 8601 in UTC to the second (without a zone it counts as UTC); empty for None."""
    if moment is None:
        return ""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return aware.astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return ""
