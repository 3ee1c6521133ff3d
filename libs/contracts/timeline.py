"""Timelines as plain values: dated events with the words of their sources."""

from dataclasses import dataclass
from enum import StrEnum

from libs.contracts.dates import PartialDate, Precision
from libs.contracts.evidence import ImageReference
from libs.contracts.spans import Span


class Granularity(StrEnum):
    """The time unit of a timeline."""

    YEAR = "YEAR"
    SEASON = "SEASON"
    MONTH = "MONTH"
    WEEK = "WEEK"
    DAY = "DAY"


@dataclass(frozen=True, slots=True)
class EventSource:
    """The words of a passage that report an event."""

    passage_id: str
    document_id: str
    span: Span = Span()
    """Position of the words in the passage's text."""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """An event with its date and its sources."""

    event_id: str
    text: str
    start: PartialDate
    precision: Precision
    end: PartialDate | None = None
    """The last day, month or year of an event that lasted; else None."""
    date_text: str = ""
    """The date in the source's words."""
    sources: tuple[EventSource, ...] = ()
    group: str = ""
    """Shared by events of the same day, place or topic; empty for none."""
    highlights: tuple[Span, ...] = ()
    """Words of `text` to highlight; only the few events that the question is about have highlights."""
    image: ImageReference | None = None
    carried: bool = False
    """Whether the date is not in the event's own words but taken from the preceding text or the report's date."""
    salience: float = 0.0
    """Importance for the question, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class DateConflict:
    """Sources that give different dates for one event."""

    event_ids: tuple[str, ...]
    reason: str
    sentence: int = 0
    """Always 0; kept for a sentence of the answer that differs."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Events in chronological order."""

    events: tuple[TimelineEvent, ...] = ()
    granularity: Granularity = Granularity.YEAR
    conflicts: tuple[DateConflict, ...] = ()
    engine: str = "rules"
