"""Exports a timeline as iCalendar (RFC 5545): one all-day entry per event.

An event that is dated only by its year covers the whole year: iCalendar has no partial dates, and an invented day would
be false.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

from libs.chronology.days import days_of
from libs.chronology.export.words import date_in_words
from libs.contracts.timeline import Timeline, TimelineEvent

_LONGEST_LINE = 75
"""Octets of a content line; longer lines are folded (RFC 5545, 3.1)."""
_LONGEST_SUMMARY = 120


def to_icalendar(timeline: Timeline, stamp: datetime, title: str = "Timeline") -> str:
    """Return a VCALENDAR with CRLF line ends.

    Args:
        timeline: the events.
        stamp: when the calendar is created; time zone aware.
        title: shown as the calendar's name.
    """
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//parley//timeline//EN", f"X-WR-CALNAME:{_text(title)}"]
    for event in timeline.events:
        lines += _entry(event, stamp)
    lines.append("END:VCALENDAR")
    return "".join(f"{piece}\r\n" for line in lines for piece in _fold(line))


def _entry(event: TimelineEvent, stamp: datetime) -> Iterator[str]:
    days = days_of(event.start, event.end)
    yield "BEGIN:VEVENT"
    yield f"UID:{_uid(event)}@parley"
    yield f"DTSTAMP:{stamp.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    yield f"DTSTART;VALUE=DATE:{_day(days.first)}"
    if days.last < date.max:
        yield f"DTEND;VALUE=DATE:{_day(days.last + timedelta(days=1))}"
    yield f"SUMMARY:{_text(_summary(event.text))}"
    yield f"DESCRIPTION:{_text(_description(event))}"
    if event.group:
        yield f"CATEGORIES:{_text(event.group)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _uid(event: TimelineEvent) -> str:
    """A stable ID: the same event gets the same one in every export."""
    identity = "\n".join([str(event.start), str(event.end), *(f"{s.passage_id} {s.span.start}" for s in event.sources)])
    return sha256(identity.encode()).hexdigest()[:32]


def _day(day: date) -> str:
    return f"{day.year:04d}{day.month:02d}{day.day:02d}"


def _summary(text: str) -> str:
    return text if len(text) <= _LONGEST_SUMMARY else text[:_LONGEST_SUMMARY].rsplit(" ", 1)[0] + " …"


def _description(event: TimelineEvent) -> str:
    headline = [f"{date_in_words(event)}: {event.text}"]
    return "\n".join(headline + [f"{source.document_id}: “{source.quote}”" for source in event.sources])


def _text(text: str) -> str:
    for plain, escape in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\\n"), ("\n", "\\n"), ("\r", "\\n")):
        text = text.replace(plain, escape)
    return "".join(character for character in text if character == "\t" or character >= " ")


def _fold(line: str) -> Iterator[str]:
    """Split a line into pieces of at most 75 octets, between characters; all but the first begin with a space."""
    piece, width = "", 0
    for character in line:
        octets = len(character.encode())
        if width + octets > _LONGEST_LINE:
            yield piece
            piece, width = " ", 1
        piece += character
        width += octets
    yield piece
