"""Exports a timeline as iCalendar (RFC 5545): one all-day entry per event.

An event that is dated only by its year covers the whole year: iCalendar has no partial dates, and an invented day would
be false.
"""

from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from libs.chronology.days import days_of
from libs.chronology.export.words import CONTROL, date_in_words
from libs.contracts.timeline import Timeline, TimelineEvent

if TYPE_CHECKING:
    from icalendar import Event

_MAX_SUMMARY: Final = 120  # characters (taste)


def to_icalendar(timeline: Timeline, stamp: datetime, title: str = "Timeline") -> str:
    """Return a VCALENDAR with CRLF line ends.

    Args:
        timeline: the events.
        stamp: when the calendar is created; time zone aware.
        title: shown as the calendar's name.
    """
    from icalendar import Calendar, vText  # imported for the first calendar only

    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//parley//timeline//EN")
    calendar.add("x-wr-calname", vText(_text(title)))  # the library escapes an X- property only if its type is given
    for event in timeline.events:
        calendar.add_component(_entry(event, stamp))
    data: bytes = calendar.to_ical()
    return data.decode()


def _entry(event: TimelineEvent, stamp: datetime) -> "Event":
    from icalendar import Event

    days, entry = days_of(event.start, event.end), Event()
    entry.add("uid", f"{_uid(event)}@parley")
    entry.add("dtstamp", stamp.astimezone(UTC))
    entry.add("dtstart", days.first)
    if days.last < date.max:
        entry.add("dtend", days.last + timedelta(days=1))
    entry.add("summary", _text(_summary(event.text)))
    entry.add("description", _text(_description(event)))
    if group := _text(event.group):
        entry.add("categories", [group])
    entry.add("transp", "TRANSPARENT")
    return entry


def _uid(event: TimelineEvent) -> str:
    """A stable ID, 128 bits (taste): the same event gets the same one in every export."""
    identity = "\n".join([str(event.start), str(event.end), *(f"{s.passage_id} {s.span.start}" for s in event.sources)])
    return sha256(identity.encode()).hexdigest()[:32]


def _summary(text: str) -> str:
    return text if len(text) <= _MAX_SUMMARY else text[:_MAX_SUMMARY].rsplit(" ", 1)[0] + " …"


def _description(event: TimelineEvent) -> str:
    headline = [f"{date_in_words(event)}: {event.text}"]
    return "\n".join(headline + [f"{source.document_id}: “{source.quote}”" for source in event.sources])


def _text(text: str) -> str:
    """The text as RFC 5545, 3.1 can hold it."""
    return "\n".join(text.splitlines()).translate(CONTROL)
