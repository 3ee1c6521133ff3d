"""Times of questions, and why a time phrase may have no exact range."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from libs.contracts.dates import TimeRange
from libs.contracts.spans import Span

Why = Literal["", "vague", "impossible", "outside"]


@dataclass(frozen=True, slots=True)
class TimeMention(Span):
    """A time phrase in a question and its exact meaning: `text == question[start:end]`."""

    range: TimeRange | None = None
    """None if the phrase has no exact meaning, for the reason in `why`."""
    kind: str = ""
    """The kind of phrase: `whole`, `weekday`, `date`, `since` …"""
    why: Why = ""
    """`vague` (recently, the past few months), `impossible` (31 February) or `outside` the years 1 to 9999 (44 BC)."""
    text: str = ""


def mention_of(start: int, end: int, kind: str, read: Callable[[], TimeRange | None]) -> TimeMention:
    """A phrase, without its text, with the range that a reader returns, or the reason why it has no exact one."""
    try:
        time_range = read()
    except OverflowError:
        return TimeMention(start, end, None, kind, "outside")
    except ValueError:
        return TimeMention(start, end, None, kind, "impossible")
    return TimeMention(start, end, time_range, kind, "" if time_range else "vague")


def bounded(bound: str, period: TimeRange, now: datetime) -> TimeRange:
    """Apply `since`, `from`, `before`, `after` or `until` to a period.

    Raises:
        ValueError: the time since which something lasts is in the future.
    """
    if bound == "since":
        if period.start is None or period.start >= now:
            raise ValueError("since a time to come")
        return TimeRange(period.start, now)
    if bound in ("from", "after"):
        return TimeRange(period.start if bound == "from" else period.end, None)
    return TimeRange(None, period.start if bound == "before" else period.end)
