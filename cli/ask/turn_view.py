"""The interface on which a turn is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Tone(Enum):
    """How much attention a line needs."""

    QUIET = "quiet"
    """How the answer came about."""
    PLAIN = "plain"
    """A part of the result."""
    WARNING = "warning"
    """Something is missing or does not hold."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A numbered source of the answer: a section of a document."""

    number: int
    place: str
    """Title and headings, such as "Handbook › Leave › Sick leave"."""
    pages: str
    """Such as "p. 12"; empty if the document has no pages."""
    origin: str
    """Address or id of the document; empty if `place` is already the id."""
    date: str = ""
    """The document's date; empty if it is not shown."""

    @property
    def where(self) -> str:
        """Place and pages."""
        return f"{self.place}, {self.pages}" if self.pages else self.place


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """A row of a timeline."""

    date: str
    text: str
    sources: str
    """Such as "[1] [4]"; document ids if the answer has no number for them."""
    important: bool
    """Whether it is one of the few events that the question is about."""


class TurnView(Protocol):
    """A terminal, or the lines of a pipe. Texts may contain control characters; a page removes them."""

    def question(self, text: str, note: str) -> None:
        """Begin a turn; the note (may be empty) says what the turn demonstrates."""
        ...

    def working(self, activity: str) -> None:
        """Show the current activity until the next output."""
        ...

    def line(self, label: str, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Show a line of its own."""
        ...

    def words(self, text: str) -> None:
        """Show a piece of the answer's CommonMark, directly after the previous piece."""
        ...

    def end_words(self) -> None:
        """End the answer's text."""
        ...

    def sources(self, sources: Sequence[SourceLine]) -> None:
        """Show the sources that the answer cites, one per line."""
        ...

    def timeline(self, unit: str, rows: Sequence[TimelineRow]) -> None:
        """Show events in chronological order, by `unit` (such as "month"; may be empty)."""
        ...

    def close(self) -> None:
        """End the turn, whether it succeeded or not."""
        ...
