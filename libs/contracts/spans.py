"""Positions in a text, counted in code points: plain values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range [start, end) of code points in a text."""

    start: int = 0
    end: int = 0

    def of(self, text: str) -> str:
        """The part of `text` that this span covers."""
        return text[self.start : self.end]

    def shifted(self, by: int) -> "Span":
        """The span so many code points later."""
        return Span(self.start + by, self.end + by)

    def overlaps(self, other: "Span") -> bool:
        """Whether they share a code point."""
        return self.start < other.end and other.start < self.end
