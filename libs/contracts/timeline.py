"""A course of events with the words that tell it."""

from dataclasses import dataclass
from enum import StrEnum

from libs.contracts.dates import PartialDate, Precision
from libs.contracts.evidence import ImageReference
from libs.contracts.spans import Span


class Granularity(StrEnum):
    """The unit that the timeline is told in."""

    YEAR = "YEAR"
    SEASON = "SEASON"
    MONTH = "MONTH"
    WEEK = "WEEK"
    DAY = "DAY"


@dataclass(frozen=True, slots=True)
class EventSource:
    """The words of a passage that tell an event."""

    passage_id: str
    document_id: str
    span: Span = Span()
    """In the passage's text."""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """Something that happened, when, and who says so."""

    event_id: str
    text: str
    start: PartialDate
    precision: Precision
    end: PartialDate | None = None
    """The last day, month or year, for what lasted."""
    date_text: str = ""
    """The date as the source words it."""
    sources: tuple[EventSource, ...] = ()
    group: str = ""
    highlights: tuple[Span, ...] = ()
    """Words of `text` to set off; an event with some is one of the few that the question is about."""
    image: ImageReference | None = None
    carried: bool = False
    """Whether no words of its own tell the date: it is that of the words before, or of the report."""
    salience: float = 0.0
    """How much it matters for the question, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class DateConflict:
    """Sources that give different dates for one event, or an answer that dates it otherwise than they do."""

    event_ids: tuple[str, ...]
    reason: str
    sentence: int = 0
    """The sentence of the answer that differs, from 1; 0 for a conflict of sources."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Events in the order of time."""

    events: tuple[TimelineEvent, ...] = ()
    granularity: Granularity = Granularity.YEAR
    conflicts: tuple[DateConflict, ...] = ()
    engine: str = "rules"
