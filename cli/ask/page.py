"""What a turn is told on."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Tone(Enum):
    """How much a line calls for attention."""

    QUIET = "quiet"
    """How the answer came about."""
    PLAIN = "plain"
    """A part of the result."""
    WARNING = "warning"
    """Something is missing or does not hold."""


@dataclass(frozen=True, slots=True)
class Source:
    """What the answer cites by a number: a section of a document."""

    number: int
    place: str
    """Title and headings, such as "Handbook › Leave › Sick leave"."""
    pages: str
    """Such as "p. 12"; empty where the document has none."""
    origin: str
    """Where the document stands: its address or its id; empty where the place is the id already."""
    date: str = ""
    """The document's, where it is to be told."""

    @property
    def where(self) -> str:
        """Place and page."""
        return f"{self.place}, {self.pages}" if self.pages else self.place


@dataclass(frozen=True, slots=True)
class Dated:
    """A row of a timeline."""

    date: str
    text: str
    sources: str
    """Such as "[1] [4]"; documents where the answer has no number for them."""
    important: bool
    """One of the few that the question is about."""


class Page(Protocol):
    """A terminal, or the lines of a pipe. Texts may hold control characters; a page takes them out."""

    def question(self, text: str, note: str) -> None:
        """A turn begins; the note (may be empty) says what it is to show."""
        ...

    def working(self, activity: str) -> None:
        """What goes on now; gone with the next thing told."""
        ...

    def line(self, label: str, text: str, tone: Tone = Tone.PLAIN) -> None:
        """A line of its own."""
        ...

    def words(self, text: str) -> None:
        """A piece of the answer's CommonMark, right after the piece before."""
        ...

    def end_words(self) -> None:
        """The answer's text is over."""
        ...

    def sources(self, sources: Sequence[Source]) -> None:
        """What the answer cites, a line each."""
        ...

    def timeline(self, unit: str, rows: Sequence[Dated]) -> None:
        """The course of events, in the order of time, told by `unit` (such as "month"; may be empty)."""
        ...

    def close(self) -> None:
        """The turn is over, well or not."""
        ...
