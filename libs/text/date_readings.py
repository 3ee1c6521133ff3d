"""The meaning of a time phrase, independent of its place in a text: bounds, precision, and early or late."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from libs.contracts.dates import PartialDate, Precision

Part = Literal["", "early", "mid", "late"]
Why = Literal["", "vague", "impossible", "outside"]
"""Why a time phrase has no exact range; `outside`: it lies outside the years 1 to 9999."""


@dataclass(frozen=True, slots=True)
class DateReading:
    """The first and the last day, month or year that a phrase covers, in its own precision."""

    first: PartialDate
    last: PartialDate
    precision: Precision
    part: Part = ""
    """The third of the period that is meant, as in `early March 2004`."""


@dataclass(frozen=True, slots=True)
class DatePattern:
    """A kind of date phrase with its reader, which returns None for an invalid date (31 February)."""

    name: str
    clues: tuple[str, ...]
    """Every match contains at least one of these; searching for them takes a hundredth of the pattern's time."""
    regex: re.Pattern[str]
    read: Callable[[re.Match[str]], DateReading | None]

    def might_match(self, text: str, start: int, end: int) -> bool:
        """Whether `text[start:end]` contains a clue."""
        return any(text.find(clue, start, end) >= 0 for clue in self.clues)


_PARTS: dict[str, Part] = {
    "early": "early",
    "beginning": "early",
    "start": "early",
    "mid": "mid",
    "middle": "mid",
    "late": "late",
    "end": "late",
}
PART = (
    r"(?:(?P<part>[Ee]arly|[Mm]id|[Ll]ate)(?:[\s-]+in)?[\s-]+(?:the\s+)?"
    r"|(?:the\s+)?(?P<part_of>[Bb]eginning|[Ss]tart|[Mm]iddle|[Ee]nd)\s+of\s+(?:the\s+)?)?"
)


def part_of(match: re.Match[str]) -> Part:
    """The part captured by the groups of `PART`; empty if there is none."""
    word = match["part"] or match["part_of"]
    return _PARTS[word.lower()] if word else ""


def one_day(date: PartialDate) -> DateReading:
    """A single day."""
    return DateReading(date, date, Precision.DAY)


def one_month(year: int, month: int, part: Part = "") -> DateReading:
    """A single month, or a part of it."""
    date = PartialDate(year, month)
    return DateReading(date, date, Precision.MONTH, part)


def one_year(year: int, part: Part = "") -> DateReading:
    """A single year, or a part of it."""
    return DateReading(PartialDate(year), PartialDate(year), Precision.YEAR, part)


def ordered_range(first: PartialDate, last: PartialDate, precision: Precision) -> DateReading | None:
    """A range; None if `last` is before `first`."""
    return DateReading(first, last, precision) if first <= last else None
