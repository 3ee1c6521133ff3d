"""Converts dates from hosts, pages, mails and files to ISO 8601, the format of the corpus.

Pure but for the time zone database, which is read when a date names its zone by letters.
"""

import re
from datetime import UTC, date, datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Final

from libs.web.zone_names import offset_of

_ISO: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](.+))?)?)?\Z")
_OFFSET: Final = re.compile(r"(?:\b(?:GMT|UTC?)\s*|\s)([+-])(\d{1,2})(?::?(\d{2}))?(?=\s*(?:\(|\Z))")
"""An offset as `+01:00`, `GMT+1` or `GMT +0100`, at the end."""
_ZONE: Final = re.compile(r"\d{2}:\d{2}(?::\d{2})?\s+([A-Z]{1,5})\b")


def iso_stamp(raw_date: str) -> str:
    """A date as ISO 8601 (year, month, day or moment); empty if it cannot be parsed.

    Accepts ISO 8601 and the format of mails and HTTP ("Tue, 05 Mar 2024 10:00:00 GMT"). Of a moment in a zone whose
    name no place has, or several have, only the day is certain.
    """
    text = raw_date.strip()
    match = _ISO.match(text)
    try:
        if match and match[4]:
            return moment_stamp(datetime.fromisoformat(text.replace(" ", "T", 1)))
        if match:
            date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
            return text
        return _mail_stamp(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


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
