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
        """A piece of the answer, right after the piece before; "\\n\\n" parts paragraphs."""
        ...

    def end_words(self) -> None:
        """The answer's text is over."""
        ...

    def reference(self, number: int, title: str, date: str, url: str) -> None:
        """What the answer cites as [number]."""
        ...

    def timeline(self, unit: str, rows: Sequence[Dated]) -> None:
        """The course of events, in the order of time, told by `unit` (such as "month"; may be empty)."""
        ...

    def close(self) -> None:
        """The turn is over, well or not."""
        ...
