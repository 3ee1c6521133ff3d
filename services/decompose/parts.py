"""What a question is split into."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """One sub-query; "#1" in its text stands for the first part's answer."""

    text: str
    waits_for: tuple[int, ...] = ()
    """Numbers, from 1, of the parts whose answers it needs."""


@dataclass(frozen=True, slots=True)
class Split:
    """The sub-queries in the order in which the question tells them, and why it was split so."""

    parts: tuple[Part, ...]
    reason: str

    @classmethod
    def side_by_side(cls, texts: list[str], reason: str) -> "Split":
        """Sub-queries that wait for nothing."""
        return cls(tuple(Part(text) for text in texts), reason)
