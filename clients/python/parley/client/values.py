"""What an answer consists of: passages, references, citations, pictures, a timeline. Plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from html import escape
from typing import Final

from parley.client.notebook import list_html, source_html


class Outcome(StrEnum):
    """How a turn ended."""

    UNSPECIFIED = "unspecified"
    ANSWERED = "answered"
    ABSTAINED = "abstained"
    """The documents contain no answer, and the text says so."""
    ASKED = "asked"
    """The suite asked back."""
    REJECTED = "rejected"
    CANCELLED = "cancelled"


class Verdict(StrEnum):
    """The result of checking a sentence against the words that it cites."""

    UNSPECIFIED = "unspecified"
    VERIFIED = "verified"
    WEAK = "weak"
    """Not contradicted, but not fully supported."""
    WITHDRAWN = "withdrawn"
    """Not supported: the sentence is no part of the final text."""


_MARKS: Final = {Verdict.VERIFIED: "&#10003;", Verdict.WEAK: "~", Verdict.WITHDRAWN: "&#10007;"}


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document."""

    passage_id: str
    document_id: str
    text: str
    title: str = ""
    url: str = ""
    date: str = ""
    """ISO 8601, possibly only a year or a month; empty if unknown."""
    source: str = ""
    collection: str = ""
    headings: tuple[str, ...] = ()
    """The headings above it, outermost first."""
    page: int = 0
    """From 1; 0 if the document has no pages."""
    language: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    cells: str = ""
    """The cells of a sheet that it comes from, such as `Prices!A5:D9`; empty if it comes from none."""
    score: float = 0.0
    """By which a search ranked it, higher is better; 0 if it was not searched for."""

    @property
    def source_html(self) -> str:
        """Its document, as HTML."""
        return source_html(self.title or self.document_id, self.url, self.date)


@dataclass(frozen=True, slots=True)
class Reference:
    """A passage with the number by which the answer cites it."""

    number: int
    passage: Passage
    score: float
    """The score that determined its rank."""


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """The words of a passage that support a sentence."""

    number: int
    """The reference's number in the answer."""
    quote: str
    start: int
    end: int
    """Position in the passage's text, in code points."""
    passage: Passage | None
    """None if the answer's references do not hold it."""
    cells: str = ""
    """The cells of the rows that the words are in, such as `Prices!A5:D5`; empty if they come from no sheet."""

    @property
    def html(self) -> str:
        """The words with their source, as HTML."""
        return f"<q>{escape(self.quote)}</q>{f' ({self.passage.source_html})' if self.passage else ''}"


@dataclass(frozen=True, slots=True)
class Citation:
    """A sentence of an answer with what supports it."""

    sentence: int
    """From 1, counted over the whole answer."""
    text: str
    """The sentence as it was written, or as verification changed it; empty if it is not known."""
    verdict: Verdict
    score: float
    """How well it is supported, 0 to 1."""
    reason: str
    spans: tuple[CitedSpan, ...]
    answers: bool = False
    """Whether it is marked as the answer; its text is in bold then."""

    def _repr_html_(self) -> str:
        quotes = "".join(f"<li>{span.html}</li>" for span in self.spans)
        mark = f'<abbr title="{escape(self.reason)}">{_MARKS.get(self.verdict, "")} {self.verdict}</abbr>'
        return f"<div><p>{escape(self.text)} {mark}</p><ul>{quotes}</ul></div>"


@dataclass(frozen=True, slots=True)
class PlacedImage:
    """A picture beside a paragraph of the answer; `image` of a client returns its bytes."""

    paragraph: int
    """From 1."""
    image_id: str
    caption: str
    document_id: str
    url: str = ""
    """Its original URL; empty for a file."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as far as its source gives it, in the proleptic Gregorian calendar."""

    year: int
    """Astronomical: 0 is 1 BCE."""
    month: int = 0
    """0 if unknown."""
    day: int = 0
    """0 if unknown."""

    def __str__(self) -> str:
        year = f"{self.year:04}" if self.year >= 0 else f"-{-self.year:04}"
        return "-".join([year, *(f"{part:02}" for part in (self.month, self.day) if part)])

    @property
    def first_day(self) -> date | None:
        """Its first day; None outside the years of Python's `date`, 1 to 9999."""
        return date(self.year, self.month or 1, self.day or 1) if 1 <= self.year <= 9999 else None


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """An event with its date and the words that it comes from."""

    event_id: str
    text: str
    start: Moment
    end: Moment | None
    """Only of an event with a duration."""
    date_text: str
    """The date in the words of the source."""
    quotes: tuple[CitedSpan, ...]
    """Its sources; `number` is 0 where the answer does not cite the passage."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Events in chronological order."""

    events: tuple[TimelineEvent, ...]
    conflicts: tuple[str, ...]
    """Where sources disagree on a date."""

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(str(event.start))}{f' – {escape(str(event.end))}' if event.end else ''}</th>"
            f"<td>{escape(event.text)}</td><td>{'<br>'.join(span.html for span in event.quotes)}</td></tr>"
            for event in self.events
        )
        conflicts = list_html("Dates that disagree", self.conflicts)
        return f"<table><tr><th>Date</th><th>Event</th><th>Source</th></tr>{rows}</table>{conflicts}"


@dataclass(frozen=True, slots=True)
class Degraded:
    """Something that was left out or done in a simpler way."""

    stage: str
    reason: str
    """A name of ErrorReason without its prefix."""
    effect: str
    """The effect on the answer, in one sentence."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a turn cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    milliseconds: float = 0.0
    """Wall time in the suite."""
