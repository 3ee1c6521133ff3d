"""Dates of short answers as ranges of days: `April 1973` is any day of that month, and is compared as such."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from gateway.functions.faults import FunctionFailed
from libs.contracts.dates import PartialDate
from libs.language.known import ENGLISH
from libs.text.dates import DateMention, find_dates


@dataclass(frozen=True, slots=True)
class Stretch:
    """A range of days, both ends included, one of which is the date."""

    first: date
    last: date
    text: str
    """The date as written in the answer."""

    def comes_before(self, other: "Stretch") -> bool:
        """Whether it lies before another one.

        Raises:
            FunctionFailed: they overlap, so the order is unknown.
        """
        if self.last < other.first:
            return True
        same_day = self.is_day and (self.first, self.last) == (other.first, other.last)
        if same_day or other.last < self.first:
            return False
        raise FunctionFailed(f"“{self.text}” and “{other.text}” are too near each other to tell which comes first")

    @property
    def is_day(self) -> bool:
        """Whether the exact day is known."""
        return self.first == self.last


def read_stretch(text: str, language: str) -> Stretch:
    """Return the first date of a short answer.

    Args:
        text: the answer.
        language: of the answer, ISO 639-1.

    Raises:
        FunctionFailed: the answer contains no date.
    """
    mention = next(iter(find_dates(text, language=language)), None) or _as_a_year(text)
    if mention is None:
        raise FunctionFailed(f"“{text}” is no date")
    return Stretch(_first_day(mention.first), _last_day(mention.last), mention.text)


def _as_a_year(text: str) -> DateMention | None:
    """Read digits alone as a year, which `find_dates` only does in context."""
    mentions = find_dates(f"in {text.strip()}", language=ENGLISH) if text.strip().isdecimal() else ()
    return mentions[0] if mentions else None


def _first_day(partial: PartialDate) -> date:
    return date(partial.year, partial.month or 1, partial.day or 1)


def _last_day(partial: PartialDate) -> date:
    month = partial.month or 12
    return date(partial.year, month, partial.day or monthrange(partial.year, month)[1])
