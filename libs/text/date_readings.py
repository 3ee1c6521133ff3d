"""The meaning of a time phrase, independent of its place in a text: bounds, precision, and early or late."""

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
