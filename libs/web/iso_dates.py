"""Converts dates from hosts, pages, mails and files to ISO 8601, the format of the corpus. Pure."""

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_ISO: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](.+))?)?)?\Z")


def iso_stamp(raw_date: str) -> str:
    """A date as ISO 8601 (year, month, day or moment); empty if it cannot be parsed.

    Accepts ISO 8601 and the format of mails and HTTP ("Tue, 05 Mar 2024 10:00:00 GMT").
    """
    text = raw_date.strip()
    match = _ISO.match(text)
    try:
        if match and match[4]:
            return moment_stamp(datetime.fromisoformat(text.replace(" ", "T", 1)))
        if match:
            date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
            return text
        return moment_stamp(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def moment_stamp(moment: datetime | None) -> str:
    """A moment as ISO 8601 in UTC to the second (without a zone it counts as UTC); empty for None."""
    if moment is None:
        return ""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return aware.astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return ""
